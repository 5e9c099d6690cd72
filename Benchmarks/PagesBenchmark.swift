import Foundation

/// The time in which the service extension prepares the pages of a carousel, compared with curl's for the downloads.
struct PagesBenchmark {
  private static let pages = 5
  private static let bytes = 500_000
  private static let rounds = 30
  private static let memoryRounds = 10

  private struct Run {
    var seconds: Double
    var processorTime: Double
  }

  private let setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) throws {
    self.setup = setup
    // The head of a PNG of 960 × 640 pixels.
    let head: [UInt8] =
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 3, 0xc0, 0, 0, 2, 0x80, 8, 2, 0, 0, 0]
    var generator = SystemRandomNumberGenerator()
    for page in 1...Self.pages {
      var bytes = (0..<Self.bytes).map { _ in UInt8.random(in: 0...255, using: &generator) }
      bytes.replaceSubrange(0..<head.count, with: head)
      try Data(bytes).write(to: URL(filePath: setup.path("page\(page)")))
    }
  }

  func run() throws -> [Row] {
    let folder = setup.folder.path(percentEncoded: false)
    let server = try Child(
      [ProcessInfo.processInfo.arguments[0], "file-server", folder], core: setup.serverCore)
    defer { server.stop() }
    let port = try server.readLine()
    let urls = (1...Self.pages).map { "https://127.0.0.1:\(port)/page\($0)" }
    let client = try setup.client("pages", setup.path("ca.pem"), setup.path("group"))
    _ = try prepare(urls, with: client)
    // The memory at rest after the first notification.
    Thread.sleep(forTimeInterval: 0.5)
    let idle = client.watchMemory(every: .milliseconds(50)).stop()
    var (ours, peer): ([Run], [Run]) = ([], [])
    for _ in 0..<Self.rounds {
      ours.append(try prepare(urls, with: client))
      peer.append(try curl(urls))
    }
    // Apart from the timed ones, because sampling the memory takes time.
    let watch = client.watchMemory(every: .microseconds(200))
    for _ in 0..<Self.memoryRounds { _ = try prepare(urls, with: client) }
    let growth = watch.stop() - idle
    _ = try client.finish()
    return [
      .comparison(
        "five pages of 500 KB prepared (peer: curl --parallel)", ours: ours.map(\.seconds),
        peer: peer.map(\.seconds), bound: 0...1.15
      ) { fixed($0 * 1000, 1) + " ms" },
      .comparison(
        "  CPU", ours: ours.map(\.processorTime), peer: peer.map(\.processorTime)
      ) { fixed($0 * 1000, 1) + " ms" },
      Row(
        name: "  peak memory over idle", ours: megabytes(Double(growth)), bound: "at most 12 MB",
        holds: growth <= 12_000_000),
    ]
  }

  private func prepare(_ urls: [String], with client: Child) throws -> Run {
    try client.writeLine(urls.joined(separator: " "))
    let line = try client.readLine()
    let numbers = line.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 3, Int(numbers[2]) == Self.pages * Self.bytes else {
      throw Child.Failure(description: "the extension did not prepare the pages: \(line)")
    }
    return Run(seconds: numbers[0], processorTime: numbers[1])
  }

  /// Downloads all URLs at once; the time is that of the transfer that ends last.
  private func curl(_ urls: [String]) throws -> Run {
    var command = [
      "curl", "--no-progress-meter", "--fail", "--cacert", setup.path("ca.pem"), "--parallel",
      "--parallel-immediate", "--write-out", "%{time_total}\n",
    ]
    for (index, url) in urls.enumerated() {
      command += ["--output", setup.path("curl.\(index)"), url]
    }
    let end = try Child(command, core: setup.clientCore).finish()
    for index in urls.indices {
      try FileManager.default.removeItem(atPath: setup.path("curl.\(index)"))
    }
    let times = end.output.split(separator: "\n").compactMap { Double($0) }
    guard times.count == urls.count, let seconds = times.max() else {
      throw Child.Failure(description: "curl printed \(end.output)")
    }
    return Run(seconds: seconds, processorTime: end.processorTime)
  }
}
