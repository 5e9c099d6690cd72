import UserNotifications

/// An extension whose network, folders and delays are in a file that imports only Foundation.
///
/// `@unchecked Sendable`: the properties are set in `didReceive`, before any other code runs, and one closure at a time
/// uses them.
public final class PictureService: UNNotificationServiceExtension, @unchecked Sendable {
  private var handler: ((UNNotificationContent) -> Void)?
  private var content = UNMutableNotificationContent()

  public override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent,
      let url = (content.userInfo["image"] as? String).flatMap({ URL(string: $0) })
    else { return contentHandler(request.content) }
    (handler, self.content) = (contentHandler, content)
    Downloader.after(20) {
      Downloader.download(url) { file in
        if let file, let picture = try? UNNotificationAttachment(identifier: "", url: file) {
          self.content.attachments = [picture]
        }
        self.handler?(self.content)
      }
    }
  }
}
