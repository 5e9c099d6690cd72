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
