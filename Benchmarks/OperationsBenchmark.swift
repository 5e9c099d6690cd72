import Foundation
import Synchronization
import _HTTPServer

/// What watching costs: the page of metrics of a thousand apps, and traces of sends.
struct OperationsBenchmark {
  private static let apps = 1000
  private static let devices = 300_000
  private static let rounds = 5
  private let setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) { self.setup = setup }

  /// A setup whose store is not that of the other groups.
  private func part(_ name: String) throws -> BenchmarkSetup {
    let folder = setup.folder.appending(path: name, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try BenchmarkSetup(folder: folder)
  }

  func run() throws -> [Row] { try metrics() + traces() }

  private func metrics() throws -> [Row] {
    let setup = try part("apps")
    let server = try BenchServer(setup)
    let pem = try String(contentsOfFile: setup.path("push.p8"), encoding: .utf8)
      .replacing("\n", with: "\\n")
    for number in 1..<Self.apps {
      let key = try server.post(
        "/v6/apps",
        #"{"app":{"bundle_id":"com.example.app\#(number)","team_id":"A1B2C3D4E5","#
          + #""key_id":"K1L2M3N4O5","private_key":"\#(pem)"}}"#,
        id: /"admin":"([^"]+)"/, key: server.admin)
      let answers = [
        try server.request(
          "PUT", "/v6/devices/d", #"{"device":{"push_token":"\#(Self.token)"}}"#, key: key),
        try server.request(
          "POST", "/v6/notifications",
          #"{"notification":{"to":"*","payload":{"alert":"News"}}}"#, key: key),
      ]
      for answer in answers where !answer.hasPrefix("HTTP/1.1 20") {
        throw Child.Failure(description: "app \(number): \(answer.suffix(300))")
      }
    }
    let page = try server.request("GET", "/metrics", key: server.admin)
    let report = try server.load(
      "get", clients: 1, count: 400, rate: 20, subject: "/metrics", key: server.admin)
    _ = try server.child.finish()
    return [
      Row(
        name: "/metrics of \(Self.apps) apps", ours: megabytes(Double(page.utf8.count)),
        bound: "under 1 MB", holds: page.utf8.count < 1_000_000),
      report.latency("  p99", under: 20),
    ]
  }

  private static let token = String(repeating: "b0", count: 32)

  /// Sends whose every request and batch is in a trace, which a collector gets, beside sends without traces.
  ///
  /// The server's processor time is compared, on which other work of the machine has little effect.
  private func traces() throws -> [Row] {
    let exports = Atomic(0)
    let collector = try HTTPServer { _ in
      exports.add(1, ordering: .relaxed)
      return HTTPResponse(status: 200)
    }
    let address = "http://127.0.0.1:\(collector.port)"
    let setups = (traced: try part("traced"), plain: try part("plain"))
    _ = try BenchServer.importing(Self.devices, setups.traced)
    _ = try BenchServer.importing(Self.devices, setups.plain)
    let traced = try BenchServer(setups.traced, collector: address)
    let plain = try BenchServer(setups.plain)
    func time(_ server: BenchServer) throws -> Double {
      let before = server.child.usedProcessorTime
      _ = try server.sendToEveryone()
      return server.child.usedProcessorTime - before
    }
    var times: (traced: [Double], plain: [Double]) = ([], [])
    for _ in 0..<Self.rounds {
      times.traced.append(try time(traced))
      times.plain.append(try time(plain))
    }
    _ = try traced.child.finish()
    _ = try plain.child.finish()
    guard exports.load(ordering: .relaxed) > 0 else {
      throw Child.Failure(description: "the collector got no trace")
    }
    let ratio = zip(times.traced, times.plain).map(/).median
    return [
      .comparison(
        "processor seconds of a send to \(Self.devices) devices in a trace (peer: without)",
        ours: times.traced, peer: times.plain
      ) { fixed($0, 2) },
      Row(
        name: "  what traces of one send in a hundred cost", ours: fixed(ratio - 1, 3) + " %",
        bound: "under 2 %", holds: ratio - 1 < 2),
    ]
  }
}
