import TestSupport
import Testing

@testable import _PostgreSQL

@Suite("Why no connection was made", .timeLimit(.minutes(10)))
struct ConnectionProblemTests {
  @Test(
    "a text of libpq is told as a reason, without what it quotes",
    arguments: [
      (#"connection to server at "db", port 5433 failed: Connection refused"#, "no server listens"),
      (#"could not translate host name "hunter2@db" to address"#, "the host name is unknown"),
      (
        #"connection to server at "db" (192.0.2.1), port 5432 failed: timeout expired"#,
        "does not answer"
      ),
      (#"FATAL:  password authentication failed for user "hunter2""#, "the password is wrong"),
      (#"fe_sendauth: no password supplied"#, "asks for a password"),
      (#"FATAL:  role "hunter2" does not exist"#, "no such user"),
      (#"FATAL:  database "hunter2@db/martlet" does not exist"#, "no such database"),
      (#"FATAL:  no pg_hba.conf entry for host "192.0.2.7""#, "pg_hba.conf"),
      ("session is read-only", "takes no writes"),
      ("FATAL:  sorry, too many clients already", "no connection left"),
      ("FATAL:  the database system is starting up", "is starting"),
      ("SSL error: certificate verify failed", "is not trusted"),
      ("server does not support SSL, but SSL was required", "turn on its ssl"),
      (#"invalid integer value "hunter2" for connection option "port""#, "check the address"),
      ("", "check the address"),
    ])
  func told(text: String, part: String) {
    let sentence = ConnectionProblem.sentence(for: text)
    #expect(sentence.contains(part) && !sentence.contains("hunter2"), "\(sentence)")
  }

  @Test("several hosts have their reasons, each once")
  func several() {
    let sentence = ConnectionProblem.sentence(
      for: "a failed: Connection refused\nb failed: Connection refused\nc failed: timeout expired")
    #expect(sentence.split(separator: "; ").count == 2)
  }

  @Test(
    "a server says which part of the address is wrong",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func real() async throws {
    try await PostgreSQLCluster().use { cluster in
      let table = [
        (cluster.url + "&port=5499", "no socket"),
        (cluster.url(database: "none"), "no such database"),
        (cluster.url.replacing("postgres@", with: "nobody@"), "no such user"),
        (cluster.url + "&sslmode=disable&host=127.0.0.1&port=9", "no server listens"),
      ]
      for (url, part) in table {
        let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(url: url) }
        #expect(error?.message.contains(part) == true, "\(String(describing: error))")
      }
    }
  }
}
