import Foundation
import MediaLoading
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import RichNotifications

/// The engine with real files and loads that the tests drive piece by piece.
@Suite("Retries, resumption and fallbacks")
struct FallbackOrderTests {
  /// A delivery and its result.
  final class Delivery: Sendable {
    let loader = ManualLoader()
    let clock = ManualClock()
    let folder = TemporaryFolder()
    private let contents = Mutex<[EnrichedContent]>([])

    init(_ payload: JSONValue, _ change: (inout RichConfiguration) -> Void = { _ in }) {
      var configuration = RichConfiguration()
      change(&configuration)
      let delivery = RichDelivery(
        IncomingNotification(payload: payload, text: NotificationText(title: "T", body: "B")),
        configuration: configuration,
        environment: Sample.environment(loader, clock: clock, folder: folder.url)
      ) { content in
        self.contents.withLock { $0.append(content) }
      }
      delivery.begin()
    }

    /// The delivered content; `nil` before the delivery, and if there were two.
    var content: EnrichedContent? {
      contents.withLock { $0.count == 1 ? $0[0] : nil }
    }

    /// Responds with 600 of 608 bytes and an entity tag, then resets the connection.
    func breakOff(tag: String) {
      guard let sink = loader.sink else { return }
      _ = sink.receive(
        MediaResponseHead(status: 200, headers: ["ETag": tag, "Content-Length": "608"]))
      sink.feed(Array(Sample.png.prefix(600)))
      sink.finish(MediaLoadError(.network, "reset"))
    }

    var urls: [String] { loader.loads.map(\.request.url.absoluteString) }
  }

  static func one(_ more: [String: JSONValue]) -> JSONValue {
    let media = more.merging(["url": "https://a/1"]) { given, _ in given }
    return ["_martlet": ["media": [.object(media)], "alternative_text": "alt"]]
  }

  @Test("after a lost connection the rest is requested with the entity tag")
  func resumes() throws {
    let delivery = Delivery(Sample.payload(["https://a/1"]))
    delivery.breakOff(tag: "\"v1\"")
    #expect(delivery.clock.due == [.milliseconds(500), .seconds(25)])
    delivery.clock.advance(to: .milliseconds(500))
    let second = try #require(delivery.loader.loads.last)
    #expect(second.request.headers == ["Range": "bytes=600-", "If-Range": "\"v1\""])
    second.sink.respond(
      206, ["ETag": "\"v1\"", "Content-Range": "bytes 600-607/608"],
      body: Array(Sample.png.suffix(8)))
    let media = try #require(delivery.content?.attachments.first)
    #expect(try Data(contentsOf: media.file) == Data(Sample.png))
    #expect(media.bytes == 608)
    #expect(delivery.content?.media.map(\.requestCount) == [2])
    #expect(delivery.folder.contents.count == 1)
  }

  @Test("a file that has changed is received from its beginning")
  func changed() throws {
    let delivery = Delivery(Sample.payload(["https://a/1"]))
    delivery.breakOff(tag: "\"v1\"")
    delivery.clock.advance(to: .milliseconds(500))
    let changed = Sample.png + [9]
    delivery.loader.sink?.respond(200, ["ETag": "\"v2\""], body: changed)
    let media = try #require(delivery.content?.attachments.first)
    #expect(try Data(contentsOf: media.file) == Data(changed))
  }

  @Test("without a strong tag the whole file is requested again")
  func fromTheStart() throws {
    let delivery = Delivery(Sample.payload(["https://a/1"]))
    delivery.breakOff(tag: "W/\"v1\"")
    #expect(delivery.folder.contents == [], "nothing can be built upon it")
    delivery.clock.advance(to: .milliseconds(500))
    #expect(delivery.loader.loads.last?.request.headers == [:])
  }

  @Test("after 416 the whole file is requested")
  func unsatisfiable() throws {
    let delivery = Delivery(Sample.payload(["https://a/1"]))
    delivery.breakOff(tag: "\"v1\"")
    delivery.clock.advance(to: .milliseconds(500))
    delivery.loader.sink?.respond(416)
    delivery.clock.advance(to: .milliseconds(1500))
    #expect(delivery.loader.loads.last?.request.headers == [:])
    delivery.loader.sink?.respond(200, body: Sample.png)
    #expect(delivery.content?.attachments.count == 1)
  }

  @Test("503 twice, then the file")
  func retries() {
    let delivery = Delivery(Sample.payload(["https://a/1"]))
    delivery.loader.sink?.respond(503)
    delivery.clock.advance(to: .milliseconds(500))
    delivery.loader.sink?.respond(503)
    delivery.clock.advance(to: .milliseconds(1500))
    delivery.loader.sink?.respond(200, body: Sample.png)
    #expect(delivery.content?.attachments.count == 1)
    #expect(delivery.content?.media.map(\.requestCount) == [3])
  }

