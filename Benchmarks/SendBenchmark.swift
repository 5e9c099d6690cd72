import BenchmarkSample
import Foundation

/// A send to a million devices, from acceptance to the last outcome on disk, compared with the client alone.
struct SendBenchmark {
  private static let devices = 1_000_000
  private static let rounds = 3

  private var setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) {
    self.setup = setup
    // A server has a dozen threads and the sandbox one for each processor, so all may use every processor.
    self.setup.isDivided = false
  }

  func run() throws -> [Row] {
    let (sandbox, port) = try setup.server { port in
      [
        ProcessInfo.processInfo.arguments[0], "sandbox", "\(port)",
        setup.folder.path(percentEncoded: false), "0",
      ]
    }
    defer { sandbox.stop() }
    let endpoint = "https://127.0.0.1:\(port)"
    let folder = setup.folder.path(percentEncoded: false)
    let server = try setup.client("send", endpoint, folder, "\(Self.devices)")
    guard try server.readLine() == "ready" else {
      throw Child.Failure(description: "the devices were not stored")
    }
    var bare: [Double] = []
    var plain: [SendReport] = []
    var personal: [SendReport] = []
    // In turn, so that other load on the machine affects all of them.
    for _ in 0..<Self.rounds {
      let client = try setup.pushClient(Self.devices, to: endpoint)
      let output = try client.finish().output
      let report = try PushReport(printed: output)
      bare.append(Double(Self.devices) / report.seconds)
      plain.append(try send("Title of the news", server))
      personal.append(try send("Hi {{ custom.first_name | default: 'there' }}", server))
    }
    _ = try server.finish()
    func row(_ name: String, _ reports: [SendReport], atLeast bound: Double) -> Row {
      .comparison(
        name, ours: reports.map { Double(Self.devices) / $0.seconds }.median, peer: bare.median,
        bound: bound...(.infinity)
      ) { fixed($0, 0) }
    }
    let peak = (plain + personal).map { Double($0.memoryPeak) }.max() ?? .nan
    let growth = (plain + personal).map { Double($0.memoryPeak - $0.memoryEarly) }.median
    return [
      row("a send to 1,000,000 devices, pushes a second (peer: the client)", plain, atLeast: 0.6),
      row("  with Liquid", personal, atLeast: 0.4),
      Row(
        name: "  peak memory", ours: megabytes(peak), bound: "under 200 MB", holds: peak < 200e6),
      Row(name: "  of it after the first tenth", ours: megabytes(growth)),
    ]
  }

  private func send(_ text: String, _ server: Child) throws -> SendReport {
    try server.writeLine(text)
    return try JSONDecoder().decode(SendReport.self, from: Data(try server.readLine().utf8))
  }
}
