public import Foundation

/// Apple's `UNNotification`: a request that was delivered.
///
/// Objects are compared by value.
///
/// Source: Apple, `UNNotification`.
open class UNNotification: NSObject, NSCopying, NSSecureCoding {
  /// When it was delivered.
  public let date: Date
  /// What was delivered.
  public let request: UNNotificationRequest

  /// Made by the system alone.
  @_spi(Host) public init(request: UNNotificationRequest, date: Date) {
    self.request = request
    self.date = date
  }

  /// Reads an archived notification.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    guard let date = coder.decodeObject(of: NSDate.self, forKey: "date"),
      let request = coder.decodeObject(of: UNNotificationRequest.self, forKey: "request")
    else { return nil }
    self.date = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    self.request = request
  }

  /// Writes the notification to an archive.
  ///
  /// - Parameter coder: The archive.
  public func encode(with coder: NSCoder) {
    coder.encode(date, forKey: "date")
    coder.encode(request, forKey: "request")
  }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// The notification itself, which cannot change.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether another object is a notification of the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotification else { return false }
    return other.date == date && other.request == request
  }

  /// The same for equal notifications.
  open override var hash: Int { request.hash }
}

/// The action of a person who tapped the notification itself.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The action of a person who dismissed it; told for categories with `customDismissAction`.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// Apple's `UNNotificationResponse`: what a person did with a notification.
///
/// Objects are compared by value.
///
/// Source: Apple, `UNNotificationResponse`.
open class UNNotificationResponse: NSObject, NSCopying, NSSecureCoding {
  /// With what.
  public let notification: UNNotification
  /// The button's identifier, or one of the two that the system has.
  public let actionIdentifier: String

  /// Made by the system alone.
  @_spi(Host) public init(notification: UNNotification, actionIdentifier: String) {
    self.notification = notification
    self.actionIdentifier = actionIdentifier
  }

  /// Not here.
  @available(*, unavailable, message: "Scenes are UIKit's: read it under #if canImport(UIKit).")
  public var targetScene: AnyObject? { nil }

  /// Reads an archived response.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    guard let action = coder.text("actionIdentifier"),
      let notification = coder.decodeObject(of: UNNotification.self, forKey: "notification")
    else { return nil }
    self.notification = notification
    actionIdentifier = action
  }

  /// Writes the response to an archive.
  ///
  /// - Parameter coder: The archive.
  public func encode(with coder: NSCoder) {
    coder.encode(notification, forKey: "notification")
    coder.encode(actionIdentifier, forKey: "actionIdentifier")
  }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// The response itself, which cannot change.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether another object is a response of the same class and the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationResponse, type(of: other) == type(of: self) else {
      return false
    }
    return other.notification == notification && other.actionIdentifier == actionIdentifier
  }

  /// The same for equal responses.
  open override var hash: Int { actionIdentifier.hashValue }
}

/// Apple's `UNTextInputNotificationResponse`: what a person wrote under a notification.
///
/// Source: Apple, `UNTextInputNotificationResponse`.
public final class UNTextInputNotificationResponse: UNNotificationResponse {
  /// The text.
  public let userText: String

  /// Made by the system alone.
  @_spi(Host) public init(
    notification: UNNotification, actionIdentifier: String, userText: String
  ) {
    self.userText = userText
    super.init(notification: notification, actionIdentifier: actionIdentifier)
  }

  /// Reads an archived response.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    guard let text = coder.text("userText") else { return nil }
    userText = text
    super.init(coder: coder)
  }

  /// Writes the response to an archive.
  ///
  /// - Parameter coder: The archive.
  public override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(userText, forKey: "userText")
  }

  /// Whether another object is such a response of the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    super.isEqual(object) && (object as? UNTextInputNotificationResponse)?.userText == userText
  }
}
