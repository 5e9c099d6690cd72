import TestSupport
import Testing
import _PostgreSQL
import _TLS

@testable import PushModel
@testable import PushStore

@Suite(
  "Nodes of two versions on one PostgreSQL store", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLNodesTests {
  private static let added = SchemaSteps(
    SchemaSteps.postgreSQL.steps + [
      .init(
        """
        ALTER TABLE devices ADD COLUMN note TEXT;
        ALTER TABLE sends ADD COLUMN note TEXT NOT NULL DEFAULT '';
        ALTER TABLE batches ADD COLUMN note TEXT;
        CREATE INDEX added ON sends(app, note);
        """)
    ])
  private static let breaking = SchemaSteps(
    SchemaSteps.postgreSQL.steps + [
      .init("ALTER TABLE sends RENAME COLUMN name TO title", isBreaking: true)
    ])

  @Test("an older node goes on with a newer schema that it can use, and starts again beside it")
  func together() async throws {
    try await PostgreSQLCluster().use { cluster in
      let old = try await PostgreSQLPushStore(
        url: cluster.url, connections: 2, leaseClock: .caller)
      let app = try await StoreFixture(old, "app")
      try await app.register(3)
      // The statements of before are prepared on the older node's connections.
      try await app.accept("before")
      try await app.drain()

      let new = try await PostgreSQLPushStore(
        url: cluster.url, connections: 2, leaseClock: .caller, steps: Self.added)
      let recorded = try await cluster.query("SELECT * FROM martlet_schema")
      let newest = SchemaSteps.postgreSQL.newestVersion
      #expect(recorded == "\(newest + 1)|\(SchemaSteps.firstVersion)")

      // Each accepts a send, and the other delivers it.
      let again = try await PostgreSQLPushStore(
        url: cluster.url, connections: 2, leaseClock: .caller)
      for (name, giver, taker) in [("1", old, new), ("2", new, old), ("3", again, new)] {
        try await StoreFixture(existing: giver, "app").accept(name)
        try await StoreFixture(existing: taker, "app").drain()
        for store in [old, new, again] {
          let send = try await store.send(name, app: "app")
          #expect(send?.state == .complete)
          #expect(send?.counts.sent == 3)
        }
      }
      #expect(try await PostgreSQLPushStore.isCurrent(url: cluster.url))
    }
  }

  @Test(
    "a breaking step is refused while an older node runs, which goes on, and is applied afterwards")
  func refused() async throws {
    try await PostgreSQLCluster().use { cluster in
      do {
        let old = try await PostgreSQLPushStore(
          url: cluster.url, connections: 2, leaseClock: .caller)
        let app = try await StoreFixture(old, "app")
        try await app.register(2)
        let error = await #expect(throws: StoreError.self) {
          _ = try await PostgreSQLPushStore(url: cluster.url, steps: Self.breaking)
        }
        #expect(error?.code == .nodesRunning)
        let message = error?.message ?? ""
        let processes = try await cluster.query(
          """
          SELECT string_agg(pid::TEXT, ', ' ORDER BY pid) FROM pg_locks
          WHERE locktype = 'advisory' AND granted
          """)
        let word = processes.contains(",") ? "processes" : "process"
        #expect(
          message.contains(
            "these use it: \(PostgreSQLClient.ownName) from the database's machine (PostgreSQL's"
              + " \(word) \(processes)). Stop"), "\(message)")
        #expect(message.contains("\"Upgrade several nodes\""), "\(message)")
        #expect(try await PostgreSQLPushStore.isCurrent(url: cluster.url))
        try await app.accept("s")
        try await app.drain()
        #expect(try await app.send("s").state == .complete)
      }
      let new = try await openedOnceNodesEnded(cluster)
      #expect(try await new.device("app-0", app: "app") != nil)
      await expect(.newerVersion) { _ = try await PostgreSQLPushStore(url: cluster.url) }
      await expect(.newerVersion) { _ = try await PostgreSQLPushStore.isCurrent(url: cluster.url) }
    }
  }

  @Test("a client is named by its own name and its address, as far as the role may see them")
  func names() async throws {
    let authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: ["localhost"])
    let cluster = try await PostgreSQLCluster(
      certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
    try await cluster.use { cluster in
      let named = try PostgreSQLConnection(
        url: cluster.url(host: "localhost", "application_name=report"))
      try named.execute("CREATE ROLE other LOGIN")
      let other = try PostgreSQLConnection(
        url: cluster.url(host: "localhost", "sslmode=require").replacing(
          "postgres@", with: "other@"))
      func list(
        _ listed: PostgreSQLConnection, seenBy db: PostgreSQLConnection
      ) throws -> [PostgreSQLClient] {
        let process = try listed.rows("SELECT pg_backend_pid()") { $0.integer(0) }
        let clients = try PostgreSQLClient.list(
          "SELECT $1::INT", process.map { .integer($0) }, on: db)
        #expect(clients.map(\.processes) == process.map { "process \($0)" })
        return clients
      }
      let report = try list(named, seenBy: named).first
      #expect(report?.name == "report")
      #expect(["127.0.0.1", "::1"].contains(report?.place))
      #expect(try list(other, seenBy: named).first?.name == "client backend")
      let hidden = try list(named, seenBy: other).first
      #expect(hidden?.name == "report")
      #expect(hidden?.place == "a machine that this role may not see")
      try named.execute("SET application_name = ''")
      #expect(try list(named, seenBy: other).first?.name == "a client of role postgres")
    }
  }

  /// The server notices the end of a connection a little later.
  private func openedOnceNodesEnded(
    _ cluster: PostgreSQLCluster
  ) async throws -> PostgreSQLPushStore {
    while true {
      do throws(StoreError) {
        return try await PostgreSQLPushStore(url: cluster.url, steps: Self.breaking)
      } catch {
        guard error.code == .nodesRunning else { throw error }
      }
    }
  }

  @Test(
    "an older node that lost its connections is refused at once after a breaking step",
    arguments: [true, false])
  func lost(itsProbe: Bool) async throws {
    try await PostgreSQLCluster().use { cluster in
      // Without an outage nothing waits as long as the patience, which is longer than the test's limit.
      let old = try await PostgreSQLPushStore(
        url: cluster.url, connections: 2, leaseClock: .caller, patience: .seconds(3600))
      let app = try await StoreFixture(old, "app")
      try await app.register(1)
      try await old.probe()
      if itsProbe {
        try await cluster.stop("immediate")
        try await cluster.start()
        // The probe does not repeat what its broken connection failed in.
        await expect(.unavailable) { try await old.probe() }
      } else {
        // The connection of the probe goes on.
        try await cluster.query(
          """
          SELECT pg_terminate_backend(pid, 60000) FROM pg_locks
          WHERE locktype = 'advisory' AND granted
          """)
      }
      let new = try await PostgreSQLPushStore(url: cluster.url, steps: Self.breaking)
      let version = SchemaSteps.postgreSQL.newestVersion + 1
      let calls: [() async throws -> Void] = [
        { _ = try await old.apps() }, { _ = try await app.update("app-1") },
        { try await old.probe() },
      ]
      for call in calls {
        // A caller is answered 503, and pushes wait for newer nodes.
        let error = await #expect(throws: StoreError.self) { try await call() }
        #expect(error?.code == .schemaChanged && error?.isTransient == true)
        let message = error?.message ?? ""
        #expect(message.contains("schema version \(version)"), "\(message)")
        #expect(message.contains("run the newer martlet"), "\(message)")
      }
      #expect(try await new.deviceCount(app: "app") == 1)
    }
  }
}
