import Foundation

/// The server behind its HTTP API, with a million devices in SQLite; whoever asks runs beside it.
struct ServerBenchmark {
  private static let devices = 1_000_000
  private let world: World

  init(_ world: World) { self.world = world }

  func run() throws -> [Row] {
    var rows: [Row] = []
    func add(_ row: Row) {
      // It takes minutes, so each is told when it is known.
      FileHandle.standardError.write(Data((Row.table([row]) + "\n").utf8))
      rows.append(row)
    }
    add(try importing())
    let server = try BenchServer(world, "tagged")
    add(
      Row(
        name: "  1,000,000 devices from the store to the index", ours: fixed(server.ready, 1) + " s"
      ))
    add(Row(name: "  memory with them", ours: megabytes(Double(server.child.anonymousMemory))))
    add(
      try server.count("count of three filters, 1,000,000 devices, p99", under: 5, perSecond: 100))
    let posts = try server.load("post", clients: 16, count: 10_000, rate: 500)
    add(posts.latency("POST /notifications at 500 a second, durable, p99", under: 10))
    add(Row(name: "  median", ours: fixed(posts.median, 2) + " ms"))
    let upserts = try server.load("upsert", clients: 64, count: 100_000, rate: 0)
    let rate = 100_000 / upserts.seconds
    add(
      Row(
        name: "device upserts a second, durable, 64 clients", ours: fixed(rate, 0),
        bound: "at least 10000", holds: rate >= 10_000 && upserts.failures == 0))
    add(Row(name: "  p99", ours: fixed(upserts.percentile99, 2) + " ms"))
    _ = try server.child.finish()
    return rows
  }

  private func importing() throws -> Row {
    let server = try BenchServer(world)
    let plans = ["gold", "silver", "bronze", "free", "trial"]
    var csv = "token,os_name,user_id,custom.string.plan,custom.string.first_name\n"
    for number in 0..<Self.devices {
      // Spread as Apple's are.
      let part = String((UInt64(number) | 1 << 40) &* 0x9e37_79b9_7f4a_7c15 | 1 << 63, radix: 16)
      csv += part + part + part + part
      csv += ",iOS,user-\(number),\(plans[number % 5]),Anna \(number)\n"
    }
    try world.write(csv, "devices.csv")
    let start = ContinuousClock.now
    let curl = try Child([
      "curl", "-sf", "-u", ":\(server.admin)", "-H", "Content-Type: text/csv", "-H", "Expect:",
      "--data-binary", "@" + world.path("devices.csv"),
      "http://127.0.0.1:\(server.port)/v6/devices/import?app=\(server.app)",
    ])
    let watch = server.child.watchMemory(every: .milliseconds(20))
    let output = try curl.finish().output
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let memory = megabytes(Double(watch.stop()))
    _ = try server.child.finish()
    guard output.contains("\"accepted\":\(Self.devices)") else {
      throw Child.Failure(description: "the import answered \(output.prefix(200))")
    }
    return Row(
      name: "import of 1,000,000 rows (\(memory) at most)", ours: fixed(seconds, 1) + " s",
      bound: "under 60 s", holds: seconds < 60)
  }
}

/// Counts in an index of ten million devices that are made up, not stored.
struct IndexBenchmark {
  private static let devices = 10_000_000
  private let world: World

  init(_ world: World) { self.world = world }

  func run() throws -> [Row] {
    let server = try BenchServer(world, "\(Self.devices)")
    defer { _ = try? server.child.finish() }
    return [
      try server.count("count of three filters, 10,000,000 devices, p99", under: 50, perSecond: 20),
      Row(name: "  made up and indexed", ours: fixed(server.ready, 1) + " s"),
      Row(
        name: "  memory with them", ours: megabytes(Double(server.child.anonymousMemory))),
    ]
  }
}

/// A server of the program's own, and what it printed when it was ready.
private struct BenchServer {
  let child: Child
  let port: UInt16
  let key: String
  let admin: String
  let app: String
  let ready: Double
  private let world: World

  init(_ world: World, _ what: String...) throws {
    self.world = world
    let folder = world.folder.path(percentEncoded: false)
    child = try Child([ProcessInfo.processInfo.arguments[0], "serve", folder] + what)
    let words = try child.readLine().split(separator: " ").map(String.init)
    guard words.count == 5, let port = UInt16(words[0]), let ready = Double(words[4]) else {
      throw Child.Failure(description: "the server did not start")
    }
    (self.port, key, admin, app, self.ready) = (port, words[1], words[2], words[3], ready)
  }

  func load(_ kind: String, clients: Int, count: Int, rate: Int) throws -> LoadReport {
    let client = try Child([
      ProcessInfo.processInfo.arguments[0], "load", "\(port)", key, kind, "\(clients)", "\(count)",
      "\(rate)",
    ])
    return try JSONDecoder().decode(LoadReport.self, from: Data(try client.finish().output.utf8))
  }

  func count(_ name: String, under bound: Int, perSecond rate: Int) throws -> Row {
    _ = try load("count", clients: 1, count: 100, rate: 0)
    return try load("count", clients: 2, count: 20 * rate, rate: rate).latency(name, under: bound)
  }
}

extension LoadReport {
  fileprivate func latency(_ name: String, under bound: Int) -> Row {
    Row(
      name: name, ours: fixed(percentile99, 2) + " ms", bound: "under \(bound) ms",
      holds: percentile99 < Double(bound) && failures == 0)
  }
}
