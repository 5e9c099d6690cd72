public import PushPayload

/// A notification as it arrived.
public struct IncomingNotification: Sendable {
  /// The whole payload, `aps` included.
  public var payload: JSONValue
  /// The texts, as the system made them of `aps.alert`.
  public var text: NotificationText
  /// The category; empty for none.
  public var category: String

  /// Describes a notification.
  ///
  /// - Parameters:
  ///   - payload: The whole payload, `aps` included.
  ///   - text: The texts, as the system made them of `aps.alert`.
  ///   - category: The category; empty for none.
  public init(
    payload: JSONValue, text: NotificationText, category: String = ""
  ) {
    self.payload = payload
    self.text = text
    self.category = category
  }
}
