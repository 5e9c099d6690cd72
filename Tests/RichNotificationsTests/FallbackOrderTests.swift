import Foundation
import MediaLoading
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import RichNotifications

/// The machine, its runner and real files, under a network that answers word by word.
@Suite("Always the best that can be had in time")
struct FallbackOrderTests {
  /// One delivery, and what it came to.
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

    /// What was handed over; `nil` before that, and where it happened twice.
    var content: EnrichedContent? {
      contents.withLock { $0.count == 1 ? $0[0] : nil }
    }

    /// Answers with 600 of 608 bytes under an entity tag, then a reset.
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

  @Test("a broken connection: the rest is asked for, under the tag of what had come")
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

  @Test("the file has changed meanwhile: it is taken from its beginning")
  func changed() throws {
    let delivery = Delivery(Sample.payload(["https://a/1"]))
    delivery.breakOff(tag: "\"v1\"")
    delivery.clock.advance(to: .milliseconds(500))
    let changed = Sample.png + [9]
    delivery.loader.sink?.respond(200, ["ETag": "\"v2\""], body: changed)
    let media = try #require(delivery.content?.attachments.first)
    #expect(try Data(contentsOf: media.file) == Data(changed))
  }

  @Test("without a strong tag the whole file is asked for again")
  func fromTheStart() throws {
    let delivery = Delivery(Sample.payload(["https://a/1"]))
    delivery.breakOff(tag: "W/\"v1\"")
    #expect(delivery.folder.contents == [], "nothing can be built upon it")
    delivery.clock.advance(to: .milliseconds(500))
    #expect(delivery.loader.loads.last?.request.headers == [:])
  }

  @Test("a rest that is refused with 416 is asked for from the start")
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

  @Test("a film that stalls gives way in time to its other address, then to its poster")
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

  @Test("at the deadline: what is finished, in order, and the alternative text for the rest")
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

  @Test("one bad item of three costs itself alone")
  func oneBad() throws {
    let delivery = Delivery(Sample.payload(["https://a/1", "ftp://a/2", "https://a/3"]))
    for load in delivery.loader.loads { load.sink.respond(200, body: Sample.png) }
    #expect(delivery.content?.attachments.map(\.url) == ["https://a/1", "https://a/3"])
  }

  @Test("one URL twice is fetched once and attached twice, each a file of its own")
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

  @Test("a redirect is asked by a request of its own, and checked before it")
  func redirect() {
    let delivery = Delivery(Sample.payload(["https://a/1"]))
    delivery.loader.sink?.respond(302, ["Location": "//b/2?x=1"])
    #expect(delivery.urls == ["https://a/1", "https://b/2?x=1"])
    delivery.loader.sink?.respond(307, ["Location": "http://b/3"])
    #expect(delivery.content?.media.map(\.reason) == [.notHTTPS])
    #expect(delivery.urls.count == 2)
  }

  @Test("the trace names every decision by its rule, and keeps URLs apart")
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
