package import Foundation
import PushPayload
import RichNotifications
@_spi(Host) package import UserNotifications

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

extension DeliveryReport {
  /// The notification as the system passes it to a content extension.
  ///
  /// - Parameter date: The time of delivery.
  /// - Returns: The notification; `nil` if nothing is shown.
  package func notification(deliveredAt date: Date) -> UNNotification? {
    guard let shown = self.content else { return nil }
    let content = UNMutableNotificationContent()
    (content.title, content.subtitle, content.body) = (shown.title, shown.subtitle, shown.body)
    content.categoryIdentifier = shown.categoryIdentifier
    content.threadIdentifier = shown.threadIdentifier
    content.userInfo = shown.userInfo.userInfo
    content.attachments = attachments.compactMap { attachment in
      try? UNNotificationAttachment(identifier: attachment.identifier, url: attachment.file)
    }
    return UNNotification(
      request: UNNotificationRequest(
        identifier: shown.requestIdentifier, content: content, trigger: nil), date: date)
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
  /// Whether there is a title, subtitle or body.
  ///
  /// Without one the system shows the original content.
  var hasAlertText: Bool { !title.isEmpty || !subtitle.isEmpty || !body.isEmpty }

  /// The content's badge and sound, which take effect even if nothing is shown.
  var badgeAndSound: UNNotificationContent {
    let content = UNMutableNotificationContent()
    content.badge = badge
    content.sound = sound
    return content
  }

  /// The content with an interruption level that the app is entitled to (rules `critical-level` and
  /// `time-sensitive-level`).
  func lowered(
    to entitlements: Entitlements, _ behavior: HostBehavior, note: (HostRule, String) -> Void
  ) -> UNNotificationContent {
    guard behavior.lowersUnentitledLevels,
      let copy = mutableCopy() as? UNMutableNotificationContent
    else { return self }
    if !entitlements.criticalAlerts, interruptionLevel == .critical || sound?.isCritical == true {
      note(.criticalLevel, "the app does not have the critical alerts entitlement")
      if interruptionLevel == .critical { copy.interruptionLevel = .active }
      if let sound, sound.isCritical {
        copy.sound = sound.name.map { UNNotificationSound(named: $0) } ?? .default
      }
    } else if !entitlements.timeSensitive, interruptionLevel == .timeSensitive {
      note(.timeSensitiveLevel, "the app does not have the time-sensitive notifications capability")
      copy.interruptionLevel = .active
    } else {
      return self
    }
    return copy
  }
}
