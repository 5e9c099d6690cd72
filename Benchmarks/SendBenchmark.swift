import BenchmarkSample
import Foundation

/// A send to a million devices, from acceptance to the last outcome on disk, compared with the client alone.
struct SendBenchmark {
  private static let devices = 1_000_000
  private static let rounds = 5

  private var setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) {
    self.setup = setup
    // A server has a dozen threads and the sandbox one for each processor, so all may use every processor.
    self.setup.isDivided = false
  }

  func run() throws -> [Row] {
    let (sandbox, endpoint) = try setup.sandbox()
    defer { sandbox.stop() }
    let folder = setup.folder.path(percentEncoded: false)
    let cluster = try BenchCluster()
    func server(_ database: String) throws -> Child {
      let server = try setup.client("send", endpoint, folder, "\(Self.devices)", database)
      guard try server.readLine() == "ready" else {
        throw Child.Failure(description: "the devices were not stored")
      }
      return server
    }
    let servers = (file: try server("sqlite"), database: try server(cluster.url))
    var bare: [Double] = []
    var plain: [SendReport] = []
    var personal: [SendReport] = []
    var shared: [SendReport] = []
    // In turn, so that other load on the machine affects all of them.
    for _ in 0..<Self.rounds {
      let client = try setup.pushClient(Self.devices, to: endpoint)
      let output = try client.finish().output
      let report = try PushReport(printed: output)
      bare.append(Double(Self.devices) / report.seconds)
      plain.append(try send("Title of the news", servers.file))
      personal.append(try send("Hi {{ custom.first_name | default: 'there' }}", servers.file))
      shared.append(try send("Title of the news", servers.database))
    }
    let bloat = try Self.bloat(servers.database, cluster, send)
    _ = try servers.file.finish()
    _ = try servers.database.finish()
    try cluster.stop()
    func row(_ name: String, _ reports: [SendReport], atLeast bound: Double) -> Row {
      .comparison(
        name, ours: reports.map { Double(Self.devices) / $0.seconds }, peer: bare,
        bound: bound...(.infinity)
      ) { fixed($0, 0) }
    }
    let peak = (plain + personal).map { Double($0.memoryPeak) }.max() ?? .nan
    let growth = (plain + personal).map { Double($0.memoryPeak - $0.memoryEarly) }.median
    return [
      row(
        "a send to 1,000,000 devices, SQLite, pushes a second (peer: the client)", plain,
        atLeast: 0.75),
      row("  with Liquid", personal, atLeast: 0.4),
      Row(
        name: "  peak memory", ours: megabytes(peak), bound: "under 200 MB", holds: peak < 200e6),
      Row(name: "  of it after the first tenth", ours: megabytes(growth)),
      row("  PostgreSQL", shared, atLeast: 0.6),
    ] + bloat
  }

  /// The space that the rows of ten sends left behind, which is free again, beside the space in use.
  private static func bloat(
    _ server: Child, _ cluster: BenchCluster, _ send: (String, Child) throws -> SendReport
  ) throws -> [Row] {
    for _ in Self.rounds..<10 { _ = try send("Title of the news", server) }
    _ = try cluster.value("CREATE EXTENSION pgstattuple")
    return try ["batches", "sends", "devices"].map { table in
      let words = try cluster.value(
        """
        SELECT table_len || ' ' || dead_tuple_len || ' ' || free_space FROM pgstattuple('\(table)')
        """
      ).split(separator: " ").compactMap { Double($0) }
      guard words.count == 3 else { throw Child.Failure(description: "pgstattuple said nothing") }
      return Row(
        name: "  after ten sends, \(table): dead and free of its size",
        ours: megabytes(words[1] + words[2]), peer: megabytes(words[0]),
        ratio: fixed((words[1] + words[2]) / words[0], 2))
    }
  }

  private func send(_ text: String, _ server: Child) throws -> SendReport {
    try server.writeLine(text)
    return try JSONDecoder().decode(SendReport.self, from: Data(try server.readLine().utf8))
  }
}
