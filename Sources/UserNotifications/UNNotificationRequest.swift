public import Foundation

/// Apple's `UNNotificationRequest`: what arrived, or what is to be scheduled.
open class UNNotificationRequest: NSObject, NSCopying {
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

  /// The request itself, which cannot change.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Apple's `UNNotificationTrigger`: what makes a notification show.
open class UNNotificationTrigger: NSObject, NSCopying {
  /// Whether it shows again and again.
  public let repeats: Bool

  init(repeats: Bool) { self.repeats = repeats }

  /// The trigger itself, which cannot change.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Apple's `UNPushNotificationTrigger`: it came from APNs.
public final class UNPushNotificationTrigger: UNNotificationTrigger {
  /// Made by the system alone.
  @_spi(Host) public init() { super.init(repeats: false) }
}
