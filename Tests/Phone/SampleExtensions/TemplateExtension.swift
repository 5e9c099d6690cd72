import Foundation
import UserNotifications

/// The part of an extension that Xcode's template writes.
///
/// It keeps the content handler and the content in properties, changes the title, and replies with what there is when the
/// time is up. A subclass overrides `modify`, or `didReceive` if the template's is what it does differently.
class TemplateExtension: UNNotificationServiceExtension {
  var contentHandler: ((UNNotificationContent) -> Void)?
  var bestAttemptContent: UNMutableNotificationContent?

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    self.contentHandler = contentHandler
    bestAttemptContent = request.content.mutableCopy() as? UNMutableNotificationContent
    guard let bestAttemptContent else { return contentHandler(request.content) }
    bestAttemptContent.title = "\(bestAttemptContent.title) [modified]"
    modify(bestAttemptContent, reply: contentHandler)
  }

  func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    reply(content)
  }

  override func serviceExtensionTimeWillExpire() {
    if let contentHandler, let bestAttemptContent { contentHandler(bestAttemptContent) }
  }
}

/// As apps do that pass the content on to queues and tasks, each of which uses it when the last one has.
extension UNNotificationContent: @unchecked Sendable {}

extension UNNotificationContent {
  /// The picture that the payload names.
  var imageURL: URL { url("image") }

  /// A picture of another server.
  var secondURL: URL { url("second") }

  /// A JSON document with a text and the URL of a picture.
  var messageURL: URL { url("message") }

  /// The bytes of a PNG in the payload.
  var pictureData: Data { Data(base64Encoded: text("data")) ?? Data() }

  func text(_ key: String) -> String { userInfo[key] as? String ?? "" }

  private func url(_ key: String) -> URL { URL(string: text(key)) ?? URL(fileURLWithPath: "/") }
}

extension UNMutableNotificationContent {
  /// Attaches a file, or nothing if the system refuses it.
  func attach(_ file: URL, options: [AnyHashable: Any]? = nil) {
    if let attachment = try? UNNotificationAttachment(
      identifier: file.lastPathComponent, url: file, options: options)
    {
      attachments.append(attachment)
    }
  }

  /// Writes bytes into the temporary folder and attaches them.
  func attach(_ data: Data, named name: String) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    guard (try? data.write(to: file)) != nil else { return }
    attach(file)
  }
}
