import Foundation
import PushModel
import PushPayload
import PushStore
import _OpenSSLCrypto

/// The process `enrollments DATABASE`: prints the seconds of an event without triggers and with fifty, the bytes of a
/// million enrollments, and the milliseconds to find that none is due and to lease a thousand.
///
/// The database is the path of a SQLite file or the address of PostgreSQL.
func enrollmentClient(_ arguments: [String]) async throws {
  let database = arguments[0]
  let store: any PushStore =
    database.hasPrefix("postgres")
    ? try await PostgreSQLPushStore(url: database) : try SQLitePushStore(path: database)
  let client = try await EnrollmentClient(store, database)
  // The rounds alternate, so that other load of the machine meets both.
  var times: (plain: [Double], triggered: [Double]) = ([], [])
  for _ in 0..<EnrollmentClient.rounds {
    times.plain.append(try await client.events(named: "plain"))
    times.triggered.append(try await client.events(named: "triggered"))
  }
  let bytes = try await client.million()
  let idle = try await client.lease(at: client.now)
  let due = try await client.lease(at: client.now + .seconds(3600))
  print(times.plain.median, times.triggered.median, bytes, idle, due)
}

private struct EnrollmentClient {
  static let rounds = 5
  private static let devices = 1_000_000
  private static let events = 20_000
  private static let clients = 512
  private static let triggers = 50

  let store: any PushStore
  let now = Timestamp(milliseconds: 1_700_000_000_000)
  private let database: String

  init(_ store: any PushStore, _ database: String) async throws {
    self.store = store
    self.database = database
    for id in ["plain", "triggered", "million"] {
      let app = App(
        id: id, name: id, bundleID: "com.example.\(id)", teamID: "A1B2C3D4E5", keyID: "K1L2M3N4O5",
        sealedKey: [], createdAt: now)
      try await store.add(app, keys: [])
    }
    for id in ["plain", "triggered"] { try await register(Self.events, app: id) }
    for number in 0..<Self.triggers {
      let match = EventMatch(
        "event-\(number)", where: [EventCondition("total", [.range([.gte: 10])])])
      try await start(
        "triggered-\(number)", app: "triggered",
        CampaignTrigger(
          .event(match), exits: [EventMatch("exit-\(number)")], againAfter: .days(7),
          firstWait: .seconds(3600), since: now))
    }
  }

  private func register(_ count: Int, app: String) async throws {
    for start in stride(from: 0, to: count, by: 20_000) {
      let devices = (start..<min(count, start + 20_000)).map { number in
        // Ids and tokens as apps have them.
        let hash = OpenSSLCrypto.sha256(Array("\(app)-\(number)".utf8))
        let hex = hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return ImportedDevice(id: String(hex.prefix(24)), token: hex, patch: DevicePatch())
      }
      try await store.importDevices(devices, app: app, at: now)
    }
  }

  private func start(_ id: String, app: String, _ trigger: CampaignTrigger) async throws {
    var campaign = Campaign(id: id, app: app, name: id, document: [:], createdAt: now)
    campaign.kind = .triggered
    try await store.save(campaign)
    _ = try await store.apply(
      .start, toCampaign: id, app: app, start: CampaignStart(runs: [], trigger: trigger), at: now)
  }

  /// The seconds of an event, of many clients at once; one in ten enrolls, where there are triggers.
  func events(named app: String) async throws -> Double {
    let devices = try await store.devices(app: app, above: nil, limit: Self.events).map(\.id)
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in 0..<Self.clients {
        group.addTask {
          for place in stride(from: client, to: devices.count, by: Self.clients) {
            var event = DeviceEvent(
              name: place % 10 == 0 ? "event-\(place / 10 % Self.triggers)" : "other-\(place % 10)")
            event.data = ["total": 80, "what": "shoes"]
            try await store.record([event], device: devices[place], app: app, at: now)
          }
        }
      }
      try await group.waitForAll()
    }
    return (ContinuousClock.now - start) / .seconds(Self.events)
  }

  /// Enrolls a million people in a campaign, of whom a thousand are due in an hour, and returns the bytes that it takes.
  func million() async throws -> Int {
    try await register(Self.devices, app: "million")
    let wait = Duration.seconds(3600)
    try await start("million", app: "million", CampaignTrigger(.call, firstWait: wait, since: now))
    let before = try await size()
    for first in stride(from: 1, through: Self.devices, by: 10_000) {
      var numbers = DeviceNumbers()
      for number in first..<first + 10_000 { numbers.append(UInt32(number)) }
      // The first thousand are due before all others, which are due over a day.
      let groups =
        first == 1
        ? [(numbers.slice(from: 0, limit: 1000), 0), (numbers.slice(from: 1000, limit: 9000), 60)]
        : [(numbers, 60 + first / 12)]
      for (devices, seconds) in groups {
        _ = try await store.enroll(
          EnrollmentCall(campaign: "million", app: "million", devices: devices, data: nil),
          at: now + .seconds(seconds))
      }
    }
    return try await size() - before
  }

  /// The milliseconds of a look at what is due, the median of many.
  func lease(at time: Timestamp) async throws -> Double {
    guard let trigger = try await store.liveTriggers().first(where: { $0.app == "million" }) else {
      return .nan
    }
    var times: [Double] = []
    for _ in 0..<100 {
      let start = ContinuousClock.now
      let found = try await store.leaseEnrollments(
        of: trigger, at: time, until: time, limit: 10_000)
      times.append((ContinuousClock.now - start) / .milliseconds(1))
      guard (found?.count ?? 0) == (time == now ? 0 : 1000) else { return .nan }
      try await store.releaseEnrollments(of: trigger)
    }
    return times.median
  }

  /// The bytes of the database's files.
  private func size() async throws -> Int {
    guard database.hasPrefix("postgres") else {
      // The pages of the log that are not in the file yet are overwritten in it.
      let copy = database + ".copy"
      defer { try? FileManager.default.removeItem(atPath: copy) }
      try await (store as? any BackupStore)?.backup(to: copy)
      return try FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int ?? 0
    }
    let psql = try Child([
      "psql", database, "-Atc",
      "SELECT pg_total_relation_size('enrollments') + pg_total_relation_size('triggers')",
    ])
    let text = try psql.finish().output.trimmingCharacters(in: .whitespacesAndNewlines)
    return Int(text) ?? 0
  }
}
