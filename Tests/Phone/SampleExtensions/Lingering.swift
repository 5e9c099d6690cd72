import Foundation
import UserNotifications

/// An extension that waits in the way that the payload names, and writes a line to a file for each part of its code.
///
/// When it replies is in the payload too: before it waits, while it waits, when its time expires, or never.
public final class LingeringExtension: UNNotificationServiceExtension, @unchecked Sendable {
  // `@unchecked Sendable`: the properties are set in `didReceive`, before others read them.
  private var handler: ((UNNotificationContent) -> Void)?
  private var content = UNNotificationContent()
  private var log = ""
  private var folder = URL(fileURLWithPath: "/")

  public override init() {}

  public override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    let info = request.content.userInfo
    (handler, content) = (contentHandler, request.content)
    log = info["log"] as? String ?? ""
    folder = FileManager.default.temporaryDirectory
    let reply = info["reply"] as? String
    write("didReceive")
    if reply == "before" { contentHandler(content) }
    if reply == "never" { handler = nil }
    guard let way = Waiting(rawValue: info["way"] as? String ?? ""),
      let url = URL(string: info["url"] as? String ?? "")
    else { return write("unknown way") }
    way.begin(url) { self.go(on: $0) }
    if reply == "while" { contentHandler(content) }
  }

  public override func serviceExtensionTimeWillExpire() {
    write("expired")
    handler?(content)
  }

  /// The code of the extension after its wait, which uses its folder.
  private func go(on name: String) {
    let file = folder.appendingPathComponent(UUID().uuidString)
    let isWritten = (try? Data(name.utf8).write(to: file)) != nil
    write(isWritten ? name : name + " without its folder")
  }

  /// Adds a line to the log, even if this process ends at once.
  private func write(_ line: String) {
    guard let file = fopen(log, "a") else { return }
    fputs(line + "\n", file)
    fclose(file)
  }
}
