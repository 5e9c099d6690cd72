import Foundation
import MediaLoading
import PushPayload
import TestSupport
import Testing

@testable import RichNotifications

@Suite("What is told of a delivery is true", .timeLimit(.minutes(1)))
struct OutcomeReportTests {
  @Test("a receipt gives the reason of the outcome that it tells")
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

  @Test("at the deadline the report says how much had come")
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
