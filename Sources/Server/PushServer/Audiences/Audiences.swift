package import PushModel
import PushPayload
import Synchronization
import _Bitmaps

/// The audience indexes of all apps, which follow the store.
///
/// Every node has its own indexes. Before each answer the index is brought up to the last change in the store's log, so
/// that a caller sees everything that was stored before, on any node.
package final class Audiences: Sendable {
  private let log: any DeviceLog
  /// The store of the audiences and sends that audiences refer to; `nil` if audiences refer to nothing.
  private let store: (any PushStore)?
  private let folder: String?
  private let schedule: SnapshotSchedule
  private let apps = Mutex<[String: AppAudiences]>([:])
  /// The apps whose index is being brought up to date by ``follow(every:clock:log:)``.
  let busy = Mutex<Set<String>>([])
  /// Whether the folder was searched for apps that were deleted while this node was stopped.
  private let hasLooked = Atomic(false)
  /// The time of each app's last update by ``follow(every:clock:log:)``.
  private let updates = Mutex<[String: Timestamp]>([:])

  /// Makes indexes over a log.
  ///
  /// `store` has the audiences and sends that audiences refer to. `folder` is the folder of snapshots; `nil` writes
  /// none.
  package init(
    _ log: any DeviceLog, store: (any PushStore)? = nil, folder: String? = nil,
    schedule: SnapshotSchedule = SnapshotSchedule()
  ) {
    (self.log, self.store, self.folder, self.schedule) = (log, store, folder, schedule)
  }

  /// Makes indexes over a store; `folder` is as for a log.
  package convenience init(
    _ store: any PushStore, folder: String? = nil, schedule: SnapshotSchedule = SnapshotSchedule()
  ) {
    self.init(store, store: store, folder: folder, schedule: schedule)
  }

  /// An audience with everything that it refers to.
  private func query(of audience: Audience) async throws(StoreError) -> DeviceQuery {
    var references = AudienceReferences(store)
    return try await references.query(of: audience)
  }

  /// Returns the devices that are in an audience now and that a push can reach.
  package func devices(
    of audience: Audience, at now: Timestamp
  ) async throws(StoreError) -> DeviceNumbers {
    let query = try await query(of: audience)
    return try await app(audience.app).read { index in
      DeviceNumbers(
        index.devices(passing: query, at: now, among: .reachable))
    }
  }

  /// Groups devices by time zone; the key `nil` groups those without one.
  package func byTimeZone(
    _ devices: DeviceNumbers, app id: String
  ) async throws(StoreError) -> [(timeZone: String?, devices: DeviceNumbers)] {
    try await app(id).read { index in
      index.byTimeZone(devices.bitmap).map { ($0.timeZone, DeviceNumbers($0.devices)) }
    }
  }

  /// Groups devices by locale, in lowercase with underscores; the key `nil` groups those without one.
  package func byLocale(
    _ devices: DeviceNumbers, app id: String
  ) async throws(StoreError) -> [(locale: String?, devices: DeviceNumbers)] {
    try await app(id).read { index in
      index.byLocale(devices.bitmap).map { ($0.locale, DeviceNumbers($0.devices)) }
    }
  }

  /// Returns the devices of an audience that have the app, including those that a push cannot reach.
  package func members(
    of audience: Audience, at now: Timestamp
  ) async throws(StoreError) -> DeviceNumbers {
    let query = try await query(of: audience)
    return try await app(audience.app).read { index in
      DeviceNumbers(
        index.devices(passing: query, at: now, among: .installed))
    }
  }

  /// The condition that keeps each of some devices out of an audience; those in it are left out.
  ///
  /// A device that does not have the app any more is judged by what is stored of it, too.
  func misses(
    of audience: Audience, by devices: [UInt32], at now: Timestamp
  ) async throws(StoreError) -> [UInt32: AudienceMiss] {
    let query = try await query(of: audience)
    return try await app(audience.app).read { index in
      devices.reduce(into: [:]) { misses, device in
        misses[device] = index.miss(of: device, query, audience, at: now)
      }
    }
  }

  /// The attributes that devices of an app have, sorted by name.
  package func attributes(app id: String) async throws(StoreError) -> [Filter.Field] {
    try await ownFields(app: id).filter { if case .attribute = $0 { true } else { false } }
  }

  /// The attributes and events that devices of an app have, sorted by name.
  func ownFields(app id: String) async throws(StoreError) -> [Filter.Field] {
    try await app(id).read { index in index.ownFields }
  }

  /// Returns values that devices have in a field, those with a text in them; at most `limit` of them.
  func values(
    of field: Filter.Field, containing text: String = "", limit: Int, app id: String
  ) async throws(StoreError) -> FieldValues {
    try await app(id).read { index in index.values(of: field, containing: text, limit: limit) }
  }

  /// Returns the first devices of an app that a push reaches.
  func firstReachable(
    _ count: Int, app id: String
  ) async throws(StoreError) -> DeviceNumbers {
    try await app(id).read { index in DeviceNumbers(index.firstReachable(count)) }
  }

  /// Counts the devices among `devices` that have each of the attributes.
  package func counts(
    having attributes: Set<String>, among devices: DeviceNumbers, app id: String
  ) async throws(StoreError) -> [String: Int] {
    try await app(id).read { index in
      Dictionary(
        uniqueKeysWithValues: attributes.map {
          ($0, index.count(having: $0, among: devices.bitmap))
        })
    }
  }

  /// Counts the devices of an audience.
  package func count(
    of audience: Audience, at now: Timestamp
  ) async throws(StoreError) -> AudienceCount {
    let query = try await query(of: audience)
    return try await app(audience.app).read { index in
      index.count(passing: query, at: now)
    }
  }

  /// Counts the devices of an audience that a push reaches, and the others by reason.
  package func reach(
    of audience: Audience, at now: Timestamp
  ) async throws(StoreError) -> AudienceReach {
    let query = try await query(of: audience)
    return try await app(audience.app).read { index in
      index.reach(passing: query, at: now)
    }
  }

  /// Builds the index of an app, or brings it up to date.
  package func prepare(app id: String) async throws(StoreError) { try await app(id).prepare() }

  /// Keeps the indexes of all apps up to date and writes their snapshots, until the task is cancelled.
  ///
  /// A request then waits at most for what was stored within one pause.
  ///
  /// `log` is called with each failure of a snapshot. If the store fails, the next round tries again.
  package func follow(
    every pause: Duration = .milliseconds(100), clock: ServerClock,
    log warn: @escaping @Sendable (String) -> Void = { _ in }
  ) async {
    await withDiscardingTaskGroup { group in
      while (try? await clock.sleep(pause)) != nil {
        guard let changes = try? await log.lastChanges() else { continue }
        forgetApps(but: Set(changes.keys))
        let start = clock.now()
        for (id, last) in changes where last > 0 {
          updates.withLock { $0[id] = $0[id] ?? start }
          // An index that is being built does not delay the others.
          guard busy.withLock({ $0.insert(id).inserted }) else { continue }
          group.addTask {
            if await self.follow(self.app(id), to: last, clock: clock, log: warn) {
              self.updates.withLock { $0[id] = start }
            }
            self.busy.withLock { _ = $0.remove(id) }
          }
        }
      }
      group.cancelAll()
    }
  }

  private static let pauseAfterDamage = Duration.seconds(60)

  /// Brings an index up to date and writes its snapshot if one is due; `false` if the store failed.
  private func follow(
    _ app: AppAudiences, to last: Int64, clock: ServerClock, log warn: (String) -> Void
  ) async -> Bool {
    do {
      if await !app.has(last) { try await app.prepare() }
      try await app.saveIfDue(at: clock.now())
    } catch let error as SnapshotError {
      warn("the snapshot of an audience index was not written: \(error)")
    } catch let error as StoreError where error.code == .damaged {
      // Damage does not go away by itself, and an immediate retry would read all devices again.
      warn("an audience index cannot be made: \(error.message)")
      try? await clock.sleep(Self.pauseAfterDamage)
      return false
    } catch {
      return false
    }
    return true
  }

  /// Writes a snapshot of each index that has changed much, after ``follow(every:clock:log:)`` has ended.
  ///
  /// If one cannot be written, the next start reads the changes from the store.
  func saveAll(at now: Timestamp, log warn: (String) -> Void) async {
    for app in apps.withLock({ Array($0.values) }) {
      do {
        try await app.saveIfDue(at: now, isLast: true)
      } catch {
        warn("the snapshot of an audience index was not written: \(error)")
      }
    }
  }

  /// Drops the indexes and the snapshots of apps that were deleted.
  private func forgetApps(but known: Set<String>) {
    let gone = apps.withLock { apps in
      let gone = Set(apps.keys).subtracting(known)
      for id in gone { apps[id] = nil }
      return !gone.isEmpty || !hasLooked.exchange(true, ordering: .relaxed)
    }
    if gone { updates.withLock { $0 = $0.filter { known.contains($0.key) } } }
    if gone, let folder { SnapshotFolder.removeAll(in: folder, but: known) }
  }

  /// The time since the index that is the furthest behind had every change of the store.
  package func lag(at now: Timestamp) -> Duration {
    updates.withLock { updates in updates.values.min().map { max(.zero, now.since($0)) } ?? .zero }
  }

  private func app(_ id: String) -> AppAudiences {
    apps.withLock { apps in
      if let app = apps[id] { return app }
      let app = AppAudiences(
        id, log, folder: folder.flatMap { SnapshotFolder($0, app: id) }, schedule: schedule)
      apps[id] = app
      return app
    }
  }
}
