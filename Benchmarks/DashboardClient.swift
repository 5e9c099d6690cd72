import Foundation

/// The latencies that a user of the dashboard would see.
struct DashboardReport: Codable {
  var preview = LoadReport()
  var pictureBytes = 0
  var pages = LoadReport()
  /// The bytes of the first page after sign-in with its style and scripts, compressed.
  var bytes = 0
  /// The slowest of the pages beside many sends, by its 99th percentile.
  var slowest = LoadReport()
  var slowestPath = ""
  /// The number of pages that were compared.
  var paths = 0
  var search = LoadReport()
  /// The page with the timelines of a person with many devices.
  var timelines = LoadReport()
  /// The bytes of the list of sends, not compressed.
  var listBytes = 0
}

/// The process `dashboard PORT KEY APP DEVICES QUESTION`: signs in, composes a notification with a picture, pages
/// through the devices, asks why a notification was not shown, and prints a ``DashboardReport``.
func dashboardClient(_ arguments: [String]) throws {
  guard arguments.count == 5, let port = UInt16(arguments[0]), let devices = Int(arguments[3])
  else { return }
  var browser = try Browser(port: port)
  try browser.signIn(arguments[1])
  let app = "/apps/\(arguments[2])"
  var report = DashboardReport()
  let page = try browser.get(app + "/compose", isCompressed: true)
  report.bytes = page.body.count
  let plain = try browser.get(app + "/compose").text
  for match in plain.matches(of: /(?:src|href)="(\/assets\/[^"]+\.(?:js|css|svg))"/)
  where plain[..<match.range.lowerBound].range(of: match.1) == nil {
    report.bytes += try browser.get(String(match.1), isCompressed: true).body.count
  }
  try browser.write(app + "/compose", &report)

  var times: [Double] = []
  for number in 0..<500 {
    let above = number * 7919 % devices
    let start = ContinuousClock.now
    let answer = try browser.get("\(app)/people?above=\(above)", isCompressed: true)
    times.append((.now - start) / .milliseconds(1))
    if answer.status != 200 { report.pages.failures += 1 }
  }
  report.pages.summarize(times)
  report.timelines = try browser.latencies(of: "\(app)/sends/why?\(arguments[4])", 300) { _ in "" }
  try browser.readPages(app, &report)
  print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
}

/// A session in a browser: the cookie, the form token and two connections.
private struct Browser {
  struct Answer {
    var status = 0
    var head = ""
    var body: ArraySlice<UInt8> = []
    var text: String { String(decoding: body, as: UTF8.self) }

    init(_ bytes: ArraySlice<UInt8>) {
      guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
      head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      body = bytes[end.upperBound...]
      status = Int(head.dropFirst(9).prefix(3)) ?? 0
    }
  }

  private let connection: LoadConnection
  private let second: LoadConnection
  private var cookie = ""
  private var token = ""

  init(port: UInt16) throws {
    (connection, second) = (try LoadConnection(port: port), try LoadConnection(port: port))
  }

  mutating func signIn(_ key: String) throws {
    learn(try get("/sign-in"))
    let answer = try post("/sign-in", ["key": key])
    guard answer.status == 303 else {
      throw Child.Failure(description: "the sign-in answered \(answer.head)")
    }
    learn(answer)
  }

  private mutating func learn(_ answer: Answer) {
    if let match = answer.head.firstMatch(of: /(?i)set-cookie: ([^;\r]+)/) {
      cookie = String(match.1)
    }
    if let match = answer.text.firstMatch(of: /name="token" value="([0-9a-f]+)"/) {
      token = String(match.1)
    }
  }

  func get(_ path: String, isCompressed: Bool = false) throws -> Answer {
    Answer(
      try connection.answer(
        to: head("GET", path, headers: isCompressed ? "Accept-Encoding: gzip\r\n" : "")
          + Array("\r\n".utf8))
    )
  }

