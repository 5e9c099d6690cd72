import Foundation
import TestSupport

/// The cost of the model of iOS: a delivery in its own process, one by a child process, and a thousand payloads
/// with `martlet simulate`.
struct HostBenchmark {
  private static let payloads = 1000

  private let setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) { self.setup = setup }

  func run() throws -> [Row] { try deliveries() + simulate() }

  private func deliveries() throws -> [Row] {
    let client = try setup.client("host", setup.path("host"))
    defer { client.stop() }
    func numbers(_ count: Int) throws -> [Double] {
      let numbers = try client.readLine().split(separator: " ").compactMap { Double($0) }
      guard numbers.count == count else {
        throw Child.Failure(description: "the host printed no numbers")
      }
      return numbers
    }
    var rows: [Row] = []
    for (name, bound) in [
      ("text", 1.5), ("picture of 100 kB", 1.5), ("a wait of 28 s", 20), ("a URLSession", 1.5),
    ] {
      let own = try numbers(3)
      rows += [
        Row(
          name: "delivery in process, \(name)", ours: milliseconds(own[0]),
          bound: "under \(bound) ms", holds: own[0] < bound * 1000),
        Row(name: "  CPU", ours: milliseconds(own[1])),
        Row(name: "  peak memory over idle", ours: megabytes(own[2])),
      ]
    }
    let child = try numbers(5)
    rows += [
      .comparison(
        "delivery by a child (peer: an empty child)", ours: child[0], peer: child[1],
        bound: 0...2, format: milliseconds),
      .comparison("  CPU", ours: child[2], peer: child[3], format: milliseconds),
      Row(name: "  the child's memory over idle", ours: megabytes(child[4])),
    ]
    _ = try client.finish()
    return rows
  }

  private func simulate() throws -> [Row] {
    let folder = setup.folder.appending(path: "payloads")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(Fixtures.bytes("media/picture.png")).write(to: URL(filePath: setup.path("a.png")))
    let files = try (0..<Self.payloads).map { number in
      let file = "payloads/\(number).json"
      try setup.write(
        """
        {"aps": {"alert": {"title": "Title", "body": "Number \(number)"}, "mutable-content": 1},
          "image_url": "https://a.example/a.png"}
        """, file)
      return setup.path(file)
    }
    let martlet = URL(filePath: ProcessInfo.processInfo.arguments[0])
      .deletingLastPathComponent().appending(path: "martlet").path(percentEncoded: false)
    let start = ContinuousClock.now
    let client = try Child(
      [martlet, "simulate", "--json", "--media", "https://a.example/a.png=\(setup.path("a.png"))"]
        + files, core: setup.clientCore)
    let memory = client.watchMemory(every: .milliseconds(5))
    let end = try client.finish()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let peak = memory.stop()
    let shown = end.output.split(separator: "\n").count { $0.contains(#""outcome":"displayed""#) }
    guard shown == Self.payloads else {
      throw Child.Failure(description: "martlet simulate showed \(shown) of \(Self.payloads)")
    }
    return [
      Row(
        name: "1,000 payloads through one martlet simulate", ours: fixed(seconds, 2) + " s",
        bound: "under 10 s", holds: seconds < 10),
      Row(name: "  CPU", ours: fixed(end.processorTime, 2) + " s"),
      Row(name: "  peak memory", ours: megabytes(Double(peak))),
    ]
  }

  private func milliseconds(_ microseconds: Double) -> String {
    fixed(microseconds / 1000, microseconds < 10_000 ? 2 : 1) + " ms"
  }
}
