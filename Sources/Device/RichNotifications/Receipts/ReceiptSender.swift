import Foundation
public import MediaLoading

#if canImport(Darwin)
  import URLSessionMedia
#endif

/// Sends the receipts of a queue to the server.
///
/// The extension sends after it has called the content handler, never before. The app sends the rest when it
/// starts:
///
/// ```swift
/// let report = await ReceiptSender(settings).resend()
/// ```
///
/// Receipts are sent oldest first, 100 in a request. What happens to them depends on the response:
///
/// | Status | Receipts of the request |
/// |---|---|
/// | 2xx | accepted and removed |
/// | 400, 413, 422 | one is invalid: sent again in halves until that one is found and dropped |
/// | any other status, no response | kept for the next time |
public struct ReceiptSender: Sendable {
  private let settings: ReceiptSettings
  private let poster: any HTTPPosting

  /// Creates a sender.
  ///
  /// - Parameters:
  ///   - settings: The server and the queue.
  ///   - poster: Posts the requests.
  public init(_ settings: ReceiptSettings, poster: any HTTPPosting) {
    self.settings = settings
    self.poster = poster
  }

  #if canImport(Darwin)
    /// Creates a sender that posts with `URLSession`.
    ///
    /// - Parameter settings: The server and the queue.
    public init(_ settings: ReceiptSettings) {
      self.init(settings, poster: URLSessionPoster())
    }
  #endif

  /// Starts sending the oldest receipts.
  ///
  /// Those that the server accepts or refuses for good are removed.
  ///
  /// Two processes may send at the same time: the server counts each receipt once.
  ///
  /// - Parameters:
  ///   - maximum: The maximum number of receipts to send. The default is one request, which fits into an
  ///     extension's memory.
  ///   - completion: Receives the result, once, on any thread.
  public func send(
    atMost maximum: Int = 100, completion: @escaping @Sendable (ReceiptReport) -> Void
  ) {
    handle(.began(ownReceipts(atMost: maximum)), with: ReceiptSending(), completion: completion)
  }

  /// The oldest receipts of the device; those of an earlier id are removed, because the server would refuse the whole request
  /// for the secret of another device.
  private func ownReceipts(atMost maximum: Int) -> [Receipt] {
    guard settings.deviceSecret != nil else { return settings.queue.waiting(atMost: maximum) }
    let waiting = settings.queue.waiting()
    let isOwn: (Receipt) -> Bool = { $0.deviceID == settings.deviceID }
    settings.queue.remove(waiting.filter { !isOwn($0) }.map(\.id))
    return Array(waiting.filter(isOwn).prefix(maximum))
  }

  /// Sends all receipts of the queue.
  ///
  /// Call it in the app when it starts.
  ///
  /// - Returns: The result.
  public func resend() async -> ReceiptReport {
    await withCheckedContinuation { continuation in
      send(atMost: .max) { continuation.resume(returning: $0) }
    }
  }

  private func handle(
    _ event: ReceiptSending.Event, with sending: ReceiptSending,
    completion: @escaping @Sendable (ReceiptReport) -> Void
  ) {
    var sending = sending
    let action = sending.on(event)
    settings.queue.remove(action.removing)
    switch action.next {
    case .post(let receipts):
      poster.post(post(receipts)) { [sending] result in
        switch result {
        case .success(let status):
          handle(.answered(status), with: sending, completion: completion)
        case .failure(let error):
          handle(.failed(error), with: sending, completion: completion)
        }
      }
    case .finish(let report): completion(report)
    case .nothing: break
    }
  }

  private func post(_ receipts: [Receipt]) -> HTTPPost {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // A receipt has only strings and integers, so encoding it cannot fail.
    let body = (try? encoder.encode(["receipts": receipts])) ?? Data()
    var headers = [
      "Content-Type": "application/json", "Accept": "application/json",
      "Authorization": settings.authorization,
    ]
    headers["Martlet-Device-Secret"] = settings.deviceSecret
    return HTTPPost(url: settings.endpoint, headers: headers, body: body)
  }
}
