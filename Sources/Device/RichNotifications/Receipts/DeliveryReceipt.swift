import Foundation
import MediaLoading
import PushPayload

/// The receipt of one delivery: stored before the content handler is called, sent after it.
struct DeliveryReceipt {
  private let settings: ReceiptSettings
  private let receipt: Receipt

  /// Creates a receipt; `nil` if the payload has no identifier, without which the server cannot assign it.
  init?(_ settings: ReceiptSettings, _ content: EnrichedContent, at date: Date) {
    guard let id = content.messageID, !id.isEmpty else { return nil }
    self.settings = settings
    let result = Self.worstResult(of: content.media)
    var receipt = Receipt(
      notificationID: id, deviceID: settings.deviceID, event: .received, at: date,
      media: result?.rawValue,
      reason: content.media.first { $0.result == result && $0.reason != nil }?.reason?.rawValue,
      duration: content.elapsed)
    if settings.sendsTrace {
      receipt.trace = ReceiptTrace(of: content, isFocused: settings.isFocused?())
    }
    self.receipt = receipt
  }

  /// The worst result of the requested media; `nil` if none were requested.
  private static func worstResult(of media: [MediaOutcome]) -> MediaOutcome.Result? {
    let order: [MediaOutcome.Result] = [.failed, .skipped, .alternative, .attached]
    return order.first { result in media.contains { $0.result == result } }
  }

  /// Stores the receipt in the queue.
  ///
  /// - Returns: The result as a message for the trace.
  func save() -> String {
    do throws(ReceiptError) {
      try settings.queue.add(receipt)
      return "stored in the queue"
    } catch {
      return error.message
    }
  }

  /// Starts sending the queue.
  ///
  /// If the system suspends the extension, the app sends the rest.
  func send(by poster: any HTTPPosting) {
    ReceiptSender(settings, poster: poster).send { _ in }
  }
}
