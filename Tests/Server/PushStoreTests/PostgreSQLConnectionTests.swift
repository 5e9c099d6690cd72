import PushModel
import PushStore
import TestSupport
import Testing
import _TLS

/// A store that reaches its server by TLS or through a pooler.
@Suite(
  "The PostgreSQL store over TLS and through poolers", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLConnectionTests {
  let directory = TemporaryFolder()

  @Test("a send is accepted, announced and delivered over TLS with verify-full")
  func encrypted() async throws {
    let authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: ["localhost"])
    let file = try directory.write(authority.certificatePEM, to: "ca.pem")
    let cluster = try await PostgreSQLCluster(
      certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
    try await cluster.use { cluster in
      let url = cluster.url(host: "localhost", "sslmode=verify-full&sslrootcert=\(file)")
      try await expectSend(through: url)
      await expect(.unavailable) {
        _ = try await PostgreSQLPushStore(url: cluster.url(host: "localhost", "sslmode=disable"))
      }
    }
  }

  @Test(
    "a store works through a pooler that pools by session",
    .enabled(if: PgBouncer.isInstalled, "pgbouncer is not installed"))
  func sessionPooler() async throws {
    try await PostgreSQLCluster().use { cluster in
      try await PgBouncer(inFrontOf: cluster, mode: "session").use { pooler in
        try await expectSend(through: pooler.url)
      }
    }
  }

  @Test(
    "a pooler that pools by transaction is refused before anything is written",
    .enabled(if: PgBouncer.isInstalled, "pgbouncer is not installed"))
  func transactionPooler() async throws {
    try await PostgreSQLCluster().use { cluster in
      try await PgBouncer(inFrontOf: cluster, mode: "transaction").use { pooler in
        let error = await #expect(throws: StoreError.self) {
          try await PostgreSQLPushStore(url: pooler.url)
        }
        #expect(error?.code == .cannotOpen)
        #expect(error?.message.contains("pool_mode = session") == true, "\(error as Any)")
        await #expect(throws: StoreError.self) {
          try await PostgreSQLPushStore.isCurrent(url: pooler.url)
        }
        let untouched = try await cluster.query("SELECT to_regclass('martlet_schema') IS NULL")
        #expect(untouched == "t")
      }
    }
  }

  private func expectSend(through url: String) async throws {
    let store = try await PostgreSQLPushStore(url: url, connections: 4)
    let announcements = try #require(store.announcements())
    let fixture = try await StoreFixture(store, "pooled")
    try await fixture.register(10)
    try await fixture.accept("s")
    // The first element is the listener's own, once it listens; the next one is the notification.
    var iterator = announcements.makeAsyncIterator()
    _ = await iterator.next()
    try await fixture.accept("t")
    _ = await iterator.next()
    try await fixture.drain(at: Sample.now)
    for id in ["s", "t"] { #expect(try await fixture.send(id).state == .complete) }
  }
}
