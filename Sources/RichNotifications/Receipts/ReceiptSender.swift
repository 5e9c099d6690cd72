import Foundation
public import MediaLoading

#if canImport(Darwin)
  import URLSessionMedia
#endif

/// Sends the receipts that wait.
///
/// The extension sends after it has delivered, never before; what it does not get through is sent by
/// the app when it starts:
///
/// ```swift
/// let report = await ReceiptSender(settings).resend()
/// ```
///
/// They go oldest first, a hundred a request, and the answer decides:
///
/// | Answer | Receipts |
/// |---|---|
/// | 2xx | are taken, and removed |
/// | 400, 413, 422 | one is at fault: sent again in halves, until that one is left and dropped |
/// | 401, 408, 425, 429 | wait: another key may come, the moment may pass |
/// | another 4xx: 403, 404, … | are dropped, for nobody will take them there; the rest waits |
/// | 1xx, 3xx, 5xx, none | wait |
public struct ReceiptSender: Sendable {
  private let settings: ReceiptSettings
  private let poster: any HTTPPosting

  /// Makes a sender.
  ///
  /// - Parameters:
  ///   - settings: Where receipts are kept and where they go.
  ///   - poster: What posts them.
  public init(_ settings: ReceiptSettings, poster: any HTTPPosting) {
    self.settings = settings
    self.poster = poster
  }

  #if canImport(Darwin)
    /// Makes a sender that posts with `URLSession`.
    ///
    /// - Parameter settings: Where receipts are kept and where they go.
    public init(_ settings: ReceiptSettings) {
      self.init(settings, poster: URLSessionPoster())
    }
  #endif

  /// Begins to send the oldest receipts that wait; what the server takes or will never take is
  /// removed, the rest stays.
  ///
  /// Two processes that send at once tell the server the same, which counts each receipt once.
  ///
  /// - Parameters:
  ///   - maximum: How many to send at most; one request's worth unless told otherwise, which is what
  ///     an extension has memory for.
  ///   - completion: Receives what became of them, once, from any thread.
  public func send(
    atMost maximum: Int = 100, completion: @escaping @Sendable (ReceiptReport) -> Void
  ) {
    perform(.began(settings.queue.waiting(atMost: maximum)), ReceiptSending(), completion)
  }

  /// Sends all receipts that wait; for the app, when it starts.
  ///
  /// - Returns: What became of them.
  public func resend() async -> ReceiptReport {
    await withCheckedContinuation { continuation in
      send(atMost: .max) { continuation.resume(returning: $0) }
    }
  }

  private func perform(
    _ event: ReceiptSending.Event, _ sending: ReceiptSending,
    _ completion: @escaping @Sendable (ReceiptReport) -> Void
  ) {
    var sending = sending
    let action = sending.on(event)
    settings.queue.remove(action.removing)
    switch action.next {
    case .post(let receipts):
      poster.post(post(receipts)) { [sending] result in
        switch result {
        case .success(let status): perform(.answered(status), sending, completion)
        case .failure(let error): perform(.failed(error), sending, completion)
        }
      }
    case .finish(let report): completion(report)
    case .nothing: break
    }
  }

  private func post(_ receipts: [Receipt]) -> HTTPPost {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings and whole numbers: there is nothing in a receipt that JSON cannot say.
    let body = (try? encoder.encode(["receipts": receipts])) ?? Data()
    return HTTPPost(
      url: settings.endpoint,
      headers: [
        "Content-Type": "application/json", "Accept": "application/json",
        "Authorization": settings.authorization,
      ], body: body)
  }
}
