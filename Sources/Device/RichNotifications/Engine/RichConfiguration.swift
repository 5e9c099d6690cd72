public import PushPayload

/// The configuration of the engine: dialects, limits, text, decryption and receipts.
public struct RichConfiguration: Sendable {
  /// The dialects to read payloads with, in order.
  ///
  /// The default is those of all known vendors.
  public var dialects: DialectTable
  /// The maximum time to fetch media, counted from the arrival of the notification.
  ///
  /// The default is 25 seconds. The system calls `serviceExtensionTimeWillExpire` after about 29 seconds.
  public var deadline: Duration
  /// The limits for fetching media: hosts, sizes, counts and retries.
  public var media: MediaPolicy
  /// The app's own text, filled from the payload; `nil` if the app has no such text.
  public var template: TextTemplate?
  /// Decrypts encrypted payloads; `nil` shows their placeholder.
  public var decryption: PayloadDecryption?
  /// Whether to show only payloads that were decrypted; the default is `false`.
  ///
  /// For every other payload ``placeholder`` is shown. Read <doc:Encryption> for the limits of this protection.
  public var requiresEncryption = false
  /// The text that is shown for a payload that must not be shown itself.
  ///
  /// Use text that is also true if there is no message. If it has neither a title nor a body, the default is used:
  /// the system would show the original text instead of an empty one.
  public var placeholder = Self.defaultPlaceholder
  /// The server and queue of receipts; `nil`, the default, sends none.
  public var receipts: ReceiptSettings?
  /// Returns the sender of a message from the payload, for communication notifications; `nil`, the default, for
  /// none.
  ///
  /// Use ``MessageSender/notifee(_:)`` or a function of the app.
  public var sender: (@Sendable (JSONValue) -> MessageSender?)?
  /// Receives every decision of the engine when it is made; `nil`, the default, for none.
  ///
  /// Private data is in ``TraceEvent/privateDetail``, apart from the message.
  public var trace: (@Sendable (TraceEvent) -> Void)?
  /// Receives the whole result just before it is passed to the system.
  public var delivered: (@Sendable (EnrichedContent) -> Void)?

  private static let defaultPlaceholder = NotificationText(
    body: "You may have a new notification")

  /// The placeholder, which is not empty.
  var shownPlaceholder: NotificationText {
    let isEmpty = (placeholder.title + placeholder.body).allSatisfy(\.isWhitespace)
    return isEmpty ? Self.defaultPlaceholder : placeholder
  }

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - dialects: The dialects to read payloads with, in order.
  ///   - deadline: The maximum time to fetch media.
  ///   - media: The limits for fetching media.
  public init(
    dialects: DialectTable = .standard, deadline: Duration = .seconds(25),
    media: MediaPolicy = MediaPolicy()
  ) {
    self.dialects = dialects
    self.deadline = deadline
    self.media = media
  }
}
