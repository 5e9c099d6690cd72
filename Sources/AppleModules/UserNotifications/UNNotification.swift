public import Foundation

/// Apple's `UNNotification`, a delivered request.
///
/// Objects are equal if their values are equal.
///
/// Source: Apple, `UNNotification`.
open class UNNotification: NSObject, NSCopying, NSSecureCoding {
  /// The date of the delivery.
  public let date: Date
  /// The request.
  public let request: UNNotificationRequest

  /// Creates an instance; on a phone only the system does so.
  @_spi(Host) public init(request: UNNotificationRequest, date: Date) {
    self.request = request
    self.date = date
  }

  /// Decodes an archived notification.
  ///
  /// - Parameter coder: The coder.
  public required init?(coder: NSCoder) {
    guard let date = coder.decodeObject(of: NSDate.self, forKey: "date"),
      let request = coder.decodeObject(of: UNNotificationRequest.self, forKey: "request")
    else { return nil }
    self.date = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    self.request = request
  }

  /// Encodes the notification.
  ///
  /// - Parameter coder: The coder.
  public func encode(with coder: NSCoder) {
    coder.encode(date, forKey: "date")
    coder.encode(request, forKey: "request")
  }

  /// Always `true`.
  public static var supportsSecureCoding: Bool { true }

  /// Returns this object, because it is immutable.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether another object is equal: with the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotification else { return false }
    return other.date == date && other.request == request
  }

  /// A hash that is the same for equal notifications.
  open override var hash: Int { request.hash }
}

/// The action identifier of a tap on the notification itself.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The action identifier of a dismissal, for categories with `customDismissAction`.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// Apple's `UNNotificationResponse`, a person's response to a notification.
///
/// Objects are equal if their values are equal.
///
/// Source: Apple, `UNNotificationResponse`.
open class UNNotificationResponse: NSObject, NSCopying, NSSecureCoding {
  /// The notification.
  public let notification: UNNotification
  /// The identifier of the action, or one of the two that the system defines.
  public let actionIdentifier: String

  /// Creates an instance; on a phone only the system does so.
  @_spi(Host) public init(notification: UNNotification, actionIdentifier: String) {
    self.notification = notification
    self.actionIdentifier = actionIdentifier
  }

  /// Not available on Linux.
  @available(
    *, unavailable,
    message: "targetScene needs a scene; use it inside of #if canImport(Darwin)."
  )
  public var targetScene: AnyObject? { nil }

  /// Decodes an archived response.
  ///
  /// - Parameter coder: The coder.
  public required init?(coder: NSCoder) {
    guard let action = coder.text("actionIdentifier"),
      let notification = coder.decodeObject(of: UNNotification.self, forKey: "notification")
    else { return nil }
    self.notification = notification
    actionIdentifier = action
  }

  /// Encodes the response.
  ///
  /// - Parameter coder: The coder.
  public func encode(with coder: NSCoder) {
    coder.encode(notification, forKey: "notification")
    coder.encode(actionIdentifier, forKey: "actionIdentifier")
  }

  /// Always `true`.
  public static var supportsSecureCoding: Bool { true }

  /// Returns this object, because it is immutable.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether another object is equal: of the same class and with the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationResponse, type(of: other) == type(of: self) else {
      return false
    }
    return other.notification == notification && other.actionIdentifier == actionIdentifier
  }

  /// A hash that is the same for equal responses.
  open override var hash: Int { actionIdentifier.hashValue }
}

/// Apple's `UNTextInputNotificationResponse`, a person's text reply to a notification.
///
/// Source: Apple, `UNTextInputNotificationResponse`.
public final class UNTextInputNotificationResponse: UNNotificationResponse {
  /// The text.
  public let userText: String

  /// Creates an instance; on a phone only the system does so.
  @_spi(Host) public init(
    notification: UNNotification, actionIdentifier: String, userText: String
  ) {
    self.userText = userText
    super.init(notification: notification, actionIdentifier: actionIdentifier)
  }

  /// Decodes an archived response.
  ///
  /// - Parameter coder: The coder.
  public required init?(coder: NSCoder) {
    guard let text = coder.text("userText") else { return nil }
    userText = text
    super.init(coder: coder)
  }

  /// Encodes the response.
  ///
  /// - Parameter coder: The coder.
  public override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(userText, forKey: "userText")
  }

  /// Whether another object is equal: with the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    super.isEqual(object) && (object as? UNTextInputNotificationResponse)?.userText == userText
  }
}
