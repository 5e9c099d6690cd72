import Foundation
import MediaLoading
import PushPayload
import PushStore
import Synchronization
import TestSupport
import Testing
import _Curl
import _HTTPServer

@testable import PushServer

/// A media loader with scripted answers, which records the requested URLs.
final class ScriptedMedia: MediaLoader {
  struct Page: Sendable {
    var status = 200
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// Whether the answer stays open after the body until it is canceled.
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

    func cancel() { finish(MediaLoadError(.canceled, "cancelled")) }
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

@Suite("Media of other servers in the preview", .timeLimit(.minutes(1)))
struct RemoteMediaTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let url = "https://media.example/a"

  private func media(
    _ pages: [String: ScriptedMedia.Page], _ clock: ManualClock = ManualClock()
  ) -> (RemoteMedia, ScriptedMedia) {
    let loader = ScriptedMedia(pages)
    let folder = TemporaryFolder().path("preview")
    return (RemoteMedia(folder: folder, clock: clock.serverClock) { loader }, loader)
  }

  private func picture(of count: Int) -> [UInt8] {
    Self.png + [UInt8](repeating: 0, count: count - Self.png.count)
  }

  @Test("a remote picture, or its absence, is cached for five minutes")
  func kept() async throws {
    let clock = ManualClock()
    let (remote, loader) = media([Self.url: .init(body: picture(of: 100))], clock)
    let file = try #require(await remote.medium(of: Self.url)?.file)
    #expect(FileManager.default.contents(atPath: file) == Data(picture(of: 100)))
    #expect(await remote.medium(of: "https://none.example/") == nil)
    clock.advance(by: RemoteMedia.life - .milliseconds(1))
    #expect(await remote.medium(of: Self.url)?.file == file)
    #expect(await remote.medium(of: "https://none.example/") == nil)
    #expect(loader.asked.count == 2)
    clock.advance(by: .milliseconds(1))
    _ = await remote.medium(of: Self.url)
    #expect(loader.asked.count == 3)
  }

  @Test("a picture of 10 MB is shown, one of 10 MB and a byte is not")
  func size() async throws {
    for (count, isShown) in [(10_000_000, true), (10_000_001, false)] {
      let (remote, _) = media([Self.url: .init(body: picture(of: count))])
      #expect((await remote.medium(of: Self.url) != nil) == isShown)
    }
  }

  @Test("the bytes decide the type; only the start of videos and sounds is downloaded")
  func kinds() async {
    let film =
      Array("\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom".utf8) + [UInt8](repeating: 0, count: 100)
    let (remote, _) = media([
      Self.url: .init(headers: ["Content-Type": "image/png"], body: film, isEndless: true),
      "https://html.example/a.png": .init(
        headers: ["Content-Type": "image/png"], body: Array("<!doctype html>".utf8)),
      "https://gone.example/a.png": .init(status: 404, body: picture(of: 100)),
      "https://cut.example/a.png": .init(headers: ["Content-Length": "60000000"]),
    ])
    let medium = await remote.medium(of: Self.url)
    #expect(medium?.family == .movie && medium?.file == nil)
    for url in [
      "https://html.example/a.png", "https://gone.example/a.png", "https://cut.example/a.png",
    ] {
      #expect(await remote.medium(of: url) == nil)
    }
  }

  @Test("a server that does not finish its answer is left after five seconds")
  func endless() async {
    let clock = ManualClock()
    let (remote, _) = media([Self.url: .init(body: picture(of: 100), isEndless: true)], clock)
    async let medium = remote.medium(of: Self.url)
    let waker = Task {
      while !Task.isCancelled {
        clock.advance(by: .seconds(1))
        await Task.yield()
      }
    }
    #expect(await medium == nil)
    waker.cancel()
  }

  @Test(
    "at most five redirects are followed, to https URLs of public hosts only",
    arguments: [
      (5, "/", true), (6, "/", false), (1, "http://public.example/", false),
      (1, "https://127.0.0.1/", false), (1, "https://[::1]/", false),
      (1, "https://metadata.internal/", false), (1, "https://2130706433/", false),
      (1, "file:///etc/passwd", false), (1, "", false),
    ])
  func redirects(count: Int, to target: String, isShown: Bool) async {
    var pages: [String: ScriptedMedia.Page] = [:]
    for number in 0..<count {
      let next = number == count - 1 && target != "/" ? target : "/\(number + 1)"
      pages["https://media.example/\(number)"] = .init(status: 302, headers: ["Location": next])
    }
    pages["https://media.example/\(count)"] = .init(body: picture(of: 100))
    let (remote, loader) = media(pages)
    #expect((await remote.medium(of: "https://media.example/0") != nil) == isShown)
    #expect(loader.asked.allSatisfy { $0.hasPrefix("https://media.example/") })
  }

  @Test(
    "only https URLs of public hosts are requested",
    arguments: [
      "http://media.example/a.png", "https://localhost/a.png", "https://10.0.0.1/a.png",
      "https://user:secret@media.example/a.png", "ftp://media.example/", "", "a.png",
      "https://media.example/" + String(repeating: "x", count: 4096),
    ])
  func refused(url: String) async {
    let (remote, loader) = media([url: .init(body: picture(of: 100))])
    #expect(await remote.medium(of: url) == nil)
    #expect(loader.asked.isEmpty)
  }

  @Test("a public host name with a private address is not connected to")
  func rebinding() async throws {
    let asked = Mutex(0)
    let server = try HTTPServer(HTTPServer.Configuration()) { _ in
      asked.withLock { $0 += 1 }
      return HTTPResponse(status: 200)
    }
    let remote = RemoteMedia(
      folder: TemporaryFolder().path("preview"), clock: .system
    ) {
      CurlMediaLoader(hosts: ["media.example": "127.0.0.1"])
    }
    #expect(await remote.medium(of: "https://media.example:\(server.port)/a.png") == nil)
    #expect(asked.withLock(\.self) == 0)
    await server.stop()
  }

  @Test("the card of the composer shows the picture of another server")
  func card() async throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let bytes = Array(try Data(contentsOf: root.appending(path: "Fixtures/media/picture.png")))
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
