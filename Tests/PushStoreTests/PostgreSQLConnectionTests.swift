import PushStore
import TestSupport
import Testing
import _TLS

/// A store's way to its server: by TLS, and past a pooler.
@Suite(
  "The PostgreSQL store's way to its server", .serialized, .timeLimit(.minutes(1)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLConnectionTests {
  let directory = TemporaryFolder()

  @Test("by TLS with verify-full a send is made, heard of and delivered")
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
    "a pooler that pools by session is no other server",
    .enabled(if: PgBouncer.isInstalled, "pgbouncer is not installed"))
  func sessionPooler() async throws {
    try await PostgreSQLCluster().use { cluster in
      try await PgBouncer(before: cluster, mode: "session").use { pooler in
        try await expectSend(through: pooler.url)
      }
    }
  }

  @Test(
    "a pooler that pools by transaction is refused before anything is written",
    .enabled(if: PgBouncer.isInstalled, "pgbouncer is not installed"))
  func transactionPooler() async throws {
    try await PostgreSQLCluster().use { cluster in
      try await PgBouncer(before: cluster, mode: "transaction").use { pooler in
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
    let hints = try #require(store.announcements())
    let fixture = try await StoreFixture(store, "way")
    try await fixture.register(10)
    try await fixture.accept("s")
    // The first is the listener's own, once it listens; what comes then was notified.
    var heard = hints.makeAsyncIterator()
    _ = await heard.next()
    try await fixture.accept("t")
    _ = await heard.next()
    try await fixture.drain(at: Sample.now)
    for id in ["s", "t"] { #expect(try await fixture.send(id).state == .complete) }
  }
}
