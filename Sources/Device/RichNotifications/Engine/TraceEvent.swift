/// One decision of the engine about a notification.
public struct TraceEvent: Hashable, Sendable {
  /// A stage of the delivery.
  public struct Stage: RawRepresentable, Hashable, Sendable {
    /// The name, such as `media`.
    public let rawValue: String

    /// Creates a stage.
    ///
    /// - Parameter rawValue: A lower-case word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The encrypted payload is decrypted.
    public static let decryption = Stage(rawValue: "decryption")
    /// The payload's dialect is determined and the payload is read.
    public static let dialect = Stage(rawValue: "dialect")
    /// Media are fetched and checked.
    public static let media = Stage(rawValue: "media")
    /// The template of the expanded notification is read, and its media are stored for the content extension.
    public static let template = Stage(rawValue: "template")
    /// The title, subtitle or body is replaced.
    public static let text = Stage(rawValue: "text")
    /// The category of the payload's buttons is registered.
    public static let buttons = Stage(rawValue: "buttons")
    /// A receipt is stored.
    public static let receipt = Stage(rawValue: "receipt")
    /// The content is passed to the system.
    public static let deliver = Stage(rawValue: "deliver")
  }

  /// The time since the notification arrived.
  public var at: Duration
  /// The stage of the delivery.
  public var stage: Stage
  /// The decision as a stable code, for counting and searching.
  public var rule: String
  /// A description of the decision without private data.
  public var message: String
  /// Private data of the decision, such as a URL or a part of the payload; never a key.
  ///
  /// `nil` if the decision has no private data.
  public var privateDetail: String?

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - at: The time since the notification arrived.
  ///   - stage: The stage of the delivery.
  ///   - rule: The decision as a stable code.
  ///   - message: A description of the decision without private data.
  ///   - privateDetail: Private data of the decision.
  public init(
    at: Duration, stage: Stage, rule: String, message: String, privateDetail: String? = nil
  ) {
    self.at = at
    self.stage = stage
    self.rule = rule
    self.message = message
    self.privateDetail = privateDetail
  }

  /// The message followed by the private detail.
  public var fullMessage: String { privateDetail.map { "\(message) \($0)" } ?? message }
}
