import Foundation
import MediaLoading
import NotificationHost
import NotificationPreview
import NotificationTemplates
import PushModel
import PushPayload
import Synchronization
import TestSupport
import Testing
import NotificationCards
import _Curl
import _HTTPServer

@testable import PushServer

/// A loader with scripted pages, which records the requests.
final class ScriptedMedia: MediaLoader {
  struct Page: Sendable {
    var status = 200
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// Whether the load stays open after the body until it is canceled.
    var isEndless = false
  }

  private final class Load: MediaLoad {
    let sink: any MediaSink
    let isOver = Mutex(false)

    init(_ sink: any MediaSink) { self.sink = sink }

    func finish(_ error: MediaLoadError?) {
      let isFirst = isOver.withLock { over in
        defer { over = true }
        return !over
      }
      if isFirst { sink.finish(error) }
    }

    func cancel() { finish(MediaLoadError(.canceled, "canceled")) }
  }

  private let pages: [String: Page]
  private let requests = Mutex<[MediaRequest]>([])
  var asked: [String] { requests.withLock { $0.map(\.url.absoluteString) } }

  init(_ pages: [String: Page]) { self.pages = pages }

  func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    requests.withLock { $0.append(request) }
    #expect(!request.allowsPrivateAddress)
    let load = Load(sink)
    guard let page = pages[request.url.absoluteString] else {
      load.finish(MediaLoadError(.offline, "offline"))
      return load
    }
    let refused = MediaLoadError(.refused, "refused")
    let head = MediaResponseHead(status: page.status, headers: page.headers)
    guard sink.receive(head) == .proceed else {
      load.finish(refused)
      return load
    }
    for start in stride(from: 0, to: page.body.count, by: 65_536) {
      let piece = Array(page.body[start..<min(start + 65_536, page.body.count)])
      guard piece.withUnsafeBytes({ sink.receive($0) }) == .proceed else {
        load.finish(refused)
        return load
      }
    }
    if !page.isEndless { load.finish(nil) }
    return load
  }
}

