import Foundation
import TestSupport
import Testing
import _PostgreSQL
import _TLS

@Suite(
  "A connection to PostgreSQL by TLS", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct TLSTests {
  let directory = TemporaryFolder()

  @Test("verify-full accepts the right authority and host name only")
  func verification() async throws {
    let (authority, other) = (try CertificateAuthority(), try CertificateAuthority())
    let leaf = try authority.issue(hosts: ["localhost"])
    let trusted = try directory.write(authority.certificatePEM, to: "ca.pem")
    let untrusted = try directory.write(other.certificatePEM, to: "other.pem")
    let cluster = try await PostgreSQLCluster(
      certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
    try await cluster.use { cluster in
      func verified(_ host: String, by file: String) -> String {
        cluster.url(host: host, "sslmode=verify-full&sslrootcert=\(file)")
      }
      let connection = try PostgreSQLConnection(url: verified("localhost", by: trusted))
      let encrypted = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
      #expect(try connection.rows(encrypted) { $0.bool(0) } == [true])

      for url in [
        verified("localhost", by: untrusted), verified("127.0.0.1", by: trusted),
        verified("localhost", by: directory.path("missing.pem")),
      ] {
        let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(url: url) }
        #expect(error?.code == .connectionFailure)
        #expect(error?.message.contains("certificate is not trusted") == true, "\(error as Any)")
      }
      // Without TLS the server refuses the connection.
      #expect(throws: PostgreSQLError.self) {
        try PostgreSQLConnection(url: cluster.url(host: "localhost", "sslmode=disable"))
      }
    }
  }
}
