public import Foundation

/// Apple's `UNNotificationRequest`, a notification that was received or will be scheduled.
///
/// Objects are equal if their values are equal.
open class UNNotificationRequest: NSObject, NSCopying, NSSecureCoding {
  /// The identifier; for a remote notification its `apns-collapse-id`, or else a generated one.
  public let identifier: String
  /// An immutable copy of the content.
  public let content: UNNotificationContent
  /// The trigger; for a remote notification a ``UNPushNotificationTrigger``.
  public let trigger: UNNotificationTrigger?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - identifier: The identifier. A second request with the same identifier replaces the first.
  ///   - content: The content, which is copied.
  ///   - trigger: The trigger; `nil` to show the notification immediately.
  public init(
    identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?
  ) {
    self.identifier = identifier
    self.content = UNNotificationContent(copying: content)
    self.trigger = trigger
  }

  /// Decodes an archived request.
  ///
  /// - Parameter coder: The coder.
  public required init?(coder: NSCoder) {
    guard let identifier = coder.text("identifier"),
      let content = coder.decodeObject(of: UNNotificationContent.self, forKey: "content")
    else { return nil }
    self.identifier = identifier
    self.content = content
    let triggers = [
      UNPushNotificationTrigger.self, UNTimeIntervalNotificationTrigger.self,
      UNCalendarNotificationTrigger.self,
    ]
    trigger = coder.decodeObject(of: triggers, forKey: "trigger") as? UNNotificationTrigger
  }

  /// Encodes the request.
  ///
  /// - Parameter coder: The coder.
  public func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(content, forKey: "content")
    coder.encode(trigger, forKey: "trigger")
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
    guard let other = object as? UNNotificationRequest else { return false }
    return other.identifier == identifier && other.content == content && other.trigger == trigger
  }

  /// A hash that is the same for equal requests.
  open override var hash: Int { identifier.hashValue }
}
