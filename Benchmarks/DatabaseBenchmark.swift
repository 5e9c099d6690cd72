import Foundation

/// PostgreSQL beside SQLite, on one disk, each behind the server's API and with a million devices.
struct DatabaseBenchmark {
  private static let devices = 1_000_000
  private static let rounds = 5
  private static let requests = 40_000
  private let setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) { self.setup = setup }

  func run() throws -> [Row] {
    let cluster = try BenchCluster()
    var rows: [Row] = []
    func add(_ more: [Row]) {
      // The group takes minutes, so rows are printed when they are known.
      FileHandle.standardError.write(Data((Row.table(more) + "\n").utf8))
      rows += more
    }
    add([
      Row(
        name: "bare transactions a second, PostgreSQL, 64 clients (pgbench)",
        ours: fixed(try cluster.bareTransactions(), 0))
    ])
    let file = try BenchServer.importing(Self.devices, setup)
    let database = try BenchServer.importing(Self.devices, setup, database: cluster.url)
    add(Self.imports(database, file))
    let servers = (
      database: try BenchServer(setup, database: cluster.url), file: try BenchServer(setup)
    )
    add([
      Self.restart("ready after a restart, 1,000,000 devices, SQLite", servers.file.ready, 1)
    ])
    let before = try cluster.nextMultixact()
    add(try upserts(servers.database, servers.file))
    add(try receipts(servers.database, servers.file))
    add([
      Row(
        name: "  multixacts of these requests", ours: "\(try cluster.nextMultixact() - before)",
        bound: "0", holds: try cluster.nextMultixact() == before)
    ])
    add(try reads(servers.database, "PostgreSQL"))
    add(try reads(servers.file, "SQLite"))
    _ = try servers.file.child.finish()
    add(try nodes(servers.database, cluster))
    _ = try servers.database.child.finish()
    try cluster.stop()
    return rows
  }

  static func restart(_ name: String, _ seconds: Double, _ bound: Double) -> Row {
    Row(
      name: name, ours: fixed(seconds, 2) + " s", bound: "under \(fixed(bound, 0)) s",
      holds: seconds < bound)
  }

  private static func imports(_ database: ImportReport, _ file: ImportReport) -> [Row] {
    var row = Row.comparison(
      "import of 1,000,000 rows, PostgreSQL (peer: SQLite)", ours: database.seconds,
      peer: file.seconds
    ) { fixed($0, 1) + " s" }
    (row.bound, row.holds) = ("under 30 s", database.seconds < 30)
    return [
      row, database.counts.latency("  counts that follow at once, p99, PostgreSQL", under: 50),
      file.counts.latency("  counts that follow at once, p99, SQLite", under: 50),
    ]
  }

  private func upserts(_ database: BenchServer, _ file: BenchServer) throws -> [Row] {
    var reports: (database: [LoadReport], file: [LoadReport]) = ([], [])
    // In turn, so that other load on the machine affects both.
    for round in 0..<Self.rounds {
      func load(_ server: BenchServer) throws -> LoadReport {
        try server.load(
          "upsert", clients: 64, count: Self.requests, subject: "\(round * Self.requests)")
      }
      reports.file.append(try load(file))
      reports.database.append(try load(database))
    }
    let rates = reports.database.rates(of: Self.requests)
    var row = Row.comparison(
      "device upserts a second, PostgreSQL, 64 clients (peer: SQLite)", ours: rates,
      peer: reports.file.rates(of: Self.requests), bound: 0.8...(.infinity)
    ) { fixed($0, 0) }
    row.bound += ", 8000"
    row.holds = row.holds == true && rates.median >= 8000
    let latency = reports.database.map(\.percentile99).median
    return [
      row,
      Row(
        name: "  p99", ours: fixed(latency, 2) + " ms", bound: "under 25 ms", holds: latency < 25),
    ]
  }

  private func receipts(_ database: BenchServer, _ file: BenchServer) throws -> [Row] {
    var reports: (database: [LoadReport], file: [LoadReport]) = ([], [])
    for _ in 0..<Self.rounds {
      func load(_ server: BenchServer) throws -> LoadReport {
        try server.load(
          "receipts", clients: 64, count: Self.requests, subject: try server.sendToEveryone())
      }
      reports.file.append(try load(file))
      reports.database.append(try load(database))
    }
    return [
      Self.receipts("PostgreSQL", reports.database, atLeast: 10_000),
      Self.receipts("SQLite", reports.file, atLeast: 15_000),
    ]
  }

  private static func receipts(
    _ database: String, _ reports: [LoadReport], atLeast bound: Double
  ) -> Row {
    let rate = reports.rates(of: 2 * requests).median
    return Row(
      name: "receipts a second, two in each request, \(database)", ours: fixed(rate, 0),
      bound: "at least \(fixed(bound, 0))", holds: rate >= bound)
  }

  /// The slowest of the paths that people and programs read.
  private func reads(_ server: BenchServer, _ database: String) throws -> [Row] {
    let send = try server.sendToEveryone()
    let audience = try server.makeAudience()
    let paths = [
      "notifications", "notifications/\(send)", "notifications/\(send)/outcomes",
      "notifications/\(send)/outcomes/load-7", "notifications/\(send)/report",
      "stats/notifications/\(send)/events", "stats/notifications/\(send)/hours", "stats/opens",
      "stats/installs", "stats/sessions", "stats/active_users", "stats/total_installs", "audiences",
      "audiences/\(audience)", "audiences/\(audience)/devices", "devices/load-7",
      "devices/uninstalled", "devices/load-7/messages", "messages", "webhooks",
      "apps/\(server.app)/keys", "openapi.json",
    ]
    var worst = (path: "", time: 0.0)
    for path in paths {
      let report = try server.load(
        "get", clients: 4, count: 200, rate: 50, subject: "/v6/\(path)")
      guard report.failures == 0 else {
        throw Child.Failure(description: "GET /v6/\(path) was refused \(report.failures) times")
      }
      if report.percentile99 > worst.time { worst = (path, report.percentile99) }
    }
    let name = worst.path.replacing(send, with: "ID").replacing(audience, with: "ID")
    return [
      Row(
        name: "slowest GET of \(paths.count), p99, \(database): \(name)",
        ours: fixed(worst.time, 2) + " ms", bound: "under 20 ms", holds: worst.time < 20)
    ]
  }

  /// Two nodes beside one of them: first on the processors that they share with the database and the clients, then
  /// each with a quarter of a processor of its own.
  private func nodes(_ first: BenchServer, _ cluster: BenchCluster) throws -> [Row] {
    let second = try BenchServer(setup, database: cluster.url)
    var next = Self.rounds * Self.requests
    func compared(_ name: String, _ count: Int, bound: ClosedRange<Double>? = nil) throws -> Row {
      var rates: (one: [Double], two: [Double]) = ([], [])
      func rate(_ servers: [BenchServer]) throws -> Double {
        let loads = try servers.map { server in
          defer { next += count / servers.count }
          return try server.loading(
            "upsert", clients: 64 / servers.count, count: count / servers.count, subject: "\(next)")
        }
        return Double(count) / (try loads.map { try $0.report().seconds }.max() ?? .infinity)
      }
      for _ in 0..<Self.rounds {
        rates.one.append(try rate([first]))
        rates.two.append(try rate([first, second]))
      }
      return .comparison(name, ours: rates.two, peer: rates.one, bound: bound) {
        fixed($0, 0)
      }
    }
    let shared = try compared(
      "device upserts a second, two nodes on PostgreSQL (peer: one)", Self.requests)
    let shares = try [first, second].map { try ProcessorShare(0.25, for: $0.child.processID) }
    let own = try withExtendedLifetime(shares) {
      try compared(
        "  with a quarter of a processor each", Self.requests / 2, bound: 1.3...(.infinity))
    }
    _ = try second.child.finish()
    return [shared, own]
  }
}

extension [LoadReport] {
  /// The rates of loads with as many items each; 0 for all of them where a request failed.
  fileprivate func rates(of items: Int) -> [Double] {
    let hasFailed = contains { $0.failures > 0 }
    return map { hasFailed ? 0 : Double(items) / $0.seconds }
  }
}
