/// One decision on the way of a notification.
public struct TraceEvent: Hashable, Sendable {
  /// Where on the way.
  public struct Stage: RawRepresentable, Hashable, Sendable {
    /// The name as it is printed.
    public let rawValue: String

    /// Names a stage.
    ///
    /// - Parameter rawValue: A lower-case word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The encrypted part is opened, or stays closed.
    public static let decryption = Stage(rawValue: "decryption")
    /// The payload is read.
    public static let dialect = Stage(rawValue: "dialect")
    /// Media are chosen, fetched and checked.
    public static let media = Stage(rawValue: "media")
    /// Texts are replaced.
    public static let text = Stage(rawValue: "text")
    /// Buttons are made known to the system.
    public static let buttons = Stage(rawValue: "buttons")
    /// A receipt is written or sent.
    public static let receipt = Stage(rawValue: "receipt")
    /// The content is handed to the system.
    public static let deliver = Stage(rawValue: "deliver")
  }

  /// The time since the notification arrived.
  public var at: Duration
  /// Where on the way.
  public var stage: Stage
  /// What decided: a word that stays the same, for counting and searching.
  public var rule: String
  /// What was decided, without anything private.
  public var message: String
  /// What of it is private: a URL, a part of the payload; never a key.
  ///
  /// `nil` for nothing.
  public var privateDetail: String?

  /// Makes an event.
  ///
  /// - Parameters:
  ///   - at: The time since the notification arrived.
  ///   - stage: Where on the way.
  ///   - rule: What decided.
  ///   - message: What was decided, without anything private.
  ///   - privateDetail: What of it is private.
  public init(
    at: Duration, stage: Stage, rule: String, message: String, privateDetail: String? = nil
  ) {
    self.at = at
    self.stage = stage
    self.rule = rule
    self.message = message
    self.privateDetail = privateDetail
  }

  /// The message and what of it is private, for a person who may see it.
  public var fullMessage: String { privateDetail.map { "\(message) \($0)" } ?? message }
}
