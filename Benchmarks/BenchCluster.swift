import Foundation
import TestSupport

/// A PostgreSQL server with the settings that it has when it is installed, in a process of its own.
struct BenchCluster {
  let url: String
  private let child: Child

  init(core: Int? = nil) throws {
    child = try Child([ProcessInfo.processInfo.arguments[0], "cluster"], core: core)
    url = try child.readLine()
  }

  func stop() throws { _ = try child.finish() }

  /// Runs a statement, and returns the one value that it has.
  func value(_ sql: String) throws -> String {
    try child.writeLine(sql)
    return try child.readLine()
  }

  /// The number of the multixact that is made next.
  func nextMultixact() throws -> Int {
    _ = try value("CHECKPOINT")
    return Int(try value("SELECT next_multixact_id FROM pg_control_checkpoint()")) ?? 0
  }

  /// How many transactions with one new row are committed in a second, which is what the disk allows.
  func bareTransactions() throws -> Double {
    _ = try value("CREATE TABLE floor (number BIGINT)")
    let script = FileManager.default.temporaryDirectory.appending(path: "floor-\(getpid()).sql")
    try "INSERT INTO floor VALUES (:client_id);\n".write(
      to: script, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: script) }
    let program = "$(ls -d /usr/lib/postgresql/*/bin/pgbench | sort -V | tail -n 1)"
    let output = try Child([
      "bash", "-c", program + #" -n -f "$1" -c 64 -j 1 -T 5 "$2" 2>&1"#, "bash", script.path, url,
    ]).finish().output
    _ = try value("DROP TABLE floor")
    guard let rate = output.firstMatch(of: /tps = ([0-9.]+)/).flatMap({ Double($0.1) }) else {
      throw Child.Failure(description: "pgbench printed no rate: \(output.suffix(200))")
    }
    return rate
  }
}

/// The process `cluster`: a PostgreSQL server that prints its URL, and then the value of each statement on its standard
/// input, until that ends.
func clusterServer() async throws {
  try await PostgreSQLCluster(syncs: true).use { cluster in
    print(cluster.url)
    fflush(nil)
    while let sql = readLine() {
      print(try await cluster.query(sql))
      fflush(nil)
    }
  }
}
