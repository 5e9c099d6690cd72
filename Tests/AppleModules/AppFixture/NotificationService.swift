import Foundation
import UserNotifications

/// A service extension with the API that such extensions use, which must compile unchanged.
public class NotificationService: UNNotificationServiceExtension {
  var contentHandler: ((UNNotificationContent) -> Void)?
  var bestAttemptContent: UNMutableNotificationContent?
  lazy var folder = FileManager.default.temporaryDirectory

  override public func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    self.contentHandler = contentHandler
    bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)
    guard let content = bestAttemptContent else { return contentHandler(request.content) }
    content.title = "\(content.title) [\(request.identifier)]"
    if request.trigger is UNPushNotificationTrigger { content.subtitle = "push" }
    if let aps = content.userInfo["aps"] as? [String: Any], aps["alert"] == nil {
      content.body = ""
    }
    content.sound = UNNotificationSound.defaultCriticalSound(withAudioVolume: 0.5)
    content.sound = .criticalSoundNamed(UNNotificationSoundName(rawValue: "bell.caf"))
    content.sound = .criticalSoundNamed(UNNotificationSoundName("a"), withAudioVolume: 1)
    content.sound = .ringtoneSoundNamed(UNNotificationSoundName("ring.caf"))
    content.sound = .defaultRingtone
    content.sound = .defaultCritical
    content.interruptionLevel = .passive
    content.badge = NSNumber(value: (content.badge?.intValue ?? 0) + 1)
    let options: [String: Any] = [
      UNNotificationAttachmentOptionsTypeHintKey: "public.png",
      UNNotificationAttachmentOptionsThumbnailHiddenKey: false,
      UNNotificationAttachmentOptionsThumbnailClippingRectKey:
        CGRect(x: 0, y: 0, width: 1, height: 1).dictionaryRepresentation,
      UNNotificationAttachmentOptionsThumbnailTimeKey: 2,
    ]
    let file = folder.appendingPathComponent("picture")
    if let attachment = try? UNNotificationAttachment(
      identifier: "picture", url: file, options: options)
    {
      content.attachments.append(attachment)
    }
    if let final = try? content.updating(from: Provider()) { return contentHandler(final) }
    contentHandler(content)
  }

  override public func serviceExtensionTimeWillExpire() {
    if let contentHandler = contentHandler, let content = bestAttemptContent {
      contentHandler(content)
    }
  }
}

private final class Provider: NSObject, UNNotificationContentProviding {}
