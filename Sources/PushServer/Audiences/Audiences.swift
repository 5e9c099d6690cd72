import PushPayload
package import PushStore
import Synchronization
import _Bitmaps

/// Whom audiences reach, by an index of each app that follows the store.
///
/// Every node has one. Before an answer the index is brought up to the last change that the store
/// has logged, so that whoever asks sees all that was stored before, on whichever node.
package final class Audiences: Sendable {
  private let log: any DeviceLog
  private let apps = Mutex<[String: AppAudiences]>([:])

  package init(_ log: any DeviceLog) { self.log = log }

  /// The devices that an audience has now and a push can reach.
  package func devices(
    of audience: Audience, at now: Timestamp
  ) async throws(StoreError) -> DeviceNumbers {
    try await app(audience.app).read { index in
      DeviceNumbers(
        index.devices(passing: audience.filters, at: now, among: index.reachable))
    }
  }

  /// Some devices by their time zones; those without one come under `nil`.
  package func byTimeZone(
    _ devices: DeviceNumbers, app id: String
  ) async throws(StoreError) -> [(timeZone: String?, devices: DeviceNumbers)] {
    try await app(id).read { index in
      index.byTimeZone(devices.bitmap).map { ($0.timeZone, DeviceNumbers($0.devices)) }
    }
  }

  /// The devices that have the app and are in an audience, whether a push can reach them or not.
  package func members(
    of audience: Audience, at now: Timestamp
  ) async throws(StoreError) -> DeviceNumbers {
    try await app(audience.app).read { index in
      DeviceNumbers(
        index.devices(passing: audience.filters, at: now, among: index.installed))
    }
  }

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

  /// Builds the index of an app, or brings it up to date, without a question.
  package func prepare(app id: String) async throws(StoreError) { try await app(id).prepare() }

  /// Keeps every index that was ever asked close to the store, until its task is cancelled, so that
  /// a question after a long pause need not wait for all that has happened in it.
  package func follow(every pause: Duration = .seconds(1), clock: ServerClock) async {
    while (try? await clock.sleep(pause)) != nil {
      for app in apps.withLock({ Array($0.keys) }) {
        // A store that is away for a while is met again a pause later.
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
  /// Those that have the app.
  package var targeted: Int
  /// Those of them that a push can reach.
  package var pushEnabled: Int
  /// Those of them whose notification centre alone it comes to.
  package var quiet: Int

  package init(targeted: Int, pushEnabled: Int, quiet: Int = 0) {
    self.targeted = targeted
    self.pushEnabled = pushEnabled
    self.quiet = quiet
  }
}
