import APNsSandbox
import BenchmarkSample
import Foundation

/// Slow answers, a client in Python, and the sandbox as a server.
struct SandboxBenchmark {
  private static let rounds = 5

  private var setup: BenchmarkSetup
  private let authorization: String

  init(_ setup: BenchmarkSetup) throws {
    self.setup = setup
    authorization = try PushBenchmark(setup).authorization
  }

  func run() throws -> [Row] {
    var spread = self
    // The sandbox has a thread for each processor, so these processes, the peers included, may use all.
    spread.setup.isDivided = false
    return try spread.delays() + aioapns() + spread.load()
  }

  /// Measures our client and h2load in turn with a sandbox that answers after 50 ms.
  private func delays() throws -> [Row] {
    let (server, endpoint) = try sandbox(milliseconds: 50)
    defer { server.stop() }
    var rows: [Row] = []
    var rates: [Double] = []
    for connections in [1, 4] {
      // Our client opens connections one after the other, which takes half a second, so the run is long.
      let count = connections == 1 ? 60_000 : 240_000 * connections
      var ours: [Double] = []
      var peer: [Double] = []
      var memory: [Double] = []
      for _ in 0..<Self.rounds {
        let (report, peak) = try pushes(count, to: endpoint, connections)
        ours.append(Double(count) / report.seconds)
        memory.append(Double(peak - report.memoryIdle))
        peer.append(try h2load(count, to: endpoint, connections, streams: 1000))
      }
      rates.append(ours.median)
      rows.append(
        .comparison(
          "50 ms answers, \(connections) × 1,000 streams (peer: h2load)", ours: ours,
          peer: peer, bound: 0.97...(.infinity)
        ) { fixed($0, 0) })
      guard connections > 1 else { continue }
      rows.append(
        .comparison(
          "  4 connections (peer: one)", ours: rates[1], peer: rates[0], bound: 3.8...(.infinity)
        ) { fixed($0, 0) })
      rows.append(
        Row(
          name: "  peak memory over idle", ours: megabytes(memory.median), bound: "under 16 MB",
          holds: memory.median < 16e6))
    }
    return rows
  }

  private func aioapns() throws -> [Row] {
    let (server, endpoint) = try sandbox(milliseconds: 0)
    defer { server.stop() }
    var ours: [Double] = []
    var peer: [Double] = []
    for _ in 0..<Self.rounds {
      ours.append(100_000 / (try pushes(100_000, to: endpoint, 1).report.seconds))
      let output = try Child(
        [".build/python/bin/python", "Benchmarks/aioapns_client.py", endpoint]
          + [setup.folder.path(percentEncoded: false), SamplePush.token, SamplePush.topic, "3000"],
        core: setup.clientCore
      ).finish().output
      guard let seconds = Double(output.trimmingCharacters(in: .newlines)) else {
        throw Child.Failure(description: "aioapns printed \(output)")
      }
      peer.append(3000 / seconds)
    }
    return [
      .comparison(
        "pushes a second to the sandbox (peer: aioapns)", ours: ours, peer: peer,
        bound: 25...(.infinity)
      ) { fixed($0, 0) }
    ]
  }

  /// Measures the sandbox and nghttpd, both under h2load.
  private func load() throws -> [Row] {
    let (sandbox, ours) = try sandbox(milliseconds: 0)
    defer { sandbox.stop() }
    let (nghttpd, port) = try PushBenchmark(setup).server()
    defer { nghttpd.stop() }
    var rates: (ours: [Double], peer: [Double]) = ([], [])
    for _ in 0..<Self.rounds {
      rates.ours.append(try h2load(100_000, to: ours, 4, streams: 100))
      rates.peer.append(try h2load(100_000, to: "https://127.0.0.1:\(port)", 4, streams: 100))
    }
    return [
      .comparison(
        "the sandbox under h2load -c4 -m100 (peer: nghttpd)", ours: rates.ours,
        peer: rates.peer, bound: 0.7...(.infinity)
      ) { fixed($0, 0) }
    ]
  }

  private func sandbox(milliseconds: Int) throws -> (Child, String) {
    let (child, port) = try setup.server { port in
      [
        ProcessInfo.processInfo.arguments[0], "sandbox", "\(port)",
        setup.folder.path(percentEncoded: false), "\(milliseconds)",
      ]
    }
    return (child, "https://127.0.0.1:\(port)")
  }

  private func pushes(
    _ count: Int, to endpoint: String, _ connections: Int
  ) throws -> (report: PushReport, peak: Int) {
    let child = try setup.pushClient(count, to: endpoint, connections: connections)
    let memory = child.watchMemory(every: .milliseconds(5))
    let output = try child.finish().output
    return (try PushReport(printed: output), memory.stop())
  }

  private func h2load(
    _ count: Int, to endpoint: String, _ connections: Int, streams: Int
  ) throws -> Double {
    let output = try PushBenchmark(setup).h2load(
      endpoint, count: count, connections: connections, streams: streams
    ).finish().output
    return try PushBenchmark.rate(output, of: count)
  }
}

/// The process `sandbox PORT FOLDER MILLISECONDS`: a sandbox without a journal.
func sandboxServer(_ arguments: [String]) async throws {
  guard arguments.count >= 3, let port = UInt16(arguments[0]), let delay = Int(arguments[2])
  else { return }
  let read = { (name: String) in
    try String(contentsOfFile: arguments[1] + "/" + name, encoding: .utf8)
  }
  var configuration = VirtualAPNs.Configuration(
    certificatePEM: try read("server.pem"), keyPEM: try read("server.key"))
  configuration.port = port
  configuration.latency = .fixed(.milliseconds(delay))
  if arguments.count > 3, let streams = Int(arguments[3]) { configuration.maxStreams = streams }
  let sandbox = try VirtualAPNs(configuration: configuration)
  _ = try await sandbox.start()
  // Until the process is terminated.
  try await Task.sleep(for: .seconds(3600))
}
