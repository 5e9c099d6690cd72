import TestSupport
import Testing
import _PostgreSQL

@testable import PushModel
@testable import PushStore

@Suite(
  "The schema of a PostgreSQL store", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLMigrationTests {
  private static let added = SchemaSteps(
    SchemaSteps.postgreSQL.steps + [
      .init(
        """
        ALTER TABLE devices ADD COLUMN note TEXT;
        CREATE TABLE added (app BIGINT NOT NULL);
        INSERT INTO added SELECT number FROM apps;
        """)
    ])

  @Test("nodes that start at once on an empty database make its schema once")
  func race() async throws {
    try await PostgreSQLCluster().use { cluster in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask { _ = try await PostgreSQLPushStore(url: cluster.url, connections: 1) }
        }
        try await group.waitForAll()
      }
      #expect(try await PostgreSQLPushStore.isCurrent(url: cluster.url))
      let version = try await cluster.query("SELECT version FROM martlet_schema")
      #expect(version == "\(SchemaSteps.postgreSQL.newestVersion)")
    }
  }

  @Test("nodes that start at once apply an added step once, while another node serves")
  func addedStep() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url, connections: 2)
      let fixture = try await StoreFixture(store, "serving")
      try await fixture.register(1)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            let db = try PostgreSQLConnection(url: cluster.url)
            try PostgreSQLMigrations.run(on: db, steps: Self.added)
          }
        }
        for number in 0..<20 { group.addTask { try await fixture.update("new\(number)") } }
        try await group.waitForAll()
      }
      let db = try PostgreSQLConnection(url: cluster.url)
      let version = try PostgreSQLMigrations.version(of: db, steps: Self.added)
      #expect(version == SchemaSteps.postgreSQL.newestVersion + 1)
      #expect(try db.rows("SELECT count(*) FROM added") { $0.integer(0) } == [1])

      try await fixture.accept("s")
      try await fixture.drain()
      #expect(try await store.hours(of: "s", app: fixture.app).map(\.sent) == [1])
      #expect(try await store.deviceCount(app: fixture.app) == 21)
    }
  }

  @Test("a step that fails leaves the database as it was")
  func failedStep() async throws {
    try await PostgreSQLCluster().use { cluster in
      let db = try PostgreSQLConnection(url: cluster.url)
      try PostgreSQLMigrations.run(on: db)
      let failing = SchemaSteps(
        SchemaSteps.postgreSQL.steps + [.init("CREATE TABLE half (x INT); SELECT 1 / 0")])
      #expect(throws: PostgreSQLError.self) {
        try PostgreSQLMigrations.run(on: db, steps: failing)
      }
      #expect(try PostgreSQLMigrations.areDone(on: db))
      #expect(try db.rows("SELECT to_regclass('half') IS NULL") { $0.bool(0) } == [true])
    }
  }

  @Test("a step that lost a deadlock against a node that serves is repeated")
  func deadlock() async throws {
    try await PostgreSQLCluster().use { cluster in
      let db = try PostgreSQLConnection(url: cluster.url)
      // A sequence keeps its value when a transaction is rolled back.
      let losing = """
        DO $$ BEGIN IF nextval('tries') < 3 THEN RAISE SQLSTATE '40P01'; END IF; END $$
        """
      let steps = SchemaSteps([.init("CREATE SEQUENCE tries"), .init(losing)])
      try PostgreSQLMigrations.run(on: db, steps: steps)
      #expect(try PostgreSQLMigrations.version(of: db, steps: steps) == steps.newestVersion)
      #expect(try db.rows("SELECT last_value FROM tries") { $0.integer(0) } == [3])
    }
  }

  /// A transaction that a report holds open, and its process.
  private func report(on cluster: PostgreSQLCluster) throws -> (PostgreSQLConnection, String) {
    let report = try PostgreSQLConnection(url: cluster.url + "&application_name=report")
    try report.execute("BEGIN; LOCK TABLE devices IN ACCESS SHARE MODE")
    let process = try report.rows("SELECT pg_backend_pid()") { $0.integer(0) }
    return (
      report, "report from the database's machine (PostgreSQL's process \(process.first ?? 0))"
    )
  }

  @Test("a step lets others pass while it waits for a long transaction, and is applied after it")
  func longTransaction() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url, connections: 2)
      let fixture = try await StoreFixture(store, "serving")
      let (report, holder) = try report(on: cluster)
      let (waits, wait) = AsyncStream<String>.makeStream()
      var lockWait = PostgreSQLLockWait { wait.yield($0) }
      lockWait.attempts = .max
      lockWait.pause = .milliseconds(200)
      let newer = Task { [lockWait] in
        try await PostgreSQLPushStore(url: cluster.url, steps: Self.added, lockWait: lockWait)
      }
      let version = SchemaSteps.postgreSQL.newestVersion + 1
      let expected =
        "cannot bring the database's schema to version \(version), since locks on its tables are held by"
        + " \(holder); trying again"
      // The first ones may have come too early to see who holds the locks.
      for await line in waits where line == expected { break }
      // What came behind the step while it waited has passed when it comes again.
      for number in 0..<3 {
        try await fixture.update("device-\(number)")
        for await _ in waits { break }
      }
      try report.execute("COMMIT")
      _ = try await newer.value
      let added = try await cluster.query("SELECT version FROM martlet_schema")
      #expect(added == "\(version)")
      #expect(try await store.deviceCount(app: fixture.app) == 3)
    }
  }

  @Test("a step that does not get its locks ends with the names of those who hold them")
  func heldLocks() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url, connections: 2)
      let (report, holder) = try report(on: cluster)
      var lockWait = PostgreSQLLockWait()
      (lockWait.attempts, lockWait.pause) = (3, .zero)
      let brief = lockWait
      let error = await #expect(throws: StoreError.self) {
        _ = try await PostgreSQLPushStore(url: cluster.url, steps: Self.added, lockWait: brief)
      }
      #expect(error?.code == .locked)
      let message = error?.message ?? ""
      #expect(message.contains("are held by \(holder); wait until they have ended"), "\(message)")
      #expect(try await PostgreSQLPushStore.isCurrent(url: cluster.url))
      #expect(try await store.apps().isEmpty)
      try report.execute("ROLLBACK")
    }
  }

  @Test("a database of a newer version is refused, naming both versions")
  func newer() async throws {
    try await PostgreSQLCluster().use { cluster in
      _ = try await PostgreSQLPushStore(url: cluster.url, connections: 1)
      try await cluster.query("UPDATE martlet_schema SET version = 999, oldest_user = 999")
      let error = await #expect(throws: StoreError.self) {
        _ = try await PostgreSQLPushStore(url: cluster.url)
      }
      #expect(error?.code == .newerVersion)
      #expect(error?.message.contains("schema version 999") == true)
      let newest = SchemaSteps.postgreSQL.newestVersion
      #expect(error?.message.contains("up to \(newest);") == true)
    }
  }

  @Test("a database from before the first release is refused with what to do, and left untouched")
  func older() async throws {
    try await PostgreSQLCluster().use { cluster in
      try await cluster.query(
        """
        CREATE TABLE martlet_schema (version BIGINT NOT NULL); INSERT INTO martlet_schema VALUES (9);
        CREATE TABLE devices (id TEXT); INSERT INTO devices VALUES ('d')
        """)
      func relations() async throws -> String {
        try await cluster.query(
          """
          SELECT string_agg(relname || relfilenode, ' ' ORDER BY relname) FROM pg_class
          WHERE relnamespace = 'public'::regnamespace
          """)
      }
      let before = try await relations()
      let error = await #expect(throws: StoreError.self) {
        _ = try await PostgreSQLPushStore(url: cluster.url)
      }
      #expect(error?.code == .olderVersion)
      #expect(error?.message.contains("schema version 9 ") == true)
      #expect(error?.message.contains("use an empty database") == true)
      await expect(.olderVersion) { _ = try await PostgreSQLPushStore.isCurrent(url: cluster.url) }
      #expect(try await relations() == before)
      let rows = try await cluster.query("SELECT version, id FROM martlet_schema, devices")
      #expect(rows == "9|d")
    }
  }

  @Test("an app is deleted from every table, and no other app is")
  func deletion() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url, leaseClock: .caller)
      try await AppRows.fill(store)
      try await AppRows.expectDeletion(in: store)
    }
  }
}
