import Foundation

/// Two nodes on one PostgreSQL compared with one node, with slow answers of APNs.
struct NodesBenchmark {
  private static let devices = 100_000
  private static let rounds = 3

  private let setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) { self.setup = setup }

  func run() throws -> [Row] {
    let folder = setup.folder.path(percentEncoded: false)
    let (sandbox, port) = try setup.server { port in
      [ProcessInfo.processInfo.arguments[0], "sandbox", "\(port)", folder, "50", "500"]
    }
    defer { sandbox.stop() }
    let cluster = try BenchCluster(core: setup.serverCore)
    func node(_ name: String, devices: Int) throws -> Child {
      let node = try setup.client(
        "node", "https://127.0.0.1:\(port)", folder, cluster.url, name, "\(devices)")
      guard try node.readLine() == "ready" else {
        throw Child.Failure(description: "node \(name) did not start")
      }
      return node
    }
    let first = try node("first", devices: Self.devices)
    let second = try node("second", devices: 0)
    func command(_ line: String, to node: Child) throws -> String {
      try node.writeLine(line)
      return try node.readLine()
    }
    func rate() throws -> Double {
      Double(Self.devices) / (Double(try command("send", to: first)) ?? .infinity)
    }
    _ = try command("start", to: first)
    var one: [Double] = []
    var two: [Double] = []
    // In turn, so that other load on the machine affects both.
    for _ in 0..<Self.rounds {
      one.append(try rate())
      _ = try command("start", to: second)
      two.append(try rate())
      _ = try command("stop", to: second)
    }
    _ = try first.finish()
    _ = try second.finish()
    try cluster.stop()
    return [
      .comparison(
        "two nodes on PostgreSQL, 50 ms answers, 500 streams each (peer: one)", ours: two,
        peer: one, bound: 1.6...(.infinity)
      ) { fixed($0, 0) }
    ]
  }
}
