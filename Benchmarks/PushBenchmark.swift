import BenchmarkSample
import Foundation
import PushCrypto
import _OpenSSLCrypto

/// Pushes over one connection to nghttpd, which answers each with an empty 200, compared with h2load.
struct PushBenchmark {
  private static let pushes = 200_000
  private static let rounds = 5

  private struct Run {
    var perSecond: Double
    var processorTime: Double
    var memory: Int
    var bytes = 0.0
  }

  private let setup: BenchmarkSetup
  let authorization: String

  init(_ setup: BenchmarkSetup) throws {
    self.setup = setup
    let key = try OpenSSLCrypto().privateKey(
      pem: String(contentsOfFile: setup.path("push.p8"), encoding: .utf8))
    authorization =
      try "bearer "
      + ProviderToken(
        teamID: "A1B2C3D4E5", keyID: "K1L2M3N4O5", issuedAt: Int64(Date().timeIntervalSince1970),
        signedBy: key
      ).compact
    // An empty file at the path of a device: nghttpd answers a POST to it as APNs answers a push.
    let devices = setup.folder.appending(path: "3/device")
    try FileManager.default.createDirectory(at: devices, withIntermediateDirectories: true)
    try setup.write("", "3/device/" + SamplePush.token)
    try setup.write(SamplePush.payload, "push.json")
  }

  func run() throws -> [Row] {
    let (server, port) = try server()
    defer { server.stop() }
    let endpoint = "https://127.0.0.1:\(port)"
    var ours: [Run] = []
    var peer: [Run] = []
    for round in 0...Self.rounds {
      let pair = try (measureOurs(endpoint), measurePeer(endpoint))
      // The first round warms up.
      guard round > 0 else { continue }
      ours.append(pair.0)
      peer.append(pair.1)
    }
    func row(
      _ name: String, of value: (Run) -> Double, bound: ClosedRange<Double>? = nil,
      format: (Double) -> String
    ) -> Row {
      .comparison(
        name, ours: ours.map(value), peer: peer.map(value), bound: bound,
        format: format)
    }
    let processor = { (run: Run) in run.processorTime * 1e5 / Double(Self.pushes) }
    var time = row("  CPU s per 100,000, at most 0.65", of: processor, bound: 0...1.1) {
      fixed($0, 2)
    }
    if ours.map(processor).median > 0.65 { time.holds = false }
    let cold = try (0..<Self.rounds).map { _ in
      try pushes(1000, to: endpoint).report.seconds * 1000
    }.median
    let long = try pushes(1_000_000, to: endpoint).report
    let growth = Double(long.memoryLate - long.memoryEarly)
    return [
      row("pushes a second (peer: h2load)", of: \.perSecond, bound: 0.95...(.infinity)) {
        fixed($0, 0)
      },
      time,
      row("  peak memory", of: { Double($0.memory) }, format: megabytes),
      Row(name: "  bytes a push on the wire", ours: fixed(ours.map(\.bytes).median, 0)),
      Row(
        name: "the first 1,000 pushes, from cold", ours: fixed(cold, 0) + " ms",
        bound: "under 150 ms", holds: cold < 150),
      Row(
        name: "memory after 1,000,000 pushes less after 100,000", ours: megabytes(growth),
        bound: "under 2 MB", holds: growth < 2e6),
    ]
  }

  private func pushes(
    _ count: Int, to endpoint: String
  ) throws -> (report: PushReport, run: (Double) -> Run) {
    let (output, run) = try measure(
      setup.pushClient(count, to: endpoint))
    return (try PushReport(printed: output), run)
  }

  private func measureOurs(_ endpoint: String) throws -> Run {
    let (report, run) = try pushes(Self.pushes, to: endpoint)
    var result = run(Double(Self.pushes) / report.seconds)
    result.bytes = report.bytesPerPush
    return result
  }

  /// Starts nghttpd.
  func server() throws -> (server: Child, port: UInt16) {
    try setup.server { port in
      [
        "nghttpd", "-a", "127.0.0.1", "-m", "1000", "-w", "30", "-W", "30", "-d",
        setup.folder.path(percentEncoded: false), "\(port)", setup.path("server.key"),
        setup.path("server.pem"),
      ]
    }
  }

  private func measurePeer(_ endpoint: String) throws -> Run {
    let (output, run) = try measure(
      h2load(endpoint, count: Self.pushes, connections: 1, streams: 1000))
    return run(try Self.rate(output, of: Self.pushes))
  }

  /// Runs h2load with the header and body of a push on the clients' processor.
  func h2load(_ endpoint: String, count: Int, connections: Int, streams: Int) throws -> Child {
    let headers = [
      "authorization: \(authorization)", "apns-id: 5c6b2f0a-6d0e-4c57-9a39-0f5f5f4a3e11",
      "apns-topic: \(SamplePush.topic)", "apns-push-type: alert", "apns-priority: 10",
    ]
    return try Child(
      [
        "h2load", "-n", "\(count)", "-c\(connections)", "-m\(streams)", "-t1", "-d",
        setup.path("push.json"),
      ] + headers.flatMap { ["-H", $0] } + ["\(endpoint)/3/device/\(SamplePush.token)"],
      core: setup.clientCore)
  }

  /// The requests a second that h2load reports.
  static func rate(_ output: String, of count: Int) throws -> Double {
    guard output.contains("status codes: \(count) 2xx"),
      let match = output.firstMatch(of: /, ([0-9.]+) req\/s/), let rate = Double(match.1)
    else { throw Child.Failure(description: "h2load printed \(output)") }
    return rate
  }

  private func measure(_ child: Child) throws -> (String, (Double) -> Run) {
    let memory = child.watchMemory(every: .milliseconds(5))
    let end = try child.finish()
    let peak = memory.stop()
    return (
      end.output, { Run(perSecond: $0, processorTime: end.processorTime, memory: peak) }
    )
  }
}

func megabytes(_ bytes: Double) -> String { fixed(bytes / 1e6, 1) + " MB" }
