import Foundation
import MediaLoading
import PushPayload
import TestSupport
import Testing

@testable import RichNotifications

@Suite("Receipts and reports are accurate", .timeLimit(.minutes(10)))
struct OutcomeReportTests {
  @Test("a receipt has the reason of its result")
  func reason() throws {
    let folder = TemporaryFolder()
    let settings = ReceiptSettings(
      endpoint: try #require(URL(string: "https://a/v6/receipts")), deviceKey: "k", deviceID: "d",
      folder: folder.url)
    var content = EnrichedContent(text: NotificationText())
    content.messageID = "n"
    content.media = [
      MediaOutcome(url: "1", result: .alternative, reason: .timeout, status: nil, bytes: 0),
      MediaOutcome(url: "2", result: .failed, reason: .tooLarge, status: 200, bytes: 0),
    ]
    let receipt = try #require(DeliveryReceipt(settings, content, at: Date()))
    _ = receipt.save()
    let kept = try #require(settings.queue.waiting().first)
    #expect(kept.media == "failed")
    #expect(kept.reason == "too-large")
  }

  @Test(
    "a receipt says what the extension did, without a text or a URL, unless the app turns it off")
  func trace() throws {
    let folder = TemporaryFolder()
    var settings = ReceiptSettings(
      endpoint: try #require(URL(string: "https://a/v6/receipts")), deviceKey: "k", deviceID: "d",
      folder: folder.url)
    settings.isFocused = { true }
    var content = EnrichedContent(text: NotificationText(title: "Secret"))
    content.messageID = "n"
    content.dialect = .braze
    content.decryption = "ok"
    content.media = (0..<11).map { number in
      MediaOutcome(
        url: "https://secret/\(number)", result: .failed, reason: .httpStatus, status: 404, bytes: 0
      )
    }
    _ = DeliveryReceipt(settings, content, at: Date())?.save()
    let trace = try #require(settings.queue.waiting().first?.trace)
    #expect(trace.dialect == "braze" && trace.decryption == "ok" && trace.focused == true)
    #expect(trace.content == "enriched" && trace.media?.count == 10)
    #expect(trace.media?.first?.reason == "http-status" && trace.media?.first?.status == 404)
    let encoded = String(decoding: try JSONEncoder().encode(trace), as: UTF8.self)
    #expect(!encoded.lowercased().contains("secret"))
    settings.sendsTrace = false
    _ = DeliveryReceipt(settings, content, at: Date())?.save()
    #expect(settings.queue.waiting().map(\.trace) == [nil])
  }

  @Test(
    "a notification of another category, or a withheld one, has a receipt that says so",
    arguments: [true, false])
  func content(isUntouched: Bool) throws {
    let folder = TemporaryFolder()
    let settings = ReceiptSettings(
      endpoint: try #require(URL(string: "https://a/v6/receipts")), deviceKey: "k", deviceID: "d",
      folder: folder.url)
    var content = EnrichedContent(text: NotificationText())
    (content.messageID, content.isUntouched, content.isWithheld) = ("n", isUntouched, !isUntouched)
    _ = DeliveryReceipt(settings, content, at: Date())?.save()
    let trace = settings.queue.waiting().first?.trace
    #expect(trace?.content == (isUntouched ? "untouched" : "withheld"))
  }

  @Test("at the deadline the report has the number of bytes received")
  func progress() throws {
    let delivery = FallbackOrderTests.Delivery(Sample.payload(["https://a/1", "https://a/2"]))
    let sink = try #require(delivery.loader.loads.last?.sink)
    _ = sink.receive(MediaResponseHead(status: 200))
    sink.feed(Sample.png)
    delivery.clock.advance(to: .seconds(25))
    let media = try #require(delivery.content?.media)
    #expect(media.map(\.reason) == [.timeout, .timeout])
    #expect(media.map(\.status) == [nil, 200])
    #expect(media.map(\.bytes) == [0, 608])
  }
}
