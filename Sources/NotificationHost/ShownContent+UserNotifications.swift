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

  /// What still applies of content that shows nothing.
  var badgeAndSound: UNNotificationContent {
    let quiet = UNMutableNotificationContent()
    quiet.badge = badge
    quiet.sound = sound
    return quiet
  }

  /// The content with the level that the app is entitled to (`critical-level`, `time-sensitive-level`).
  func lowered(
    to entitlements: Entitlements, _ behavior: HostBehavior, note: (HostRule, String) -> Void
  ) -> UNNotificationContent {
    guard behavior.lowersUnentitledLevels,
      let copy = mutableCopy() as? UNMutableNotificationContent
    else { return self }
    if !entitlements.criticalAlerts, interruptionLevel == .critical || sound?.isCritical == true {
      note(.criticalLevel, "the app is not entitled to critical alerts")
      if interruptionLevel == .critical { copy.interruptionLevel = .active }
      if let sound, sound.isCritical {
        copy.sound = sound.name.map { UNNotificationSound(named: $0) } ?? .default
      }
    } else if !entitlements.timeSensitive, interruptionLevel == .timeSensitive {
      note(.timeSensitiveLevel, "the app is not entitled to time-sensitive notifications")
      copy.interruptionLevel = .active
    } else {
      return self
    }
    return copy
  }
}