  /// Opens the pages that people open often, and searches the sends.
  func readPages(_ app: String, _ report: inout DashboardReport) throws {
    let list = try get("\(app)/sends")
    report.listBytes = list.body.count
    guard let send = list.text.firstMatch(of: /\/sends\/([0-9a-f]{24})"/)?.1 else {
      throw Child.Failure(description: "the list of sends has no send")
    }
    let people = try get("\(app)/people").text
    guard let person = people.firstMatch(of: /\/people\/(user\?id=[^"&]+)"/)?.1,
      let device = try get("\(app)/people/\(person)").text
        .firstMatch(of: /\/people\/devices\/([0-9a-f]{24})"/)?.1
    else {
      throw Child.Failure(description: "the list of people has no person with a device")
    }
    let paths = [
      "home", "compose", "compose/templates", "sends", "sends?after=\(send)",
      "sends?state=complete", "sends?sort=oldest", "sends?sort=next", "sends?label=week-7",
      "sends/\(send)", "sends/campaigns", "sends/campaigns/new", "sends/messages",
      "sends/calendar", "sends/calendar?view=week", "audiences",
      "audiences/new", "people", "people/\(person)", "people/devices/\(device)", "reports",
      "reports/sends/\(send)", "settings", "settings/audit", "settings/people", "settings/limits",
    ]
    report.paths = paths.count
    for path in paths {
      let times = try latencies(of: "\(app)/\(path)", 100) { _ in "" }
      if times.percentile99 > report.slowest.percentile99 {
        report.slowest = times
        report.slowestPath = path.replacing(send, with: "ID").replacing(device, with: "ID")
          .replacing(person, with: "user")
      }
    }
    report.search = try latencies(of: "\(app)/sends?q=", 300) { "Order+\($0 * 31 % 10_000)" }
  }

  /// Requests a path again and again, each time with another end.
  func latencies(
    of path: String, _ count: Int, end: (Int) -> String
  ) throws -> LoadReport {
    var report = LoadReport()
    var times: [Double] = []
    for number in 0..<count {
      let start = ContinuousClock.now
      let answer = try get(path + end(number), isCompressed: true)
      times.append((.now - start) / .milliseconds(1))
      guard answer.status == 200 else {
        throw Child.Failure(description: "GET \(path) answered \(answer.status)")
      }
    }
    report.summarize(times)
    return report
  }

  /// Types a title; after each letter requests the findings and the picture, as the page does.
  mutating func write(_ path: String, _ report: inout DashboardReport) throws {
    learn(try get(path))
    var form = [
      "to": "*", "text": "Your order is on its way to you, and will be there tomorrow.",
      "media": try upload(path), "kind": "push",
    ]
    var times: [Double] = []
    for number in 0..<210 {
      form["title"] = String("A title that a person is writing ".prefix(number % 33 + 1))
      let asked = request(path, form.merging(["action": "preview"]) { $1 })
      let (start, done) = (ContinuousClock.now, DispatchSemaphore(value: 0))
      // Used only by the other thread until `done` is signaled.
      nonisolated(unsafe) let other = second
      nonisolated(unsafe) var known = Answer([])
      Thread.detachNewThread {
        if let bytes = try? other.answer(to: asked) { known = Answer(bytes) }
        done.signal()
      }
      let card = try post(path, form.merging(["action": "card", "quick": "1"]) { $1 })
      done.wait()
      // The first requests find empty caches.
      if number >= 10 { times.append((.now - start) / .milliseconds(1)) }
      report.pictureBytes = card.body.count
      if known.status != 200 || card.status != 200 { report.preview.failures += 1 }
      usleep(50_000)
    }
    report.preview.summarize(times)
  }

  /// Uploads a picture as the composer's form does, and returns its URL.
  private func upload(_ path: String) throws -> String {
    let photo = try Data(contentsOf: URL(filePath: "Tests/Fixtures/media/picture.png"))
    func part(_ name: String, _ value: String) -> String {
      "--mark\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }
    let fields = part("token", token) + part("action", "upload")
    let file = "--mark\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n"
    let body = Array((fields + file).utf8) + Array(photo) + Array("\r\n--mark--\r\n".utf8)
    let answer = Answer(
      try connection.answer(
        to: head("POST", path, headers: Self.type("multipart/form-data; boundary=mark", body.count))
          + body))
    guard let match = answer.text.firstMatch(of: /"url":"([^"]+)"/) else {
      throw Child.Failure(description: "the upload answered \(answer.head)")
    }
    return String(match.1.replacing("\\/", with: "/"))
  }

  private func post(_ path: String, _ fields: [String: String]) throws -> Answer {
    Answer(try connection.answer(to: request(path, fields)))
  }

  private func request(_ path: String, _ fields: [String: String]) -> [UInt8] {
    let form = fields.merging(["token": token]) { $1 }.map { name, value in
      name + "=" + (value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }.joined(separator: "&")
    let type = Self.type("application/x-www-form-urlencoded", form.utf8.count)
    return head("POST", path, headers: type) + Array(form.utf8)
  }

  private func head(_ method: String, _ path: String, headers: String) -> [UInt8] {
    Array(
      "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookie)\r\n\(headers)".utf8)
  }

  private static func type(_ type: String, _ count: Int) -> String {
    "Accept: application/json\r\nContent-Type: \(type)\r\nContent-Length: \(count)\r\n\r\n"
  }
}
