import Foundation
import MediaLoading
import PushPayload

/// The receipt of one delivery: kept before the hand-over, sent after it.
struct DeliveryReceipt {
  private let settings: ReceiptSettings
  private let receipt: Receipt

  /// `nil` where the payload does not say which notification it is: the server could not know either.
  init?(_ settings: ReceiptSettings, _ content: EnrichedContent, at date: Date) {
    guard let id = content.messageID, !id.isEmpty else { return nil }
    self.settings = settings
    let told = Self.summary(content.media)
    receipt = Receipt(
      notificationID: id, deviceID: settings.deviceID, event: .received, at: date,
      media: told?.rawValue,
      reason: content.media.first { $0.result == told && $0.reason != nil }?.reason?.rawValue,
      duration: content.elapsed)
  }

  /// The least that became of what was asked for; `nil` where nothing was.
  private static func summary(_ media: [MediaOutcome]) -> MediaOutcome.Result? {
    let order: [MediaOutcome.Result] = [.failed, .skipped, .alternative, .attached]
    return order.first { result in media.contains { $0.result == result } }
  }

  /// Keeps it in the app group.
  ///
  /// - Returns: What came of it, for the trace.
  func keep() -> String {
    do throws(ReceiptError) {
      try settings.queue.add(receipt)
      return "waits to be sent"
    } catch {
      return error.message
    }
  }

  /// Begins to send what waits; what the system's suspension cuts off, the app sends.
  func send(by poster: any HTTPPosting) {
    ReceiptSender(settings, poster: poster).send { _ in }
  }
}
