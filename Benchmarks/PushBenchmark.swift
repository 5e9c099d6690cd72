import Foundation
import PushCrypto
import _OpenSSLCrypto

/// Pushes over one connection to nghttpd, which answers each with an empty 200: ours beside h2load.
struct PushBenchmark {
  private static let pushes = 200_000
  private static let rounds = 5

  private struct Run {
    var perSecond: Double
    var processorTime: Double
    var memory: Int
  }

  private let world: World
  private let authorization: String

  init(_ world: World) throws {
    self.world = world
    let key = try OpenSSLCrypto().privateKey(
      pem: String(contentsOfFile: world.path("push.p8"), encoding: .utf8))
    authorization =
      try "bearer "
      + ProviderToken(
        teamID: "A1B2C3D4E5", keyID: "K1L2M3N4O5", issuedAt: Int64(Date().timeIntervalSince1970),
        signedBy: key
      ).compact
    // An empty file at the path of a device: nghttpd answers a POST to it as APNs answers a push.
    let devices = world.folder.appending(path: "3/device")
    try FileManager.default.createDirectory(at: devices, withIntermediateDirectories: true)
    try world.write("", "3/device/" + SamplePush.token)
    try world.write(SamplePush.payload, "push.json")
  }

  func run() throws -> [Row] {
    let (server, port) = try world.server { port in
      [
        "nghttpd", "-a", "127.0.0.1", "-m", "1000", "-w", "30", "-W", "30", "-d",
        world.folder.path(percentEncoded: false), "\(port)", world.path("server.key"),
        world.path("server.pem"),
      ]
    }
    defer { server.stop() }
    let endpoint = "https://127.0.0.1:\(port)"
    var ours: [Run] = []
    var peer: [Run] = []
    for round in 0...Self.rounds {
      let pair = try (measureOurs(endpoint), measurePeer(endpoint))
      // The first warms caches.
      guard round > 0 else { continue }
      ours.append(pair.0)
      peer.append(pair.1)
    }
    func row(
      _ name: String, _ value: (Run) -> Double, _ bound: ClosedRange<Double>?,
      _ format: (Double) -> String
    ) -> Row {
      .comparison(
        name, ours: ours.map(value).median, peer: peer.map(value).median, bound: bound,
        format: format)
    }
    return [
      row("pushes a second (peer: h2load)", \.perSecond, 0.8...(.infinity)) { fixed($0, 0) },
      row("  CPU s per 100,000", { $0.processorTime * 1e5 / Double(Self.pushes) }, nil) {
        fixed($0, 2)
      },
      row("  peak memory", { Double($0.memory) }, nil, megabytes),
    ]
  }

  private func measureOurs(_ endpoint: String) throws -> Run {
    let (output, run) = try measure(
      world.ourselves(
        "push", endpoint, world.folder.path(percentEncoded: false),
        "\(Self.pushes)"))
    guard let seconds = Double(output.trimmingCharacters(in: .newlines)) else {
      throw Child.Failure(description: "the push client printed \(output)")
    }
    return run(Double(Self.pushes) / seconds)
  }

  private func measurePeer(_ endpoint: String) throws -> Run {
    let headers = [
      "authorization: \(authorization)", "apns-id: 5c6b2f0a-6d0e-4c57-9a39-0f5f5f4a3e11",
      "apns-topic: \(SamplePush.topic)", "apns-push-type: alert", "apns-priority: 10",
    ]
    let (output, run) = try measure(
      Child(
        ["h2load", "-n", "\(Self.pushes)", "-c1", "-m1000", "-t1", "-d", world.path("push.json")]
          + headers.flatMap { ["-H", $0] }
          + ["\(endpoint)/3/device/\(SamplePush.token)"],
        core: World.clientCore))
    guard output.contains("status codes: \(Self.pushes) 2xx"),
      let match = output.firstMatch(of: /, ([0-9.]+) req\/s/), let rate = Double(match.1)
    else { throw Child.Failure(description: "h2load printed \(output)") }
    return run(rate)
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
