import PushPayload
package import PushStore
import Synchronization
import _Bitmaps

/// The audience indexes of all apps, which follow the store.
///
/// Every node has its own. Before each answer the index is brought up to the last change in the
/// store's log, so that a caller sees everything that was stored before, on any node.
package final class Audiences: Sendable {
  private let log: any DeviceLog
  private let apps = Mutex<[String: AppAudiences]>([:])

  package init(_ log: any DeviceLog) { self.log = log }

  /// Returns the devices that are in an audience now and that a push can reach.
  package func devices(
    of audience: Audience, at now: Timestamp
  ) async throws(StoreError) -> DeviceNumbers {
    try await app(audience.app).read { index in
      DeviceNumbers(
        index.devices(passing: audience.filters, at: now, among: index.reachable))
    }
  }

  /// Groups devices by time zone; those without one are in the group of `nil`.
  package func byTimeZone(
    _ devices: DeviceNumbers, app id: String
  ) async throws(StoreError) -> [(timeZone: String?, devices: DeviceNumbers)] {
    try await app(id).read { index in
      index.byTimeZone(devices.bitmap).map { ($0.timeZone, DeviceNumbers($0.devices)) }
    }
  }

  /// Returns the devices that are in an audience and have the app, whether a push can reach them or
  /// not.
  package func members(
    of audience: Audience, at now: Timestamp
  ) async throws(StoreError) -> DeviceNumbers {
    try await app(audience.app).read { index in
      DeviceNumbers(
        index.devices(passing: audience.filters, at: now, among: index.installed))
    }
  }

  /// Counts the devices of an audience.
  package func count(
    of audience: Audience, at now: Timestamp
  ) async throws(StoreError) -> AudienceCount {
    try await app(audience.app).read { index in
      let members = index.devices(passing: audience.filters, at: now, among: index.installed)
      let reached = members & index.reachable
      let quiet = Filter(field: .builtIn(.pushQuiet), criteria: [.equals(true)])
      return AudienceCount(
        targeted: members.count, pushEnabled: reached.count,
        quiet: index.devices(passing: [quiet], at: now, among: reached).count)
    }
  }

  /// Builds the index of an app, or brings it up to date.
  package func prepare(app id: String) async throws(StoreError) { try await app(id).prepare() }

  /// Keeps every index that was used up to date until the task is cancelled, so that no request
  /// after a long pause has to wait for many changes.
  package func follow(every pause: Duration = .seconds(1), clock: ServerClock) async {
    while (try? await clock.sleep(pause)) != nil {
      for app in apps.withLock({ Array($0.keys) }) {
        // Where the store fails, the next round tries again.
        try? await prepare(app: app)
      }
    }
  }

  private func app(_ id: String) -> AppAudiences {
    apps.withLock { apps in
      if let app = apps[id] { return app }
      let app = AppAudiences(id, log)
      apps[id] = app
      return app
    }
  }
}

/// How many devices an audience has.
package struct AudienceCount: Hashable, Sendable {
  /// The devices that have the app.
  package var targeted: Int
  /// The targeted devices that a push can reach.
  package var pushEnabled: Int
  /// The reachable devices to which pushes are delivered quietly (provisional authorization).
  package var quiet: Int

  package init(targeted: Int, pushEnabled: Int, quiet: Int = 0) {
    self.targeted = targeted
    self.pushEnabled = pushEnabled
    self.quiet = quiet
  }
}
