import Foundation
import UserNotifications

/// An extension with a common fault of service extensions, which the payload's `fault` names.
///
/// `RichNotificationService` has none of these faults.
final class CommonFaults: UNNotificationServiceExtension {
  private var contentHandler: ((UNNotificationContent) -> Void)?
  private var bestAttempt = UNMutableNotificationContent()

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    self.contentHandler = contentHandler
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
      return contentHandler(request.content)
    }
    let url = (request.content.userInfo["media"] as? String).flatMap { URL(string: $0) }
    switch request.content.userInfo["fault"] as? String {
    case "name-taken": nameTaken(content)
    case "handler-twice":
      contentHandler(content)
      content.title = "too late"
      contentHandler(content)
    case "no-file-name": noFileName(url, content)
    case "force-unwrap": forceUnwrap(content)
    // The body is set only after the download, which does not end.
    case "body-lost": bestAttempt.title = content.title
    default: contentHandler(content)
    }
  }

  override func serviceExtensionTimeWillExpire() { contentHandler?(bestAttempt) }

  /// Moves a file to a fixed name, which fails for a second notification.
  private func nameTaken(_ content: UNMutableNotificationContent) {
    let folder = FileManager.default.temporaryDirectory
    for name in ["first", "second"] {
      let download = folder.appending(path: name)
      try? Data([1]).write(to: download)
      // swift-format-ignore: NeverUseForceTry
      try! FileManager.default.moveItem(at: download, to: folder.appending(path: "image.png"))
    }
    contentHandler?(content)
  }

  /// Unwraps the last path component, which `https://example.com` does not have.
  private func noFileName(_ url: URL?, _ content: UNMutableNotificationContent) {
    // swift-format-ignore: NeverForceUnwrap
    let name = url?.path.split(separator: "/").last!
    content.title = String(name ?? "")
    contentHandler?(content)
  }

  /// Unwraps an attachment, which is `nil` for a download that is not an image.
  private func forceUnwrap(_ content: UNMutableNotificationContent) {
    let file = FileManager.default.temporaryDirectory.appending(path: "download.html")
    try? Data("<html>".utf8).write(to: file)
    let attachment = try? UNNotificationAttachment(identifier: "", url: file)
    // swift-format-ignore: NeverForceUnwrap
    content.attachments = [attachment!]
    contentHandler?(content)
  }
}
