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
    thumbnailHidden =
      attachment.options[UNNotificationAttachmentOptionsThumbnailHiddenKey] as? Bool ?? false
  }
}

extension UNNotificationContent {
  /// Whether some text would show; without it the system falls back to the original.
  var hasAlertText: Bool { !title.isEmpty || !subtitle.isEmpty || !body.isEmpty }
}
