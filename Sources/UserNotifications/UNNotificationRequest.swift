public import Foundation

/// Apple's `UNNotificationRequest`: what arrived, or what is to be scheduled.
///
/// Objects are compared by value.
open class UNNotificationRequest: NSObject, NSCopying, NSSecureCoding {
  /// For a remote notification its `apns-collapse-id`, else an identifier that the system made.
  public let identifier: String
  /// An immutable copy of the content.
  public let content: UNNotificationContent
  /// For a remote notification a ``UNPushNotificationTrigger``.
  public let trigger: UNNotificationTrigger?

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - identifier: What names it; a second request of that name replaces the first.
  ///   - content: The content, which is copied.
  ///   - trigger: What makes it show; `nil` for at once.
  public init(
    identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?
  ) {
    self.identifier = identifier
    self.content = UNNotificationContent(copying: content)
    self.trigger = trigger
  }

  /// Reads an archived request.
  ///
  /// - Parameter coder: The archive.
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

  /// Writes the request to an archive.
  ///
  /// - Parameter coder: The archive.
  public func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(content, forKey: "content")
    coder.encode(trigger, forKey: "trigger")
  }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// The request itself, which cannot change.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether another object is a request of the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationRequest else { return false }
    return other.identifier == identifier && other.content == content && other.trigger == trigger
  }

  /// The same for equal requests.
  open override var hash: Int { identifier.hashValue }
}
