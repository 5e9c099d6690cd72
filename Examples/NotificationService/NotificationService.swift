import Foundation
import UserNotifications

/// A typical service extension: a file of an iOS project, in Swift 5, compiled unchanged.
class NotificationService: UNNotificationServiceExtension {
  var contentHandler: ((UNNotificationContent) -> Void)?
  var bestAttempt: UNMutableNotificationContent?

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    self.contentHandler = contentHandler
    bestAttempt = request.content.mutableCopy() as? UNMutableNotificationContent
    guard let bestAttempt, let address = bestAttempt.userInfo["image_url"] as? String,
      let url = URL(string: address)
    else { return contentHandler(request.content) }
    let task = URLSession.shared.downloadTask(with: url) { file, response, _ in
      if let file, (response as? HTTPURLResponse)?.statusCode == 200 {
        let picture = file.deletingPathExtension().appendingPathExtension(url.pathExtension)
        try? FileManager.default.moveItem(at: file, to: picture)
        let clip = CGRect(x: 0, y: 0, width: 1, height: 0.5).dictionaryRepresentation
        let options = [UNNotificationAttachmentOptionsThumbnailClippingRectKey: clip]
        if let attachment = try? UNNotificationAttachment(
          identifier: "picture", url: picture, options: options)
        {
          bestAttempt.attachments = [attachment]
        }
      }
      contentHandler(bestAttempt)
    }
    task.resume()
  }

  override func serviceExtensionTimeWillExpire() {
    if let contentHandler, let bestAttempt { contentHandler(bestAttempt) }
  }
}