  @Test("a stalled video is replaced in time by its other URL, then by its poster")
  func alternatives() throws {
    let delivery = Delivery(
      Self.one(["alternative_url": "https://b/1", "poster_url": "https://c/1"]))
    delivery.clock.advance(to: .seconds(15))
    #expect(delivery.urls == ["https://a/1", "https://b/1"])
    delivery.loader.sink?.respond(404)
    #expect(delivery.urls.last == "https://c/1")
    delivery.loader.sink?.respond(200, body: Sample.png)
    let content = try #require(delivery.content)
    #expect(content.attachments.map(\.url) == ["https://c/1"])
    #expect(content.media.map(\.result) == [.alternative])
    #expect(content.media.map(\.reason) == [.timeout])
    #expect(content.text.body == "B", "a picture is shown, so the text stays")
  }

  @Test("at the deadline finished files are attached in order, and the fallback text is the body")
  func deadline() throws {
    let delivery = Delivery(Sample.payload(["https://a/1", "https://a/2", "https://a/3"]))
    let sinks = delivery.loader.loads.map(\.sink)
    sinks[2].respond(200, body: Sample.png)
    sinks[0].respond(200, body: Sample.png)
    #expect(delivery.content == nil)
    delivery.clock.advance(to: .seconds(25))
    let content = try #require(delivery.content)
    #expect(content.attachments.map(\.url) == ["https://a/1", "https://a/3"])
    #expect(content.media.map(\.result) == [.attached, .failed, .attached])
    #expect(content.text.body == "alt")
    #expect(delivery.folder.contents.count == 2)
  }

  @Test("one invalid file of three does not affect the others")
  func oneBad() throws {
    let delivery = Delivery(Sample.payload(["https://a/1", "ftp://a/2", "https://a/3"]))
    for load in delivery.loader.loads { load.sink.respond(200, body: Sample.png) }
    #expect(delivery.content?.attachments.map(\.url) == ["https://a/1", "https://a/3"])
  }

  @Test("a repeated URL is fetched once and attached twice, as two files")
  func twice() throws {
    let delivery = Delivery(Sample.payload(["https://a/1", "https://a/1"]))
    #expect(delivery.urls == ["https://a/1"])
    delivery.loader.sink?.respond(200, body: Sample.png)
    let files = try #require(delivery.content?.attachments.map(\.file))
    #expect(Set(files).count == 2)
    for file in files { #expect(try Data(contentsOf: file) == Data(Sample.png)) }
  }

  @Test("the bytes of all media together have a limit", arguments: [(1216, 2), (1215, 1)])
  func budget(bytes: Int64, attached: Int) {
    let delivery = Delivery(Sample.payload(["https://a/1", "https://a/2"])) {
      $0.media.maximumBytes = bytes
    }
    for load in delivery.loader.loads { load.sink.respond(200, body: Sample.png) }
    #expect(delivery.content?.attachments.count == attached)
    if attached == 1 { #expect(delivery.content?.media.last?.reason == .budget) }
  }

  @Test("a redirect is checked, then followed by a new request")
  func redirect() {
    let delivery = Delivery(Sample.payload(["https://a/1"]))
    delivery.loader.sink?.respond(302, ["Location": "//b/2?x=1"])
    #expect(delivery.urls == ["https://a/1", "https://b/2?x=1"])
    delivery.loader.sink?.respond(307, ["Location": "http://b/3"])
    #expect(delivery.content?.media.map(\.reason) == [.notHTTPS])
    #expect(delivery.urls.count == 2)
  }

  @Test("the trace has the rule of every decision, and URLs only as private details")
  func trace() {
    let events = Mutex<[TraceEvent]>([])
    let delivery = Delivery(Sample.payload(["https://a/secret-path"])) {
      $0.trace = { event in events.withLock { $0.append(event) } }
    }
    delivery.loader.sink?.respond(302, ["Location": "https://a/other-secret"])
    delivery.loader.sink?.respond(503)
    delivery.clock.advance(to: .seconds(25))
    let all = events.withLock { $0 }
    #expect(
      all.map(\.rule) == [
        "chosen", "planned", "fetch", "redirect", "fetch", "http-status", "retry",
        "fetch", "timeout", "outcome", "alternative-text", "handed-over",
      ])
    #expect(!all.contains { $0.message.contains("secret") })
    #expect(all.filter { $0.privateDetail?.contains("secret") == true }.count == 8)
    #expect(all.map(\.at) == all.map(\.at).sorted())
  }
}
