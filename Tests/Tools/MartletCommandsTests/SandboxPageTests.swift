import APNsSandbox
import Foundation
import Markup
import TestSupport
import Testing
import _HTTPServer
import _Spawn

@testable import MartletCommands

@Suite("The sandbox's page", .timeLimit(.minutes(10)))
struct SandboxPageTests {
  /// A page over HTTP, and the feed behind it.
  private func open() throws -> (page: SandboxPage, feed: SandboxFeed, url: URL) {
    let feed = SandboxFeed()
    let page = try SandboxPage(host: "127.0.0.1", port: 0, feed: feed, phones: Self.phones())
    return (page, feed, try #require(URL(string: "http://127.0.0.1:\(page.port)/")))
  }

  /// A sandbox that does not listen.
  private static func phones() throws -> VirtualAPNs {
    try VirtualAPNs(configuration: .init(certificates: SandboxCertificates()))
  }

  private static func line(
    _ stream: Int, title: String = "Hello", token: String = "0a0b", status: Int = 200,
    reason: String = "null"
  ) -> String {
    """
    {"time":"2026-11-21T12:00:00.123Z","connection":1,"stream":\(stream),"method":"POST",\
    "path":"/3/device/\(token)","token":"\(token)","headers":{"apns-topic":"com.example.app"},\
    "payload":{"aps":{"alert":{"title":"\(title)"}}},"status":\(status),"reason":\(reason)}
    """
  }

  /// Waits until the feed has processed a change.
  private func settled(_ feed: SandboxFeed, change: Int) async {
    while await feed.lastChange < change { await Task.yield() }
  }

  private func get(_ url: URL, _ options: [String] = []) async -> String {
    await runProgram(
      "/usr/bin/curl", ["-s", "-i", "--max-time", "50"] + options + [url.absoluteString]
    )
    .output
  }

  @Test("rows are a plain list, newest first, and the page loads nothing from other hosts")
  func document() async throws {
    let (page, feed, url) = try open()
    #expect(await get(url).contains("No request yet.</p>"))
    feed.add(line: Self.line(1, title: "First"))
    feed.add(line: Self.line(3, title: "Second", status: 410, reason: #""Unregistered""#))
    feed.add(line: "no journal")
    await settled(feed, change: 2)
    let text = await get(url)
    let rows = text.split(separator: "<li ").dropFirst()
    #expect(rows.count == 2)
    #expect(rows.first?.contains("410 Unregistered") == true)
    #expect(rows.last?.contains("200 accepted") == true)
    #expect(rows.last?.contains("<bdi>First</bdi>") == true)
    #expect(text.contains("reload the page"))
    #expect(text.contains("default-src 'none'; script-src 'self'; style-src 'self'"))
    #expect(!text.contains("http://") && !text.contains("https://"))
    #expect(!text.contains("<style") && !text.contains("style=") && !text.contains("onclick"))
    await page.stop()
  }

  @Test(
    "markup in a request is escaped",
    arguments: [
      "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "' onload='x", "]]>&lt;",
    ])
  func markup(hostile: String) async throws {
    let (page, feed, url) = try open()
    feed.add(line: Self.line(1, title: hostile, token: hostile, reason: "\"\(hostile)\""))
    await settled(feed, change: 1)
    let text = await get(url)
    let row = try #require(text.split(separator: "<li ").last)
    #expect(!row.contains("<script") && !row.contains("<img"))
    #expect(!row.contains(hostile))
    #expect(row.contains(("\(hostile)" as HTML).markup))
    await page.stop()
  }

  @Test("long text is shortened at its limit, and invalid characters are replaced")
  func limits() {
    let long = String(repeating: "é", count: SandboxRow.textLimit)
    #expect(SandboxRow.cut(long, to: SandboxRow.textLimit) == long)
    #expect(SandboxRow.cut(long + "é", to: SandboxRow.textLimit) == long + "…")
    #expect(SandboxRow.cut("", to: 0) == "")
  }

  @Test("only the last rows are kept")
  func rowLimit() async throws {
    let feed = SandboxFeed()
    let reader = Task { await feed.run() }
    for (stream, oldest) in [
      (SandboxFeed.rowLimit, "row 1."), (SandboxFeed.rowLimit + 1, "row 2."),
    ] {
      let before = await feed.lastChange
      for next in before + 1...stream { feed.add(line: Self.line(next, title: "row \(next).")) }
      await settled(feed, change: stream)
      let rows = await feed.page.rows
      #expect(rows.count == SandboxFeed.rowLimit)
      #expect(rows.last?.markup.contains(oldest) == true)
    }
    reader.cancel()
  }

  @Test("events say what is new, and after a change only what came later")
  func events() async throws {
    let (page, feed, url) = try open()
    for stream in [1, 3, 5] { feed.add(line: Self.line(stream, title: "row \(stream).")) }
    await settled(feed, change: 3)
    let place = TemporaryFolder()
    async let first = watch(url, options: [], until: "id: 4\n", into: place.path("first"))
    async let later = watch(
      url, options: ["-H", "Last-Event-ID: 2"], until: "id: 4\n", into: place.path("later"))
    async let stale = watch(
      url, options: ["-H", "Last-Event-ID: 99"], until: "id: 4\n", into: place.path("stale"))
    while await feed.watcherCount < 3 { await Task.yield() }
    feed.add(line: Self.line(7, title: "row 7."))
    let (all, new, fresh) = try await (first, later, stale)
    await page.stop()
    #expect(all.contains("Content-Type: text/event-stream"))
    #expect(all.contains("Content-Security-Policy: default-src 'none'"))
    #expect(Self.ids(all) == ["1", "2", "3", "4"])
    #expect(Self.ids(new) == ["3", "4"])
    #expect(fresh.contains("event: reset\ndata:\n\n"))
    #expect(Self.ids(fresh) == ["1", "2", "3", "4"])
    for part in all.components(separatedBy: "\n\n").dropFirst(1) where part.contains("id: ") {
      #expect(part.split(separator: "\n").dropFirst().allSatisfy { $0.hasPrefix("data: ") })
    }
  }

  /// The stream of events up to a text, read by curl.
  private func watch(
    _ url: URL, options: [String], until end: String, into file: String
  ) async throws -> String {
    let curl = try ChildProcess(
      "/usr/bin/curl",
      ["-s", "-i", "-N", "--max-time", "50", "--output", file] + options
        + [url.appending(path: "events").absoluteString])
    defer { curl.signal(SIGKILL) }
    var text = ""
    while !text.contains(end), curl.isRunning {
      await Task.yield()
      text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    }
    return text
  }

  private static func ids(_ events: String) -> [String] {
    events.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
  }

  @Test("so many watch, and one more is asked to come later")
  func watcherLimit() async throws {
    let feed = SandboxFeed()
    var streams: [AsyncStream<[UInt8]>?] = []
    for _ in 0..<SandboxFeed.watcherLimit { streams.append(await feed.watch(after: 0)) }
    #expect(!streams.contains { $0 == nil })
    let routes = SandboxPageRoutes(host: "127.0.0.1", feed: feed, phones: try Self.phones())
    let events = HTTPRequest(method: "GET", path: "/events", headers: [("Host", "localhost")])
    #expect(await routes.answer(events).status == 503)
    streams.removeLast()
    while await feed.watcherCount == SandboxFeed.watcherLimit { await Task.yield() }
    #expect(await routes.answer(events).status == 200)
  }

  @Test(
    "it is read under this machine's names alone, and nothing else is there",
    arguments: [
      ("GET", "/", "127.0.0.1:80", 200), ("HEAD", "/", "localhost", 200),
      ("GET", "/", "[::1]:80", 200),
      ("GET", "/", "push.test:8080", 200), ("GET", "/", "evil.example", 421), ("GET", "/", "", 421),
      ("POST", "/", "localhost", 405), ("GET", "/page.css", "localhost", 200),
      ("GET", "/page.js", "localhost", 200), ("GET", "/cards/1.png", "localhost", 404),
      ("GET", "/cards/../key.png", "localhost", 404), ("GET", "/elsewhere", "localhost", 404),
      ("POST", "/phones/0a/offline", "localhost", 200), ("POST", "/phones/0A/online", "[::1]", 200),
      ("GET", "/phones/0a/offline", "localhost", 405), ("POST", "/phones/0a", "localhost", 405),
      ("POST", "/phones/0a/off", "localhost", 405), ("POST", "/phones/0a0/offline", "::1", 400),
      ("POST", "/phones/zz/online", "localhost", 400),
      ("POST", "/phones/0a/offline", "evil.example", 421),
    ])
  func routes(method: String, path: String, host: String, status: Int) async throws {
    let routes = SandboxPageRoutes(
      host: "push.test", feed: SandboxFeed(), phones: try Self.phones())
    let headers = host.isEmpty ? [] : [("Host", host)]
    let answer = await routes.answer(HTTPRequest(method: method, path: path, headers: headers))
    #expect(answer.status == status)
  }

  @Test(
    "a page of another site takes no phone offline",
    arguments: [
      (nil, 200), ("http://localhost:7", 200), ("http://localhost", 403),
      ("https://localhost:7", 403), ("http://evil.example", 403), ("null", 403),
    ] as [(String?, Int)])
  func origins(origin: String?, status: Int) async throws {
    let routes = SandboxPageRoutes(
      host: "localhost", feed: SandboxFeed(), phones: try Self.phones())
    let headers = [("Host", "localhost:7")] + (origin.map { [("Origin", $0)] } ?? [])
    let answer = await routes.answer(
      HTTPRequest(method: "POST", path: "/phones/0a/offline", headers: headers))
    #expect(answer.status == status)
  }

  @Test("a row says what became of a push to a phone that was offline")
  func fates() async throws {
    let (page, feed, url) = try open()
    let fates = [
      ("stored", "stored until"), ("replaced", "replaced by"), ("expired", "expired while"),
      ("delivered", "delivered when"), ("not-stored", "not stored for"), ("no-room", "is full"),
    ]
    for number in fates.indices { feed.add(line: Self.line(number)) }
    for (number, fate) in fates.enumerated() {
      feed.add(line: #"{"connection":1,"stream":\#(number),"delivery":"\#(fate.0)"}"#)
    }
    // The request is no longer on the page.
    feed.add(line: #"{"connection":2,"stream":1,"delivery":"stored"}"#)
    await settled(feed, change: 2 * fates.count)
    let rows = await get(url).split(separator: "<li ").dropFirst().reversed()
    #expect(rows.count == fates.count)
    for (row, fate) in zip(rows, fates) {
      #expect(row.contains("<strong>200 accepted, ") && row.contains(fate.1), "\(row)")
    }
    await page.stop()
  }

  @Test("a push to a simulated phone shows its card, which is served")
  func card() async throws {
    let folder = TemporaryFolder()
    let place = try Place()
    let sandbox = try await RunningSandbox.start(
      place, ["--forward", folder.url.path, "--page", "127.0.0.1:0", "--latency", "1ms±1ms"])
    let page = try #require(await sandbox.nextLine())
    #expect(page.hasPrefix("page: http://127.0.0.1:"))
    let url = try #require(URL(string: String(page.dropFirst(6))))
    let result = await place.send(
      sandbox, ["--token", "0a0b"], payload: #"{"aps":{"alert":{"title":"Zoë","body":"Hi <3"}}}"#)
    #expect(result.code == .success)
    var text = ""
    while !text.contains("<img"), !Task.isCancelled { text = await get(url) }
    #expect(text.contains(#"<img src="/cards/1.png" alt="Zoë. Hi &lt;3">"#))
    let picture = await get(
      url.appending(path: "cards/1.png"), ["--output", place.path("got.png")])
    #expect(picture.isEmpty)
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.path("got.png"))).count > 1000)
    #expect(await sandbox.stop() == .success)
  }

  @Test(
    "a push that shows no notification on a simulated phone says why",
    arguments: [
      ("liveactivity", ".push-type.liveactivity", "starts a Live Activity (lock-screen, "),
      ("widgets", ".push-type.widgets", "reloads the app&#39;s widgets"),
      ("alert", "", "there is no title, subtitle or body"),
    ])
  func noCard(type: String, suffix: String, reason: String) async throws {
    let folder = TemporaryFolder()
    let place = try Place()
    let sandbox = try await RunningSandbox.start(
      place, ["--forward", folder.url.path, "--page", "127.0.0.1:0"])
    let page = try #require(await sandbox.nextLine())
    let url = try #require(URL(string: String(page.dropFirst(6))))
    let payload =
      switch type {
      case "alert": #"{"aps":{"badge":1}}"#
      case "widgets": #"{"aps":{"content-changed":true}}"#
      default:
        #"{"aps":{"timestamp":1,"event":"start","attributes-type":"Order","attributes":{},"#
          + #""content-state":{},"alert":{"title":"Order"}}}"#
      }
    let words = ["--token", "0a0b", "--push-type", type, "--topic", "com.example.app" + suffix]
    let result = await place.send(sandbox, words, payload: payload)
    #expect(result.code == .success)
    var text = ""
    while !text.contains("The phone shows no notification"), !Task.isCancelled {
      text = await get(url)
    }
    #expect(text.contains(reason), "\(text)")
    #expect(await sandbox.stop() == .success)
  }

  @Test("a page that cannot listen is exit 1, and one line that says why")
  func inUse() async throws {
    let (page, _, _) = try open()
    let place = try Place()
    let result = await place.run([
      "apns-sandbox", "--listen", "127.0.0.1:0", "--data", place.path("data"), "--page",
      "127.0.0.1:\(page.port)",
    ])
    #expect(result.code == .failure)
    #expect(result.errors.count == 1)
    #expect(result.errors.first?.contains("--page") == true)
    await page.stop()
  }
}