@Suite("Media of other servers in the preview", .timeLimit(.minutes(10)))
struct RemoteMediaTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let url = "https://media.example/a"
  private static let film =
    Array("\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom".utf8)
    + [UInt8](repeating: 0, count: MediaAnswer.beginning)

  private func preview(
    _ pages: [String: ScriptedMedia.Page], _ clock: ManualClock = ManualClock()
  ) -> (MediaPreview, ScriptedMedia) {
    let loader = ScriptedMedia(pages)
    let remote = RemoteMedia(
      folder: TemporaryFolder().path("preview"), clock: clock.serverClock
    ) { loader }
    let preview = MediaPreview(uploads: nil, remoteMedia: remote, clock: clock.serverClock)
    return (preview, loader)
  }

  private func card(
    of url: String, _ preview: MediaPreview, waiting wait: Duration = MediaPreview.longWait
  ) async throws -> NotificationCard {
    let payload: JSONValue = [
      "aps": ["alert": "Text", "mutable-content": 1],
      "_martlet": ["media": [["url": .string(url)]], "alternative_text": "Alternative"],
    ]
    return try #require(
      try await preview.card(of: PushMessage(payload: payload), appName: "App", waiting: wait))
  }

  /// Whether the medium is shown; where it is not, the alternative text has to be.
  private func isShown(_ url: String, _ preview: MediaPreview) async throws -> Bool {
    let card = try await card(of: url, preview)
    #expect(card.body == (card.attachments.isEmpty ? "Alternative" : "Text"))
    #expect(card.attachments.allSatisfy { !$0.path.isEmpty })
    return !card.attachments.isEmpty
  }

  private func picture(of count: Int) -> [UInt8] {
    Self.png + [UInt8](repeating: 0, count: count - Self.png.count)
  }

  @Test("a picture is fetched once and kept for five minutes; so is a failure")
  func kept() async throws {
    let clock = ManualClock()
    let (preview, loader) = preview([Self.url: .init(body: picture(of: 100))], clock)
    let none = "https://none.example/"
    let file = try #require(try await card(of: Self.url, preview).attachments.first?.path)
    #expect(FileManager.default.contents(atPath: file) == Data(picture(of: 100)))
    #expect(try await !isShown(none, preview))
    clock.advance(by: RemoteMedia.life - .milliseconds(1))
    #expect(try await card(of: Self.url, preview).attachments.first?.path == file)
    #expect(try await !isShown(none, preview))
    #expect(loader.asked.count == 2)
    clock.advance(by: .milliseconds(1))
    #expect(try await isShown(Self.url, preview))
    #expect(loader.asked.count == 3)
  }

  @Test("10 MB of picture are shown, and one byte more is not", arguments: [true, false])
  func size(isAnnounced: Bool) async throws {
    for (count, isShown) in [(10_000_000, true), (10_000_001, false)] {
      let headers = isAnnounced ? ["Content-Length": "\(count)"] : [:]
      let (preview, _) = preview([Self.url: .init(headers: headers, body: picture(of: count))])
      #expect(try await self.isShown(Self.url, preview) == isShown)
    }
  }

  @Test("the bytes tell the type; of films and sounds no more than the beginning is fetched")
  func kinds() async throws {
    let (preview, _) = preview([
      Self.url: .init(headers: ["Content-Type": "image/png"], body: Self.film, isEndless: true),
      "https://large.example/a.mp4": .init(
        headers: ["Content-Length": "50000001"], body: Self.film, isEndless: true),
      "https://html.example/a.png": .init(
        headers: ["Content-Type": "image/png"], body: Array("<!doctype html>".utf8)),
      "https://gone.example/a.png": .init(status: 404, body: picture(of: 100)),
      "https://cut.example/a.png": .init(headers: ["Content-Length": "60000000"]),
    ])
    let film = try await card(of: Self.url, preview)
    #expect(film.attachments.map(\.kind) == [.video])
    #expect(film.body == "Text")
    for url in [
      "https://large.example/a.mp4", "https://html.example/a.png", "https://gone.example/a.png",
      "https://cut.example/a.png",
    ] {
      #expect(try await !isShown(url, preview), "\(url)")
    }
  }

  @Test("a film whose beginning alone is known is shown, whatever SHA-256 the payload names")
  func digest() async throws {
    let (preview, _) = preview([
      "https://a.example/film.mp4": .init(body: Self.film, isEndless: true),
      "https://a.example/a.png": .init(body: picture(of: 100)),
    ])
    let digest = JSONValue.string(String(repeating: "ab", count: 32))
    let payload: JSONValue = [
      "aps": ["alert": "Text", "mutable-content": 1],
      "_martlet": [
        "media": [
          ["url": "https://a.example/film.mp4", "sha256": digest],
          ["url": "https://a.example/a.png", "sha256": digest],
        ]
      ],
    ]
    let card = try await preview.card(of: PushMessage(payload: payload), appName: "App")
    #expect(card?.attachments.map(\.kind) == [.video])
  }

  @Test("a server that does not come to an end is given up after five seconds")
  func endless() async throws {
    let clock = ManualClock()
    let (preview, _) = preview([Self.url: .init(body: picture(of: 100), isEndless: true)], clock)
    async let isShown = isShown(Self.url, preview)
    // The limit of the server, and the limit of the preview.
    try await until { clock.sleeperCount == 2 }
    clock.advance(by: RemoteMedia.timeLimit)
    #expect(try await !isShown)
  }

  @Test(
    "a picture of a template that has not come yet is shown as loading, one that failed is left out"
  )
  func template() async throws {
    let names = ["a", "b", "c"].map { "https://media.example/\($0).png" }
    let pages = names.map { ["media": ["url": .string($0)]] as JSONValue }
    let payload: JSONValue = [
      "aps": ["alert": "Text", "category": "shop", "mutable-content": 1],
      "_martlet": ["template": ["kind": "carousel", "pages": .array(pages)]],
    ]
    let clock = ManualClock()
    let (preview, _) = preview(
      [
        names[0]: .init(body: picture(of: 100)),
        names[2]: .init(body: picture(of: 100), isEndless: true),
      ], clock)
    let message = PushMessage(payload: payload)
    // Nothing is waited for.
    let early = try #require(
      try await preview.card(of: message, appName: "App", waiting: .zero))
    #expect(early.template?.template.pages.map(\.media.url) == names)
    #expect(early.template.map { Set($0.files.values) } == [""] && early.isLoading)
    async let later = preview.card(of: message, appName: "App")
    // The limit of the server, and the limit of the preview.
    try await until { clock.sleeperCount == 2 }
    clock.advance(by: RemoteMedia.timeLimit)
    let late = try #require(try await later)
    #expect(late.template?.template.media.map(\.url) == [names[0]] && !late.isLoading)
    #expect(late.template?.template.kind == .banner)
  }

  @Test("a medium that has not come yet is shown as loading, and as it is when it has come")
  func loading() async throws {
    let clock = ManualClock()
    let url = "https://media.example/film.mp4?size=1"
    let (preview, loader) = preview(
      [url: .init(body: Self.film.dropLast(1000), isEndless: true)], clock)
    // Nothing is waited for.
    let early = try await card(of: url, preview, waiting: .zero)
    #expect(early.body == "Text")
    #expect(early.attachments.map(\.path) == [""])
    #expect(early.attachments.map(\.kind) == [.video])
    #expect(early.attachments.map(\.name) == ["film.mp4"])
    async let isShown = isShown(url, preview)
    // The limit of the server, and the limit of the preview.
    try await until { clock.sleeperCount == 2 }
    clock.advance(by: RemoteMedia.timeLimit)
    #expect(try await !isShown)
    #expect(loader.asked.count == 1)
  }

  @Test(
    "at most five redirects are followed, to https URLs of public hosts only",
    arguments: [
      (5, "/", true), (6, "/", false), (1, "http://public.example/", false),
      (1, "https://127.0.0.1/", false), (1, "https://[::1]/", false),
      (1, "https://metadata.internal/", false), (1, "https://2130706433/", false),
      (1, "file:///etc/passwd", false), (1, "", false),
    ])
  func redirects(count: Int, to target: String, isShown: Bool) async throws {
    var pages: [String: ScriptedMedia.Page] = [:]
    for number in 0..<count {
      let next = number == count - 1 && target != "/" ? target : "/\(number + 1)"
      pages["https://media.example/\(number)"] = .init(status: 302, headers: ["Location": next])
    }
    pages["https://media.example/\(count)"] = .init(body: picture(of: 100))
    let (preview, loader) = preview(pages)
    #expect(try await self.isShown("https://media.example/0", preview) == isShown)
    #expect(loader.asked.allSatisfy { $0.hasPrefix("https://media.example/") })
  }

  @Test(
    "only https URLs of public hosts are requested",
    arguments: [
      "http://media.example/a.png", "https://localhost/a.png", "https://10.0.0.1/a.png",
      "https://user:secret@media.example/a.png", "ftp://media.example/", "", "a.png",
      "https://media.example/" + String(repeating: "x", count: 4096),
    ])
  func refused(url: String) async throws {
    let (preview, loader) = preview([url: .init(body: picture(of: 100))])
    _ = try await card(of: url, preview)
    // The server's own check, whatever the engine lets through.
    if let url = URL(string: url), let remote = preview.remoteMedia {
      let answer = await remote.answer(to: url, until: ManualClock().now + .seconds(5))
      guard case .failure = answer else {
        Issue.record("\(answer)")
        return
      }
    }
    #expect(loader.asked.isEmpty)
  }

  @Test("a public host name with a private address is not connected to")
  func rebinding() async throws {
    let asked = Mutex(0)
    let server = try HTTPServer(HTTPServer.Configuration()) { _ in
      asked.withLock { $0 += 1 }
      return HTTPResponse(status: 200)
    }
    let remote = RemoteMedia(folder: TemporaryFolder().path("preview"), clock: .system) {
      CurlMediaLoader(hosts: ["media.example": "127.0.0.1"])
    }
    let preview = MediaPreview(uploads: nil, remoteMedia: remote, clock: .system)
    #expect(try await !isShown("https://media.example:\(server.port)/a.png", preview))
    #expect(asked.withLock(\.self) == 0)
    await server.stop()
  }

  @Test("with media that fail the composer's card shows the alternative text, as a phone does")
  func alternativeText() async throws {
    let fixture = try await Fixture()
    let client = DashboardClient(fixture, media: ScriptedMedia([Self.url: .init(status: 404)]))
    await client.signIn(fixture.keys[.push] ?? "")
    _ = await client.get(client.path("compose"))
    func card(_ fields: KeyValuePairs<String, String>) async -> Fixture.Answer {
      await client.post(client.path("compose"), fields)
    }
    let failed = await card([
      "to": "*", "text": "Text", "media": Self.url, "alternative_text": "Alternative",
      "action": "card",
    ])
    let alternative = await card(["to": "*", "text": "Alternative", "action": "card"])
    let original = await card(["to": "*", "text": "Text", "action": "card"])
    #expect(failed.status == 200)
    #expect(failed.text == alternative.text)
    #expect(failed.text != original.text)
  }

  @Test("the card of the composer shows the picture of another server")
  func card() async throws {
    let bytes = try Fixtures.bytes("media/picture.png")
    let fixture = try await Fixture()
    let loader = ScriptedMedia([Self.url: .init(body: bytes)])
    let client = DashboardClient(fixture, media: loader)
    await client.signIn(fixture.keys[.push] ?? "")
    _ = await client.get(client.path("compose"))
    func card(_ url: String) async -> String {
      await client.post(
        client.path("compose"), ["to": "*", "text": "Hello", "media": url, "action": "card"]
      ).text
    }
    let with = await card(Self.url)
    let without = await card("https://media.example/b")
    #expect(!with.isEmpty && with != without)
    // The preview as JSON, requested at every keystroke, downloads nothing.
    let count = loader.asked.count
    _ = await client.post(
      client.path("compose"), ["to": "*", "text": "x", "media": "https://media.example/c"],
      headers: [("Accept", "application/json")])
    #expect(loader.asked.count == count)
  }
}
