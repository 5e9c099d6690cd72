import Foundation

/// Two nodes on one PostgreSQL against one, where Apple takes its time to answer.
struct NodesBenchmark {
  private static let devices = 100_000
  private static let rounds = 3

  private let world: World

  init(_ world: World) { self.world = world }

  func run() throws -> [Row] {
    let folder = world.folder.path(percentEncoded: false)
    let (sandbox, port) = try world.server { port in
      [ProcessInfo.processInfo.arguments[0], "sandbox", "\(port)", folder, "50", "500"]
    }
    defer { sandbox.stop() }
    let cluster = try Child(
      [ProcessInfo.processInfo.arguments[0], "cluster"], core: world.serverCore)
    let url = try cluster.readLine()
    func node(_ name: String, devices: Int) throws -> Child {
      let node = try world.ourselves(
        "node", "https://127.0.0.1:\(port)", folder, url, name, "\(devices)")
      guard try node.readLine() == "ready" else {
        throw Child.Failure(description: "node \(name) did not start")
      }
      return node
    }
    let first = try node("first", devices: Self.devices)
    let second = try node("second", devices: 0)
    func say(_ line: String, to node: Child) throws -> String {
      try node.tell(line)
      return try node.readLine()
    }
    func rate() throws -> Double {
      Double(Self.devices) / (Double(try say("send", to: first)) ?? .infinity)
    }
    _ = try say("work", to: first)
    var one: [Double] = []
    var two: [Double] = []
    // In turn, so that what else runs on the machine meets both.
    for _ in 0..<Self.rounds {
      one.append(try rate())
      _ = try say("work", to: second)
      two.append(try rate())
      _ = try say("rest", to: second)
    }
    _ = try first.finish()
    _ = try second.finish()
    _ = try cluster.finish()
    return [
      .comparison(
        "two nodes on PostgreSQL, 50 ms answers, 500 streams each (peer: one)", ours: two.median,
        peer: one.median, bound: 1.6...(.infinity)
      ) { fixed($0, 0) }
    ]
  }
}
