import Foundation

/// The wait of a push to one user, from its request to its frame at APNs, beside a send to a million devices.
struct WaitBenchmark {
  private static let devices =
    ProcessInfo.processInfo.environment["DEVICES"].flatMap { Int($0) } ?? 1_000_000
  /// As many as fit into the time of the send.
  private static let pushes = max(20, devices / 5000)
  private static let rounds = 3
  private var setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) {
    self.setup = setup
    // As in the sends.
    self.setup.isDivided = false
  }

  func run() throws -> [Row] {
    let cluster = try BenchCluster()
    let rows = try rows("SQLite", database: nil) + rows("PostgreSQL", database: cluster.url)
    try cluster.stop()
    return rows
  }

  private func rows(_ name: String, database: String?) throws -> [Row] {
    let folder = setup.folder.path(percentEncoded: false)
    let client = try setup.client("waits", folder, "50")
    let apns = "https://127.0.0.1:\(try client.readLine())"
    if database != nil || !FileManager.default.fileExists(atPath: setup.path("devices.csv")) {
      _ = try BenchServer.importing(Self.devices, setup, database: database)
    }
    let server = try BenchServer(setup, database: database, apns: apns)
    var first = 0
    func waits() throws -> LoadReport {
      try client.writeLine("\(server.port) \(server.key) \(Self.pushes) \(first)")
      first += Self.pushes
      return try JSONDecoder().decode(LoadReport.self, from: Data(try client.readLine().utf8))
    }
    _ = try waits()
    var (alone, beside): ([LoadReport], [LoadReport]) = ([], [])
    for _ in 0..<Self.rounds {
      alone.append(try waits())
      try server.start(Self.send)
      beside.append(try waits())
      guard try server.isSending() else {
        throw Child.Failure(description: "the send ended before the last push to one user")
      }
      try server.waitForSends()
    }
    _ = try server.child.finish()
    _ = try client.finish()
    let failures = (alone + beside).reduce(0) { $0 + $1.failures }
    func row(_ name: String, _ value: (LoadReport) -> Double, atMost bound: Double) -> Row {
      .comparison(name, ours: beside.map(value), peer: alone.map(value), bound: 0...bound) {
        fixed($0, 1) + " ms"
      }
    }
    return [
      row(
        "a push to one user beside a send to \(Self.devices), median, \(name) (peer: alone)",
        \.median, atMost: 1.5),
      row("  p99", \.percentile99, atMost: 3),
      Row(
        name: "  refused or not sent within a minute", ours: "\(failures)", bound: "0",
        holds: failures == 0),
    ]
  }

  private static let send =
    #"{"notification":{"to":[{"name":"os_name","criteria":["iOS"]}],"payload":{"alert":"News"}}}"#
}
