import Foundation
import NotificationHost
import NotificationHostTesting
import PhotoVendor
import TestSupport
import Testing
import UserNotifications

final class PhotoService: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
      return contentHandler(request.content)
    }
    content.title = Names.shared.name(of: content.userInfo["from"] as? String)
    PhotoVendor.configure(appKey: "app")
    PhotoVendor.attachPhoto(to: content, completion: contentHandler)
  }
}

#if !canImport(Darwin)
  /// Stands for the app's class, which reads its database.
  struct Names {
    static let shared = Names()

    func name(of id: String?) -> String { id.map { "name of \($0)" } ?? "nobody" }
  }
#endif

@Suite("Stub your own types and SDKs", .serialized)
struct OwnStubTests {
  @Test("the stubs of the page run in an extension, and say what they were told")
  func stubs() async throws {
    PhotoVendor.calls = []
    let phone = try TestPhone { PhotoService() }
    let report = try await phone.deliver(
      #"{"aps": {"alert": "Hi", "mutable-content": 1}, "from": "7", "photo_id": "p"}"#)
    report.expect(.displayed, title: "name of 7", body: "Hi")
    #expect(PhotoVendor.calls == ["configure app", "attachPhoto p"])
  }

  @Test("each Swift block of docs/app/own-stubs.md is code of a test, but for the manifest")
  func page() throws {
    let page = Repository.url("docs/app/own-stubs.md")
    let stub = Repository.url("Tests/AppleModules/PhotoVendor/PhotoVendor.swift")
    let missing = try DocumentationSnippets.missing(of: page, from: URL(filePath: #filePath))
    let nowhere = try DocumentationSnippets.missing(of: page, from: stub)
      .filter { missing.contains($0) && !$0.contains(".target(") }
    #expect(try DocumentationSnippets.snippets(of: page).count > 3)
    #expect(nowhere == [])
  }
}
