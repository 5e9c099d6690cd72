import Foundation

/// The server behind its HTTP API, with a million devices in SQLite; its clients run on the same processors.
struct ServerBenchmark {
  private static let devices = 1_000_000
  private static let registrations = 5000
  private let setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) { self.setup = setup }

  func run() throws -> [Row] {
    var rows: [Row] = []
    func add(_ row: Row) {
      // The group takes minutes, so each row is printed when it is known.
      FileHandle.standardError.write(Data((Row.table([row]) + "\n").utf8))
      rows.append(row)
    }
    let imported = try BenchServer.importing(Self.devices, setup)
    add(
      Row(
        name: "import of 1,000,000 rows (\(megabytes(Double(imported.memory))) at most)",
        ours: fixed(imported.seconds, 1) + " s", bound: "under 60 s", holds: imported.seconds < 60))
    let server = try BenchServer(setup, .tagged)
    add(
      Row(
        name: "  1,000,000 devices from the store to the index", ours: fixed(server.ready, 1) + " s"
      ))
    add(Row(name: "  memory with them", ours: megabytes(Double(server.child.anonymousMemory))))
    add(
      try server.count("count of three filters, 1,000,000 devices, p99", under: 5, perSecond: 100))
    let posts = try server.load("post", clients: 16, count: 10_000, rate: 500)
    add(posts.latency("POST /notifications at 500 a second, durable, p99", under: 10))
    add(Row(name: "  median", ours: fixed(posts.median, 2) + " ms"))
    let upserts = try server.load("upsert", clients: 64, count: 100_000)
    let rate = 100_000 / upserts.seconds
    add(
      Row(
        name: "device upserts a second, durable, 64 clients", ours: fixed(rate, 0),
        bound: "at least 10000", holds: rate >= 10_000 && upserts.failures == 0))
    add(Row(name: "  p99", ours: fixed(upserts.percentile99, 2) + " ms"))
    try server.registrations(Self.registrations, clients: 64, upserts: rate).forEach(add)
    _ = try server.child.finish()
    return rows
  }
}

/// Counts in an index of ten million devices that are generated and not stored.
struct IndexBenchmark {
  private static let devices = 10_000_000
  private let setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) { self.setup = setup }

  func run() throws -> [Row] {
    let server = try BenchServer(setup, .generated(Self.devices))
    var rows = [
      try server.count("count of three filters, 10,000,000 devices, p99", under: 50, perSecond: 20),
      Row(name: "  made up and indexed", ours: fixed(server.ready, 1) + " s"),
      Row(name: "  memory with them", ours: megabytes(Double(server.child.anonymousMemory))),
    ]
    let manifest = setup.path("snapshots-generated/\(server.app)/manifest")
    while !FileManager.default.fileExists(atPath: manifest) { usleep(50_000) }
    _ = try server.child.finish()
    let again = try BenchServer(setup, .generated(Self.devices))
    rows.append(DatabaseBenchmark.restart("  ready after a restart", again.ready, 5))
    rows.append(
      Row(name: "  memory after it", ours: megabytes(Double(again.child.anonymousMemory))))
    rows.append(try again.count("  count after it, p99", under: 50, perSecond: 20))
    _ = try again.child.finish()
    return rows
  }
}
