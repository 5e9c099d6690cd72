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

  /// The devices that a server begins with.
  enum Devices {
    /// Those of its store.
    case stored
    /// Those of its store, which get tags and events.
    case tagged
    /// As many generated ones, which are in no store.
    case generated(Int)

    fileprivate var argument: String {
      switch self {
      case .stored: "stored"
      case .tagged: "tagged"
      case .generated(let count): "\(count)"
      }
    }
  }

  /// Starts a server.
  ///
  /// `database` is the address of PostgreSQL, and `nil` is a file of SQLite. `collector` is the address of an
  /// OpenTelemetry collector that gets a trace of every request, and `nil` records none. `apns` is the URL of a sandbox,
  /// and `nil` answers each push at once.
  init(
    _ setup: BenchmarkSetup, database: String? = nil, _ devices: Devices = .stored,
    collector: String? = nil, apns: String? = nil
  ) throws {
    self.setup = setup
    let folder = setup.folder.path(percentEncoded: false)
    child = try Child([
      ProcessInfo.processInfo.arguments[0], "serve", folder, database ?? "sqlite", devices.argument,
      collector ?? "none", apns ?? "none",
    ])
    let words = try child.readLine().split(separator: " ").map(String.init)
    guard words.count == 5, let port = UInt16(words[0]), let ready = Double(words[4]) else {
      throw Child.Failure(description: "the server did not start")
    }
    (self.port, key, admin, app, self.ready) = (port, words[1], words[2], words[3], ready)
  }

  /// Imports devices into the store that later servers in the folder use, and counts them at once.
  static func importing(
    _ devices: Int, _ setup: BenchmarkSetup, database: String? = nil
  ) throws -> ImportReport {
    let server = try BenchServer(setup, database: database)
    if !FileManager.default.fileExists(atPath: setup.path("devices.csv")) {
      try setup.write(table(of: devices), "devices.csv")
    }
    let watch = server.child.watchMemory(every: .milliseconds(20))
    let start = ContinuousClock.now
    let curl = try Child([
      "curl", "-sf", "-u", ":\(server.admin)", "-H", "Content-Type: text/csv", "-H", "Expect:",
      "--data-binary", "@" + setup.path("devices.csv"),
      "http://127.0.0.1:\(server.port)/v6/devices/import?app=\(server.app)",
    ])
    let output = try curl.finish().output
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let counts = try server.load("count", clients: 1, count: 100)
    let memory = watch.stop()
    _ = try server.child.finish()
    guard output.contains("\"accepted\":\(devices)"), counts.failures == 0 else {
      throw Child.Failure(description: "the import answered \(output.prefix(200))")
    }
    return ImportReport(seconds: seconds, memory: memory, counts: counts)
  }

  private static func table(of devices: Int) -> String {
    let plans = ["gold", "silver", "bronze", "free", "trial"]
    var csv = "token,os_name,user_id,custom.string.plan,custom.string.first_name\n"
    for number in 0..<devices {
      // Apple's tokens are random, so these are spread over the whole range.
      let part = String((UInt64(number) | 1 << 40) &* 0x9e37_79b9_7f4a_7c15 | 1 << 63, radix: 16)
      csv += part + part + part + part
      csv += ",iOS,user-\(number),\(plans[number % 5]),Anna \(number)\n"
    }
    return csv
  }

  /// Makes requests of a kind; `rate` is their number in a second, and 0 is as many as there can be.
  func load(
    _ kind: String, clients: Int, count: Int, rate: Int = 0, subject: String = "",
    key: String? = nil
  ) throws -> LoadReport {
    try loading(kind, clients: clients, count: count, rate: rate, subject: subject, key: key)
      .report()
  }

  /// Begins to make requests of a kind, beside other work.
  func loading(
    _ kind: String, clients: Int, count: Int, rate: Int = 0, subject: String = "",
    key: String? = nil
  ) throws -> Child {
    try Child([
      ProcessInfo.processInfo.arguments[0], "load", "\(port)", key ?? self.key, kind, "\(clients)",
      "\(count)",
      "\(rate)", subject,
    ])
  }

  /// Registers phones with MartletKit, compared with the rate of a bare client's upserts.
  ///
  /// Both share the processors with the server. The phones' files are in memory, since every phone has a disk of its own.
  func registrations(_ count: Int, clients: Int, upserts: Double) throws -> [Row] {
    let folder = URL(filePath: "/dev/shm/martlet-phones-\(getpid())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let before = child.usedProcessorTime
    let phones = try Child([
      ProcessInfo.processInfo.arguments[0], "phones", "\(port)", key, folder.path,
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

  /// Sends to every device, waits until the send is complete, and returns its id.
  func sendToEveryone() throws -> String {
    let id = try post(
      "/v6/notifications",
      #"{"notification":{"to":[{"name":"os_name","criteria":["iOS"]}],"payload":{"alert":"News"}}}"#,
      id: /"notification":\{"created_at":"[^"]*","id":"([^"]+)"/)
    try waitForSends()
    return id
  }

  /// Waits until no send waits or is being sent.
  func waitForSends() throws { while try isSending() { usleep(20_000) } }

  /// Whether a send waits or is being sent, asking in the order in which a send changes.
  func isSending() throws -> Bool {
    try ["scheduled", "sending"].contains { state in
      try !request("GET", "/v6/notifications?state=\(state)").contains(#""notifications":[]"#)
    }
  }

  /// Accepts a send.
  func start(_ body: String) throws {
    _ = try post("/v6/notifications", body, id: /"id":"([^"]+)"/)
  }

  /// Stores a campaign and starts it.
  func startCampaign(_ body: String) throws {
    let id = try post("/v6/campaigns", body, id: /"campaign":\{[^}]*"id":"([^"]+)"/)
    _ = try post("/v6/campaigns/\(id)/start", "{}", id: /"id":"([^"]+)"/)
  }

  /// Makes an audience with a fifth of the imported devices, and returns its id.
  func makeAudience() throws -> String {
    try post(
      "/v6/audiences",
      #"{"audience":{"name":"gold","to":[{"name":"custom.string.plan","criteria":["gold"]}]}}"#,
      id: /"id":"([^"]+)"/)
  }

  /// Posts a body, and returns the id in the answer.
  ///
  /// `key` is a key of the server, and `nil` the app's.
  func post(
    _ path: String, _ body: String, id: Regex<(Substring, Substring)>, key: String? = nil
  ) throws -> String {
    let answer = try request("POST", path, body, key: key)
    guard let match = answer.firstMatch(of: id) else {
      throw Child.Failure(description: "POST \(path) answered \(answer.suffix(300))")
    }
    return String(match.1)
  }

  /// Makes one request, and returns the answer with its head.
  func request(
    _ method: String, _ path: String, _ body: String = "", key: String? = nil
  ) throws -> String {
    let credentials = Data((":" + (key ?? self.key)).utf8).base64EncodedString()
    let request = """
      \(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Basic \(credentials)\r
      Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
      """
    let answer = try LoadConnection(port: port).answer(to: Array(request.utf8))
    return String(decoding: answer, as: UTF8.self)
  }

  func count(_ name: String, under bound: Int, perSecond rate: Int) throws -> Row {
    _ = try load("count", clients: 1, count: 100)
    return try load("count", clients: 2, count: 20 * rate, rate: rate).latency(name, under: bound)
  }
}

extension Child {
  /// Waits for a process `load`.
  func report() throws -> LoadReport {
    try JSONDecoder().decode(LoadReport.self, from: Data(try finish().output.utf8))
  }
}

/// The measurement of one import.
struct ImportReport {
  var seconds: Double
  /// The peak of the server's anonymous memory, in bytes.
  var memory: Int
  /// The counts of an audience that followed at once.
  var counts: LoadReport
}

extension LoadReport {
  func latency(_ name: String, under bound: Int) -> Row {
    Row(
      name: name, ours: fixed(percentile99, 2) + " ms", bound: "under \(bound) ms",
      holds: percentile99 < Double(bound) && failures == 0)
  }
}
