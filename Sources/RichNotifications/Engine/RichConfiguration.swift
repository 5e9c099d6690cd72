public import PushPayload

/// How an app wants its notifications enriched.
public struct RichConfiguration: Sendable {
  /// Which payloads are understood, in order.
  ///
  /// By default every known vendor's.
  public var dialects: DialectTable
  /// How long media may take, counted from the arrival of the notification.
  ///
  /// By default 25 seconds, four before the system asks for the best attempt.
  public var deadline: Duration
  /// What media may be fetched, from where, and at what cost.
  public var media: MediaPolicy
  /// Texts of the app's own, filled from the payload; `nil` for none.
  public var template: TextTemplate?
  /// What opens encrypted payloads; `nil` leaves them as their placeholder.
  public var decryption: PayloadDecryption?
  /// Where receipts go; `nil`, the default, sends none.
  public var receipts: ReceiptSettings?
  /// Finds who a message is from, for notifications that show a person; `nil`, the default, for none.
  ///
  /// ``MessageSender/notifee(_:)``, or a function of the app's own.
  public var sender: (@Sendable (JSONValue) -> MessageSender?)?
  /// What receives every decision, as it is made.
  ///
  /// By default nothing. What is private of an event stands apart from its message.
  public var trace: (@Sendable (TraceEvent) -> Void)?
  /// What receives the whole outcome, just before it is handed to the system.
  public var delivered: (@Sendable (EnrichedContent) -> Void)?

  /// Makes a configuration.
  ///
  /// - Parameters:
  ///   - dialects: Which payloads are understood, in order.
  ///   - deadline: How long media may take.
  ///   - media: What media may be fetched.
  public init(
    dialects: DialectTable = .standard, deadline: Duration = .seconds(25),
    media: MediaPolicy = MediaPolicy()
  ) {
    self.dialects = dialects
    self.deadline = deadline
    self.media = media
  }
}
