import PushPayload
import TestSupport
import Testing

@testable import PushModel
@testable import PushStore

@Suite(
  "Round trips to PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct RoundTripTests {
  @Test("a group of receipts waits four times before its commit, once the node knows the app")
  func receipts() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url)
      let fixture = try await StoreFixture(store, "app")
      try await fixture.register(9)
      try await fixture.accept("s")
      try await fixture.drain()
      func waits(_ device: Int) async throws -> Int {
        let reports = [Receipt.Event.received, .displayed].map { event in
          let receipt = Receipt(
            id: "\(event)", send: "s", device: "app-\(device)", event: event, at: Sample.now)
          return ReportRequest(report: .receipts([receipt]), at: Sample.now)
        }
        return try await store.write { [groups = store.groups] db in
          let counting = CountingConnection(db)
          let stored = try PostgreSQLPushStore.store(reports, app: "app", groups: groups, counting)
          #expect(stored == [1, 1])
          return counting.waits
        }
      }
      #expect(try await waits(0) > 4)
      for device in 1...3 { #expect(try await waits(device) == 4) }
    }
  }

  @Test(
    "a group of updates waits once before its commit, and twice where a device gets another token")
  func updates() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url)
      _ = try await StoreFixture(store, "app")
      func waits(_ tokens: ClosedRange<Int>) async throws -> Int {
        let changes = tokens.map { token in
          var patch = DevicePatch()
          patch.token = .set("aa\(token)")
          return DeviceChange(
            .update(device: "d\(token % 10)", patch, by: .server), at: Sample.now)
        }
        return try await store.write { [groups = store.groups] db in
          let counting = CountingConnection(db)
          let outcomes = try PostgreSQLPushStore.store(
            changes, app: "app", groups: groups, counting)
          for outcome in outcomes { _ = try outcome.get() }
          return counting.waits
        }
      }
      #expect(try await waits(10...14) > 2)
      #expect(try await waits(10...14) == 1)
      #expect(try await waits(10...19) == 2)
      #expect(try await waits(20...29) == 2)
      #expect(try await waits(20...29) == 1)
    }
  }

  @Test("an audited change waits for the server at most once more than another one")
  func recorded() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url)
      try await store.add(
        Account(id: "a", email: "a@example.com", name: "Ada", createdAt: Sample.now),
        link: AccountLink(
          hash: [1], account: "a", by: .commandLine, expiresAt: Sample.now + .seconds(60)))
      let codes = (0..<10).map { [UInt8($0)] }
      let factor = SecondFactor(sealedSecret: [1], lastStep: 1, recoveryCodes: codes)
      func waits(
        _ body: @escaping @Sendable (RecordingConnection) throws -> Void
      ) async throws -> (ofChange: Int, ofAll: Int, hasChanged: Bool) {
        try await store.write { db in
          let counting = CountingConnection(db)
          let recording = RecordingConnection(counting)
          try body(recording)
          let ofChange = counting.waits
          let hasChanged = try recording.hasChangedRows()
          return (ofChange, counting.waits, hasChanged)
        }
      }
      #expect(
        try await waits { try PostgreSQLPushStore.setSecondFactor(factor, of: "a", $0) }
          == (0, 1, true))
      #expect(
        try await waits { try $0.queue("DELETE FROM accounts WHERE id = 'nobody'") }
          == (0, 1, false))
      #expect(
        try await waits { db in
          _ = try db.run("UPDATE accounts SET name = 'B' WHERE id = 'a'")
          try db.queue("DELETE FROM recovery_codes WHERE account = 'a'")
        } == (1, 1, true))
      let query: SQL = "SELECT name FROM accounts WHERE id = 'a'"
      let ahead = try await waits { db in
        try db.fetchAhead(query)
        _ = try db.run("DELETE FROM recovery_codes WHERE account = 'a'")
        #expect(try db.row(query) { try $0.text("name") } == "B")
      }
      #expect(ahead == (1, 1, false))
    }
  }
}

/// A connection that counts how often the server is waited for.
private final class CountingConnection: SQLConnection {
  private let base: any SQLConnection
  private(set) var waits = 0
  /// The queries that were sent ahead, and whether the server was waited for since.
  private var ahead: [SQL: Bool] = [:]

  init(_ base: any SQLConnection) { self.base = base }

  var dialect: SQLDialect { base.dialect }

  private func wait() {
    waits += 1
    for query in ahead.keys { ahead[query] = true }
  }

  func queue(_ sql: SQL, changed: @escaping (Int) -> Void) throws {
    try base.queue(sql, changed: changed)
  }

  func flush() throws {
    wait()
    try base.flush()
  }

  func planForSize() throws { try base.planForSize() }

  func fetchAhead(_ query: @autoclosure () -> SQL) throws {
    let query = query()
    ahead[query] = false
    try base.fetchAhead(query)
  }

  func run(_ sql: SQL) throws -> Int {
    wait()
    return try base.run(sql)
  }

  func run<T>(_ sql: SQL, returning map: (inout SQLRow) throws -> T) throws
    -> T?
  {
    wait()
    return try base.run(sql, returning: map)
  }

  func changedRows<T>(_ sql: SQL, map: (inout SQLRow) throws -> T) throws
    -> [T]
  {
    wait()
    return try base.changedRows(sql, map: map)
  }

  func insert(into table: String, columns: [String], _ nextRow: () -> [SQLValue]?) throws {
    wait()
    try base.insert(into: table, columns: columns, nextRow)
  }

  func forEachRow(of sql: SQL, _ read: (inout SQLRow) throws -> Void)
    throws
  {
    if ahead.removeValue(forKey: sql) != true { wait() }
    try base.forEachRow(of: sql, read)
  }

  func row<T>(_ sql: SQL, map: (inout SQLRow) throws -> T) throws -> T? {
    try rows(sql, map: map).first
  }
}
