import Foundation

/// A `PushServer` in a process of this program, with what it printed when it was ready.
struct BenchServer {
  let child: Child
  let port: UInt16
  let key: String
  let admin: String
  let app: String
  let ready: Double
  private let setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup, _ what: String...) throws {
    self.setup = setup
    let folder = setup.folder.path(percentEncoded: false)
    child = try Child([ProcessInfo.processInfo.arguments[0], "serve", folder] + what)
    let words = try child.readLine().split(separator: " ").map(String.init)
    guard words.count == 5, let port = UInt16(words[0]), let ready = Double(words[4]) else {
      throw Child.Failure(description: "the server did not start")
    }
    (self.port, key, admin, app, self.ready) = (port, words[1], words[2], words[3], ready)
  }

  /// Imports devices into the store that later servers in the folder use.
  static func importing(_ devices: Int, _ setup: BenchmarkSetup) throws -> Row {
    let server = try BenchServer(setup)
    let plans = ["gold", "silver", "bronze", "free", "trial"]
    var csv = "token,os_name,user_id,custom.string.plan,custom.string.first_name\n"
    for number in 0..<devices {
      // Apple's tokens are random, so these are spread over the whole range.
      let part = String((UInt64(number) | 1 << 40) &* 0x9e37_79b9_7f4a_7c15 | 1 << 63, radix: 16)
      csv += part + part + part + part
      csv += ",iOS,user-\(number),\(plans[number % 5]),Anna \(number)\n"
    }
    try setup.write(csv, "devices.csv")
    let start = ContinuousClock.now
    let curl = try Child([
      "curl", "-sf", "-u", ":\(server.admin)", "-H", "Content-Type: text/csv", "-H", "Expect:",
      "--data-binary", "@" + setup.path("devices.csv"),
      "http://127.0.0.1:\(server.port)/v6/devices/import?app=\(server.app)",
    ])
    let watch = server.child.watchMemory(every: .milliseconds(20))
    let output = try curl.finish().output
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let memory = megabytes(Double(watch.stop()))
    _ = try server.child.finish()
    guard output.contains("\"accepted\":\(devices)") else {
      throw Child.Failure(description: "the import answered \(output.prefix(200))")
    }
    return Row(
      name: "import of 1,000,000 rows (\(memory) at most)", ours: fixed(seconds, 1) + " s",
      bound: "under 60 s", holds: seconds < 60)
  }

  func load(_ kind: String, clients: Int, count: Int, rate: Int) throws -> LoadReport {
    let client = try Child([
      ProcessInfo.processInfo.arguments[0], "load", "\(port)", key, kind, "\(clients)", "\(count)",
      "\(rate)",
    ])
    return try JSONDecoder().decode(LoadReport.self, from: Data(try client.finish().output.utf8))
  }

  /// Registers phones with MartletKit, compared with the rate of a bare client's upserts; both share the processors with
  /// the server.
  func registrations(_ count: Int, clients: Int, upserts: Double) throws -> [Row] {
    let before = child.usedProcessorTime
    let phones = try Child([
      ProcessInfo.processInfo.arguments[0], "phones", "\(port)", key, setup.path("phones"),
      "\(clients)", "\(count)",
    ])
    let (output, phoneTime) = try phones.finish()
    guard let seconds = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw Child.Failure(description: "phones printed no number")
    }
    let serverTime = child.usedProcessorTime - before
    return [
      .comparison(
        "registrations a second by phones with MartletKit (peer: upserts)",
        ours: Double(count) / seconds, peer: upserts
      ) { fixed($0, 0) },
      .comparison(
        "  ms of processor time for each, of the phone (peer: the server)",
        ours: phoneTime * 1000 / Double(count), peer: serverTime * 1000 / Double(count)
      ) { fixed($0, 2) },
    ]
  }

  func count(_ name: String, under bound: Int, perSecond rate: Int) throws -> Row {
    _ = try load("count", clients: 1, count: 100, rate: 0)
    return try load("count", clients: 2, count: 20 * rate, rate: rate).latency(name, under: bound)
  }
}

extension LoadReport {
  func latency(_ name: String, under bound: Int) -> Row {
    Row(
      name: name, ours: fixed(percentile99, 2) + " ms", bound: "under \(bound) ms",
      holds: percentile99 < Double(bound) && failures == 0)
  }
}
