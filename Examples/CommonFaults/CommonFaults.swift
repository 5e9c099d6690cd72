import Foundation
import UserNotifications

/// The faults that service extensions are often written with, each small enough to recognise.
///
/// The payload's `fault` chooses. `RichNotificationService` has none of them.
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
    // The body is filled in after the download, which does not end.
    case "body-lost": bestAttempt.title = content.title
    default: contentHandler(content)
    }
  }

  override func serviceExtensionTimeWillExpire() { contentHandler?(bestAttempt) }

  /// A fixed name is taken as soon as a second notification comes.
  private func nameTaken(_ content: UNMutableNotificationContent) {
    let folder = FileManager.default.temporaryDirectory
    for name in ["first", "second"] {
      let download = folder.appending(path: name)
      try? Data([1]).write(to: download)
      try! FileManager.default.moveItem(at: download, to: folder.appending(path: "image.png"))
    }
    contentHandler?(content)
  }

  /// `https://example.com` has no last path component.
  private func noFileName(_ url: URL?, _ content: UNMutableNotificationContent) {
    let name = url?.path.split(separator: "/").last!
    content.title = String(name ?? "")
    contentHandler?(content)
  }

  /// A download that is no picture makes no attachment.
  private func forceUnwrap(_ content: UNMutableNotificationContent) {
    let file = FileManager.default.temporaryDirectory.appending(path: "download.html")
    try? Data("<html>".utf8).write(to: file)
    let attachment = try? UNNotificationAttachment(identifier: "", url: file)
    content.attachments = [attachment!]
    contentHandler?(content)
  }
}
