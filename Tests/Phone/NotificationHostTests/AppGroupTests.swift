import Foundation
import NotificationHost
import NotificationHostTesting
import TestSupport
import Testing
import UserNotifications

@Suite("The app group's folder")
struct AppGroupTests {
  @Test("is available under its identifier only")
  func folder() async throws {
    let group = TemporaryFolder()
    let name = try group.write("Anna", to: "name")
    #expect(FileManager.default.fileExists(atPath: name))
    let phone = try TestPhone { app in
      app.appGroup = group.url
      app.appGroupIdentifier = "group.com.example.app"
    } makeExtension: {
      Greeter()
    }
    let report = try await phone.deliver(#"{"aps": {"alert": "Hello", "mutable-content": 1}}"#)
    report.expect(.displayed, title: "", body: "Hello, Anna")
  }
}

private final class Greeter: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    let files = FileManager.default
    let group = files.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.app")
    guard files.containerURL(forSecurityApplicationGroupIdentifier: "group.other") == nil,
      let name = group.flatMap({
        try? String(contentsOf: $0.appending(path: "name"), encoding: .utf8)
      }),
      let content = request.content.mutableCopy() as? UNMutableNotificationContent
    else { return contentHandler(request.content) }
    content.body += ", " + name
    contentHandler(content)
  }
}
