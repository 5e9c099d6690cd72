import Testing
import _PostgreSQL

@Suite("The address of a PostgreSQL database")
struct AddressTests {
  @Test(
    "what an address leaves open is added, and what it sets is kept",
    arguments: [
      ("postgres://ada@db/martlet", [:]),
      ("host=db dbname=martlet user=ada", [:]),
      ("postgres://ada@db/martlet?connect_timeout=9", ["connect_timeout": "9"]),
      (
        "postgres://ada@db/martlet?target_session_attrs=any&tcp_user_timeout=1",
        ["target_session_attrs": "any", "tcp_user_timeout": "1"]
      ),
      // Nothing in a password is a parameter, or ends it.
      ("postgres://ada:connect_timeout@db/martlet", ["password": "connect_timeout"]),
      ("postgres://ada:a?b@db/martlet", ["password": "a?b"]),
      ("postgres://ada:%20'%5C%20x='@db/martlet", ["password": #" '\ x='"#]),
      ("postgres://ada@db,db2:5433/martlet", ["host": "db,db2", "port": ",5433"]),
    ] as [(String, [String: String])])
  func completed(url: String, own: [String: String]) throws {
    let added = [
      "user": "ada", "host": "db", "dbname": "martlet", "target_session_attrs": "read-write",
      "connect_timeout": "5", "tcp_user_timeout": "20000", "keepalives_idle": "10",
      "keepalives_interval": "5", "keepalives_count": "3", "fallback_application_name": "a test",
    ]
    let expected = added.merging(own) { _, own in own }
    let completed = try PostgreSQLAddress.completed(url, program: "a test")
    #expect(try PostgreSQLAddress.parameters(of: completed) == expected)
    #expect(try PostgreSQLAddress.completed(completed, program: "a test") == completed)
  }

  @Test("an address that libpq does not read is refused without being quoted")
  func invalid() {
    let error = #expect(throws: PostgreSQLError.self) {
      try PostgreSQLAddress.completed("postgres://[secret", program: "a test")
    }
    #expect(error?.message == "the address is not one that libpq reads")
  }
}
