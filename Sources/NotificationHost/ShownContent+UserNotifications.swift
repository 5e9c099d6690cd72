import Foundation
import PushPayload
import RichNotifications
@_spi(Host) import UserNotifications

extension ShownContent {
  init(_ content: UNNotificationContent, requestIdentifier: String) {
    self.requestIdentifier = requestIdentifier
    title = content.title
    subtitle = content.subtitle
    body = content.body
    badge = content.badge?.intValue
    sound = content.sound.map { $0.name?.rawValue ?? "default" }
    categoryIdentifier = content.categoryIdentifier
    threadIdentifier = content.threadIdentifier
    interruptionLevel =
      switch content.interruptionLevel {
      case .passive: "passive"
      case .active: "active"
      case .timeSensitive: "time-sensitive"
      case .critical: "critical"
      }
    relevanceScore = content.relevanceScore
    userInfo = JSONValue(userInfo: content.userInfo)
  }
}

extension ShownAttachment {
  init(_ attachment: UNNotificationAttachment) {
    identifier = attachment.identifier
    file = attachment.url
    type = attachment.type
    let options = attachment.options
    thumbnailHidden = options[UNNotificationAttachmentOptionsThumbnailHiddenKey] as? Bool ?? false
    thumbnailTime =
      (options[UNNotificationAttachmentOptionsThumbnailTimeKey] as? NSNumber)?.doubleValue
      ?? options[UNNotificationAttachmentOptionsThumbnailTimeKey] as? Double
    thumbnailClippingRect =
      (options[UNNotificationAttachmentOptionsThumbnailClippingRectKey]
      as? [String: Double]).flatMap { rect in
        UnitRect(
          x: rect["X"] ?? 0, y: rect["Y"] ?? 0, width: rect["Width"] ?? 0,
          height: rect["Height"] ?? 0)
      }
  }
}

extension UNNotificationContent {
  /// Whether some text would show; without it the system falls back to the original.
  var hasAlertText: Bool { !title.isEmpty || !subtitle.isEmpty || !body.isEmpty }
}
