import PushPayload
import TestSupport
import Testing

@testable import PushModel
@testable import PushStore

@Suite("Changes of devices that are committed together", .timeLimit(.minutes(10)))
struct DeviceGroupTests {
  @Test("a group gives what its changes give one by one", arguments: UInt64(1)...200)
  func oneByOne(seed: UInt64) {
    var changes = RandomChanges(seed: seed, app: "app")
    let groups = changes.groups(8)
    var (together, alone) = (Model(), Model())
    for group in groups {
      let outcomes = together.apply(group)
      #expect(outcomes == group.map { alone.apply([$0])[0] })
      #expect(together == alone)
    }
  }

  /// Devices with their log, to which groups are applied.
  private struct Model: Equatable {
    var devices: [UInt32: Device] = [:]
    var log: [UInt32] = []
    var installs: [Timestamp] = []

    mutating func apply(_ changes: [DeviceChange]) -> [[Device]?] {
      var group = DeviceGroup(Array(devices.values), last: UInt32(devices.count))
      let outcomes = changes.map { try? group.apply($0).get() }
      for device in group.updated + group.added { devices[device.number] = device }
      let tokens = devices.values.compactMap(\.token)
      #expect(Set(tokens).count == tokens.count)
      log += group.log
      installs += group.installs
      return outcomes
    }
  }

  @Test("a token that moves between two stored devices is taken from the first one before")
  func released() {
    var devices = ["a", "b", "c"].enumerated().map { place, id in
      var device = Device(id: id, createdAt: Sample.now)
      device.number = UInt32(place + 1)
      device.token = "t\(id)"
      return device
    }
    devices[2].userID = "u"
    var group = DeviceGroup(devices, last: 3)
    for (id, token) in [("a", "tb"), ("b", "ta"), ("new", "tc")] {
      let change = DeviceChange(
        .update(device: id, Sample.patch(token: token), by: .server), at: Sample.now)
      #expect(throws: Never.self) { try group.apply(change).get() }
    }
    #expect(group.updated.map(\.token) == ["tb", "ta", nil])
    #expect(group.added.map(\.token) == ["tc"])
    // The new device is added after the others are updated, so its token is free by then.
    #expect(group.released.map(\.id) == ["a", "b"])
    // `a` takes the token of `b`, `b` that which `a` had, and the new device that of `c`.
    #expect(group.log == [2, 1, 2, 3, 4])
  }

  @Test("the last number of an app is given, and none after it")
  func lastNumber() {
    var group = DeviceGroup([], last: .max - 1)
    let outcomes = ["a", "b"].map { id in
      group.apply(
        DeviceChange(.update(device: id, DevicePatch(), by: .server), at: Sample.now))
    }
    #expect((try? outcomes[0].get())?.first?.number == .max)
    #expect((try? outcomes[1].get()) == nil)
    #expect(group.added.map(\.id) == ["a"])
    #expect(group.log == [.max])
  }

  @Test("SQLite gives for random groups what single changes gave", arguments: UInt64(1)...30)
  func sqlite(seed: UInt64) async throws {
    let folder = TemporaryFolder()
    try await Self.compare(SQLitePushStore(path: folder.path("martlet.sqlite")), seed: seed)
  }

