import Foundation

/// The time from a push to a notification with a media file, compared with curl's time for the download.
struct FetchBenchmark {
  private struct Medium {
    var name: String
    var bound: Double
    var signature: [UInt8]
    var bytes: Int
  }

  private static let rounds = 30
  private static let memoryRounds = 10
  private static let media = [
    Medium(
      name: "5 MB", bound: 1.5, signature: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
      bytes: 5_000_000),
    // An image may have 10 MB, so the larger file is a video.
    Medium(
      name: "50 MB", bound: 1.15, signature: [0, 0, 0, 0x20] + Array("ftypisom".utf8),
      bytes: 50_000_000),
  ]

  private struct Run {
    var seconds: Double
    var processorTime: Double
  }

  private let setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) throws {
    self.setup = setup
    var generator = SystemRandomNumberGenerator()
    for medium in Self.media {
      var bytes = [UInt8](repeating: 0, count: medium.bytes)
      for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
      bytes.replaceSubrange(0..<medium.signature.count, with: medium.signature)
      try Data(bytes).write(to: URL(filePath: setup.path("\(medium.bytes)")))
    }
  }

  func run() throws -> [Row] {
    let (server, port) = try setup.server { port in
      [
        "env", "-C", setup.folder.path(percentEncoded: false), "openssl", "s_server", "-WWW",
        "-accept", "127.0.0.1:\(port)", "-cert", "server.pem", "-key", "server.key",
      ]
    }
    defer { server.stop() }
    var rows: [Row] = []
    for medium in Self.media {
      let url = "https://127.0.0.1:\(port)/\(medium.bytes)"
      let client = try setup.client("fetch", setup.path("ca.pem"))
      _ = try fetch(medium, from: url, with: client)
      // The memory at rest after the first fetch.
      Thread.sleep(forTimeInterval: 0.5)
      let idle = client.watchMemory(every: .milliseconds(50)).stop()
      var ours: [Run] = []
      var peer: [Run] = []
      for _ in 0..<Self.rounds {
        ours.append(try fetch(medium, from: url, with: client))
        peer.append(try curl(url))
      }
      // Apart from the timed fetches, because sampling the memory takes time.
      let watch = client.watchMemory(every: .microseconds(200))
      for _ in 0..<Self.memoryRounds { _ = try fetch(medium, from: url, with: client) }
      let growth = watch.stop() - idle
      _ = try client.finish()
      rows += [
        .comparison(
          "\(medium.name) into a notification (peer: curl)", ours: ours.map(\.seconds),
          peer: peer.map(\.seconds), bound: 0...medium.bound
        ) { fixed($0 * 1000, 1) + " ms" },
        .comparison(
          "  CPU", ours: ours.map(\.processorTime), peer: peer.map(\.processorTime)
        ) { fixed($0 * 1000, 1) + " ms" },
        Row(
          name: "  peak memory over idle", ours: megabytes(Double(growth)), bound: "at most 4 MB",
          holds: growth <= 4_000_000),
      ]
    }
    return rows
  }

  private func fetch(_ medium: Medium, from url: String, with client: Child) throws -> Run {
    try client.writeLine(url)
    let line = try client.readLine()
    let numbers = line.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 3, Int(numbers[2]) == medium.bytes else {
      throw Child.Failure(description: "the extension did not attach the file: \(line)")
    }
    return Run(seconds: numbers[0], processorTime: numbers[1])
  }

  private func curl(_ url: String) throws -> Run {
    let file = setup.path("curl.out")
    let end = try Child(
      [
        "curl", "--silent", "--show-error", "--fail", "--cacert", setup.path("ca.pem"), "--output",
        file, "--write-out", "%{time_total}", url,
      ], core: setup.clientCore
    ).finish()
    try FileManager.default.removeItem(atPath: file)
    guard let seconds = Double(end.output) else {
      throw Child.Failure(description: "curl printed \(end.output)")
    }
    return Run(seconds: seconds, processorTime: end.processorTime)
  }
}
