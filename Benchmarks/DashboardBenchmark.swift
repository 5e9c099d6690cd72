import Foundation

/// The dashboard with a million devices, requested as a browser does.
struct DashboardBenchmark {
  private static let devices = 1_000_000
  private static let sends = 10_000
  private let setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) { self.setup = setup }

  func run() throws -> [Row] {
    // The group "server" may have imported them already.
    if !FileManager.default.fileExists(atPath: setup.path("devices.csv")) {
      _ = try BenchServer.importing(Self.devices, setup)
    }
    let server = try BenchServer(setup)
    let made = try server.load("named", clients: 16, count: Self.sends)
    guard made.failures == 0 else { throw Child.Failure(description: "sends were refused") }
    let question = try Self.sendToManyDevices(server)
    let timelines = try server.load(
      "get", clients: 1, count: 300, subject: "/v6/explain?\(question)")
    let output = try setup.client(
      "dashboard", "\(server.port)", server.key, server.app, "\(Self.devices)", question
    ).finish().output
    _ = try server.child.finish()
    let report = try JSONDecoder().decode(DashboardReport.self, from: Data(output.utf8))
    return [
      report.preview.latency("a letter typed, to bytes, findings and picture, p99", under: 100),
      Row(name: "  median", ours: fixed(report.preview.median, 1) + " ms"),
      Row(name: "  the picture", ours: fixed(Double(report.pictureBytes) / 1000, 1) + " kB"),
      report.pages.latency("a page of 1,000,000 devices, p99", under: 50),
      Row(name: "  median", ours: fixed(report.pages.median, 1) + " ms"),
      Row(
        name: "first page with all it fetches", ours: fixed(Double(report.bytes) / 1000, 1) + " kB",
        bound: "under 50 kB", holds: report.bytes < 50_000),
      report.slowest.latency(
        "slowest of \(report.paths) pages beside \(Self.sends) sends, p99: \(report.slowestPath)",
        under: 60),
      timelines.latency("timelines of a person with 100 devices, the API's, p99", under: 50),
      Row(name: "  median", ours: fixed(timelines.median, 1) + " ms"),
      report.timelines.latency("  the page, p99", under: 50),
      Row(name: "  median", ours: fixed(report.timelines.median, 1) + " ms"),
      report.search.latency("search of \(Self.sends) sends, p99", under: 50),
      Row(
        name: "  the list of sends, not compressed",
        ours: fixed(Double(report.listBytes) / 1000, 1) + " kB", bound: "under 100 kB",
        holds: report.listBytes < 100_000),
    ]
  }

  /// Sends to a person with as many devices as a timeline has, and returns the query that asks what became of it.
  private static func sendToManyDevices(_ server: BenchServer) throws -> String {
    for number in 0..<100 {
      let token = String(repeating: String(format: "%04x", number), count: 16)
      let answer = try server.request(
        "PUT", "/v6/devices/many-\(number)",
        #"{"device":{"push_token":"\#(token)","platform":"iOS","user_id":"many"}}"#)
      guard answer.hasPrefix("HTTP/1.1 200") else {
        throw Child.Failure(description: "a device was answered \(answer.suffix(300))")
      }
    }
    let id = try server.post(
      "/v6/notifications",
      #"{"notification":{"to":{"user_ids":["many"]},"payload":{"title":"News","alert":"Hi"}}}"#,
      id: /"notification":\{"created_at":"[^"]*","id":"([^"]+)"/)
    try server.waitForSends()
    return "notification=\(id)&user=many"
  }
}
