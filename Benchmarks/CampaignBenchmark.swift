import Foundation

/// A campaign in five variants compared with a plain send, to a million devices.
struct CampaignBenchmark {
  private static let devices = 1_000_000
  private static let rounds = 5
  private var setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) {
    self.setup = setup
    // As in the sends.
    self.setup.isDivided = false
  }

  func run() throws -> [Row] {
    // The group "server" may have imported them already.
    if !FileManager.default.fileExists(atPath: setup.path("devices.csv")) {
      _ = try BenchServer.importing(Self.devices, setup)
    }
    let (sandbox, url) = try setup.sandbox()
    defer { sandbox.stop() }
    let server = try BenchServer(setup, apns: url)
    var (plain, variants): ([Time], [Time]) = ([], [])
    // In turn, so that other load on the machine affects both.
    for _ in 0..<Self.rounds {
      plain.append(try time(server) { try server.start(Self.send) })
      variants.append(try time(server) { try server.startCampaign(Self.campaign) })
    }
    _ = try server.child.finish()
    return [
      .comparison(
        "1,000,000 devices in five variants, delivered (peer: a plain send)",
        ours: variants.map(\.end), peer: plain.map(\.end), bound: 0...1.3
      ) { fixed($0, 2) + " s" },
      .comparison(
        "  until they are divided and the sends are stored",
        ours: variants.map(\.start), peer: plain.map(\.start)
      ) { fixed($0 * 1000, 1) + " ms" },
    ]
  }

  /// How many seconds it takes until a request is answered, and until all is delivered that it caused.
  private struct Time {
    var start: Double
    var end: Double
  }

  private func time(_ server: BenchServer, _ request: () throws -> Void) throws -> Time {
    let begin = ContinuousClock.now
    try request()
    let start = (.now - begin) / .seconds(1)
    try server.waitForSends()
    return Time(start: start, end: (.now - begin) / .seconds(1))
  }

  private static let everyone = #""to":[{"name":"os_name","criteria":["iOS"]}]"#
  private static let send = #"{"notification":{\#(everyone),"payload":{"alert":"News"}}}"#
  private static let campaign =
    #"{"campaign":{"name":"News",\#(everyone),"variants":["#
    + ["a", "b", "c", "d", "e"].map { #"{"key":"\#($0)","share":20,"payload":{"alert":"News"}}"# }
    .joined(separator: ",") + "]}}"
}