  @Test(
    "PostgreSQL gives for random groups what single changes gave",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func postgreSQL() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url)
      for seed in UInt64(1)...40 { try await Self.compare(store, seed: seed) }
    }
  }

  /// Makes the same random changes in two apps, in one by groups and in the other one by one.
  private static func compare<Store: SQLPushStore>(_ store: Store, seed: UInt64) async throws {
    let (grouped, single) = ("grouped-\(seed)", "single-\(seed)")
    for app in [grouped, single] { try await store.add(Sample.app(app), keys: []) }
    var (changes, same) = (
      RandomChanges(seed: seed, app: grouped), RandomChanges(seed: seed, app: single)
    )
    for (group, alone) in zip(changes.groups(10), same.groups(10)) {
      let outcomes = try await store.commit(group, app: grouped)
      for (change, outcome) in zip(alone, outcomes) {
        let expected = await SingleChanges.make(change, app: single, in: store)
        #expect(outcome.answer == expected.answer, "seed \(seed), \(change.edit)")
      }
      // An erased device refuses the changes of later groups.
      for app in [grouped, single] where group.count == 12 {
        _ = try await store.erase(device: "d0", app: app, at: Sample.now)
      }
    }
    try await expectSame(grouped, single, in: store)
  }

  private static func expectSame<Store: SQLPushStore>(
    _ first: String, _ second: String, in store: Store
  ) async throws {
    let apps = [first, second]
    var (devices, logs, installs, entries) = ([[Device]](), [[UInt32]](), [[Int]](), [[String?]]())
    for app in apps {
      devices.append(try await store.devices(app: app, above: nil, limit: 99))
      var log: [UInt32] = []
      var last: Int64 = 0
      while let next = try await store.changes(app: app, after: last, limit: 1), next.last > last {
        log += next.devices
        last = next.last
      }
      logs.append(log)
      installs.append(
        try await store.counts(
          of: .installs, app: app, from: Sample.now + .seconds(-9999),
          to: Sample.now + .seconds(9_999_999)
        ).map(\.count))
      entries.append(
        try await store.audit(app: app, after: nil, limit: 999).elements.map(\.object))
    }
    #expect(devices[0] == devices[1])
    #expect(logs[0] == logs[1])
    #expect(installs[0] == installs[1])
    #expect(entries[0] == entries[1])
    #expect(!devices[0].isEmpty && logs[0].count > 20 && !entries[0].isEmpty)
  }
}

/// A change of devices in a transaction of its own, statement by statement: what a group must give.
private enum SingleChanges {
  static func make<Store: SQLPushStore>(
    _ change: DeviceChange, app: String, in store: Store
  ) async -> Result<[Device], StoreError> {
    do throws(StoreError) {
      return .success(
        try await store.write { db in
          guard let number = try Store.lockedNumber(of: app, db) else { return [] }
          let devices = try make(change, app: number, store: Store.self, db)
          if let entry = change.record?.entry, !devices.isEmpty { try Store.append(entry, db) }
          return devices
        })
    } catch {
      return .failure(error)
    }
  }

  private static func make<Store: SQLPushStore>(
    _ change: DeviceChange, app: Int64, store: Store.Type, _ db: any SQLConnection
  ) throws -> [Device] {
    switch change.edit {
    case .update(let id, let patch, let caller):
      return [try update(id, patch, by: caller, change.at, counts: true, app, store, db)]
    case .merge(let id, let patch):
      return [try update(id, patch, by: .server, change.at, counts: false, app, store, db)]
    case .user(let id, let attributes):
      var patch = DevicePatch()
      patch.attributes = attributes
      let devices = try db.rows(
        """
        SELECT \(Device.columns) FROM devices WHERE app = \(app) AND user_id = \(id) ORDER BY key
        """, map: Device.init(row:))
      return try devices.map { old in
        var device = old
        device.apply(patch, at: change.at)
        try Store.save(&device, replacing: old, app: app, db)
        return device
      }
    }
  }

  private static func update<Store: SQLPushStore>(
    _ id: String, _ patch: DevicePatch, by caller: DeviceCaller, _ now: Timestamp, counts: Bool,
    _ app: Int64, _ store: Store.Type, _ db: any SQLConnection
  ) throws -> Device {
    let old = try Store.device(where: .id, is: id, app: app, db)
    guard old?.erasedAt == nil else { throw StoreError.erased(id) }
    var device = old ?? Device(id: id, createdAt: now)
    if case .app(let hash, let limit) = caller {
      guard device.owner.admits(hash) else { throw StoreError(.forbidden, "another secret") }
      if old == nil, try Store.lastNumber(app: app, db) >= limit {
        throw StoreError(.conflict, "the limit")
      }
      device.secretHash = device.secretHash ?? hash
    }
    device.apply(patch.allowed(to: caller, on: device), at: now)
    try Store.save(&device, replacing: old, app: app, db)
    if old == nil, counts { try Store.count(.installs, by: 1, app: app, at: now, db) }
    return device
  }
}

/// What a test compares of an outcome: the devices, or the code of the error.
private enum Answer: Equatable {
  case devices([Device])
  case error(StoreError.Code)
}

extension Result where Success == [Device], Failure == StoreError {
  fileprivate var answer: Answer {
    switch self {
    case .success(let devices): .devices(devices)
    case .failure(let error): .error(error.code)
    }
  }
}
