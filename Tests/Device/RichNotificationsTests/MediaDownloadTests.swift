import Foundation
import MediaLoading
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import RichNotifications

@Suite("Range requests and the byte budget", .timeLimit(.minutes(10)))
struct MediaDownloadTests {
  typealias Delivery = FallbackOrderTests.Delivery

  /// The load that requests the rest after a load was lost after 600 of 608 bytes.
  static func resumed(_ delivery: Delivery) throws -> ManualLoader.Load {
    let first = try #require(delivery.loader.sink)
    _ = first.receive(
      MediaResponseHead(status: 200, headers: ["ETag": "\"v1\"", "Content-Length": "608"]))
    first.feed(Array(Sample.png.prefix(600)))
    first.finish(MediaLoadError(.network, "reset"))
    delivery.clock.advance(to: .milliseconds(500))
    return try #require(delivery.loader.loads.last)
  }

  @Test(
    "RFC 9110 15.3.7.3: a range of another version, or another range, is not combined",
    arguments: [
      ["ETag": "\"v2\"", "Content-Range": "bytes 600-607/608"],
      ["ETag": "\"v1\"", "Content-Range": "bytes 599-606/608"],
    ])
  func otherPart(headers: [String: String]) throws {
    let delivery = Delivery(Sample.payload(["https://a/1"]))
    try Self.resumed(delivery).sink.respond(206, headers, body: [UInt8](repeating: 7, count: 8))
    #expect(delivery.content == nil)
    delivery.clock.advance(to: .milliseconds(1500))
    #expect(delivery.loader.loads.count == 3)
    #expect(delivery.loader.loads.last?.request.headers == [:], "from the start")
    delivery.loader.sink?.respond(200, body: Sample.png)
    let media = try #require(delivery.content?.attachments.first)
    #expect(try Data(contentsOf: media.file) == Data(Sample.png))
  }

  @Test("a range that ends before the file is not the end of the file")
  func shortPart() throws {
    let delivery = Delivery(Sample.payload(["https://a/1"]))
    try Self.resumed(delivery).sink.respond(
      206, ["Content-Range": "bytes 600-603/608", "Content-Length": "4"],
      body: Array(Sample.png[600..<604]))
    #expect(delivery.content == nil)
    delivery.clock.advance(to: .milliseconds(1500))
    let third = try #require(delivery.loader.loads.last)
    #expect(third.request.headers == ["Range": "bytes=604-", "If-Range": "\"v1\""])
    third.sink.respond(
      206, ["Content-Range": "bytes 604-607/608"], body: Array(Sample.png.suffix(4)))
    let media = try #require(delivery.content?.attachments.first)
    #expect(try Data(contentsOf: media.file) == Data(Sample.png))
  }

  /// The load of a redirect's target, whose connection was lost after 600 of 608 bytes, when it is requested again.
  private static func resumedRedirect(_ delivery: Delivery) throws -> ManualLoader.Load {
    delivery.loader.sink?.respond(302, ["Location": "https://cdn/first"])
    delivery.breakOff(tag: "\"v1\"")
    delivery.clock.advance(to: .milliseconds(500))
    let third = try #require(delivery.loader.loads.last)
    #expect(third.request.headers == ["Range": "bytes=600-", "If-Range": "\"v1\""])
    // A server that signs its addresses gives another one each time.
    third.sink.respond(302, ["Location": "https://cdn/second"])
    let load = try #require(delivery.loader.loads.last)
    #expect(load.request.headers == third.request.headers)
    #expect(
      delivery.urls == ["https://a/1", "https://cdn/first", "https://a/1", "https://cdn/second"])
    return load
  }

  @Test("a download that is redirected is resumed where it broke off")
  func redirectedPart() throws {
    let delivery = Delivery(Sample.payload(["https://a/1"]))
    try Self.resumedRedirect(delivery).sink.respond(
      206, ["ETag": "\"v1\"", "Content-Range": "bytes 600-607/608"],
      body: Array(Sample.png.suffix(8)))
    let media = try #require(delivery.content?.attachments.first)
    #expect(try Data(contentsOf: media.file) == Data(Sample.png))
    #expect(delivery.folder.contents.count == 1)
  }

  @Test("a redirected download of a file that has changed begins from the start")
  func redirectedWhole() throws {
    let delivery = Delivery(Sample.payload(["https://a/1"]))
    let other = Sample.png + [1]
    try Self.resumedRedirect(delivery).sink.respond(200, ["ETag": "\"v2\""], body: other)
    let media = try #require(delivery.content?.attachments.first)
    #expect(try Data(contentsOf: media.file) == Data(other))
    #expect(delivery.folder.contents.count == 1)
  }

  @Test("a redirect that leads nowhere leaves no partial file")
  func redirectedNowhere() throws {
    let delivery = Delivery(Sample.payload(["https://a/1"]))
    try Self.resumedRedirect(delivery).sink.respond(302, ["Location": "https://cdn/second"])
    #expect(delivery.content?.media.map(\.reason) == [.redirects])
    #expect(delivery.folder.contents.isEmpty)
  }

  @Test("a partial file is deleted before the delivery, even while it waits for a retry")
  func noRest() throws {
    let (loader, clock, folder) = (ManualLoader(), ManualClock(), TemporaryFolder())
    let files = Mutex<[[String]]>([])
    let delivery = RichDelivery(
      IncomingNotification(
        payload: Sample.payload(["https://a/1"]), text: NotificationText(body: "B")),
      environment: Sample.environment(loader, clock: clock, folder: folder.url)
    ) { _ in files.withLock { $0.append(folder.contents) } }
    delivery.begin()
    let sink = try #require(loader.sink)
    _ = sink.receive(MediaResponseHead(status: 200, headers: ["ETag": "\"v1\""]))
    sink.feed(Sample.png)
    sink.finish(MediaLoadError(.network, "reset"))
    #expect(folder.contents.count == 1, "kept for the next try")
    delivery.expire()
    #expect(files.withLock { $0 } == [[]])
    withExtendedLifetime(delivery) {}
  }

  @Test("of two videos that exceed the budget together, one is shown")
  func budget() throws {
    let delivery = Delivery(Sample.payload(["https://a/1", "https://a/2"])) {
      $0.media.maximumBytes = 1000
    }
    let sinks = delivery.loader.loads.map(\.sink)
    let head = MediaResponseHead(status: 200, headers: ["Content-Length": "608"])
    let goesOn = sinks.map { $0.receive(head) == .proceed }
    #expect(goesOn == [true, false])
    sinks[1].finish(MediaLoadError(.refused, "refused"))
    sinks[0].feed(Sample.png)
    sinks[0].finish(nil)
    let content = try #require(delivery.content)
    #expect(content.media.map(\.result) == [.attached, .failed])
    #expect(content.media.map(\.reason) == [nil, .budget])
  }

  @Test("the bytes reserved by a failed load are available to the next one")
  func givenBack() {
    let delivery = Delivery(Sample.payload(["https://a/1"])) { $0.media.maximumBytes = 1000 }
    let head = MediaResponseHead(status: 200, headers: ["Content-Length": "608"])
    #expect(delivery.loader.sink?.receive(head) == .proceed)
    delivery.loader.sink?.finish(MediaLoadError(.network, "reset"))
    delivery.clock.advance(to: .milliseconds(500))
    delivery.loader.sink?.respond(200, ["Content-Length": "608"], body: Sample.png)
    #expect(delivery.content?.attachments.count == 1)
  }
}
