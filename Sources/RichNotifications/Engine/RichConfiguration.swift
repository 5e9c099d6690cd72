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
  /// Whether `http:` URLs are fetched.
  ///
  /// By default not; App Transport Security would have to allow it in the extension's own
  /// Info.plist as well.
  public var allowsPlainHTTP: Bool
  /// What receives every decision, as it is made.
  ///
  /// By default nothing; events hold URLs, so log them as private.
  public var trace: (@Sendable (TraceEvent) -> Void)?
  /// What receives the whole outcome, just before it is handed to the system.
  public var delivered: (@Sendable (EnrichedContent) -> Void)?

  /// Makes a configuration.
  ///
  /// - Parameters:
  ///   - dialects: Which payloads are understood, in order.
  ///   - deadline: How long media may take.
  ///   - allowsPlainHTTP: Whether `http:` URLs are fetched.
  public init(
    dialects: DialectTable = .standard, deadline: Duration = .seconds(25),
    allowsPlainHTTP: Bool = false
  ) {
    self.dialects = dialects
    self.deadline = deadline
    self.allowsPlainHTTP = allowsPlainHTTP
  }
}

/// One decision on the way of a notification.
public struct TraceEvent: Hashable, Sendable {
  /// Where on the way: `dialect`, `media`, `text`, `deliver`.
  public struct Stage: RawRepresentable, Hashable, Sendable {
    /// The name as it is printed.
    public let rawValue: String

    /// Names a stage.
    ///
    /// - Parameter rawValue: A lower-case word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The payload is read.
    public static let dialect = Stage(rawValue: "dialect")
    /// Media are chosen, fetched and checked.
    public static let media = Stage(rawValue: "media")
    /// Texts are replaced.
    public static let text = Stage(rawValue: "text")
    /// The content is handed to the system.
    public static let deliver = Stage(rawValue: "deliver")
  }

  /// The time since the notification arrived.
  public var at: Duration
  /// Where on the way.
  public var stage: Stage
  /// What was decided.
  public var message: String

  /// Makes an event.
  ///
  /// - Parameters:
  ///   - at: The time since the notification arrived.
  ///   - stage: Where on the way.
  ///   - message: What was decided.
  public init(at: Duration, stage: Stage, message: String) {
    self.at = at
    self.stage = stage
    self.message = message
  }
}
