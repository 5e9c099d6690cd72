public import PushPayload

/// A notification as the system passes it to the service extension.
public struct IncomingNotification: Sendable {
  /// The whole payload, `aps` included.
  public var payload: JSONValue
  /// The title, subtitle and body that the system read from `aps.alert`.
  public var text: NotificationText
  /// The category identifier; empty if the notification has no category.
  public var category: String
  /// The identifier of the notification's request; empty if it is unknown.
  ///
  /// It is the `apns-collapse-id` if the push has one. A notification replaces an earlier one of the same identifier.
  public var identifier: String

  /// Creates a notification.
  ///
  /// - Parameters:
  ///   - payload: The whole payload, `aps` included.
  ///   - text: The title, subtitle and body that the system read from `aps.alert`.
  ///   - category: The category identifier; empty if the notification has no category.
  ///   - identifier: The identifier of the notification's request; empty if it is unknown.
  public init(
    payload: JSONValue, text: NotificationText, category: String = "", identifier: String = ""
  ) {
    self.payload = payload
    self.text = text
    self.category = category
    self.identifier = identifier
  }
}
