import Foundation
import NotificationHost
import NotificationHostTesting
import Synchronization
import Testing
import UserNotifications

@Suite("An expectation of a delivery")
struct ExpectationTests {
  static let png = ScriptedNetwork.Response(body: .onePixelPNG)
  static let payload = #"{"aps": {"alert": {"title": "T", "body": "B"}, "mutable-content": 1}}"#

  static func report() async throws -> DeliveryReport {
    try await TestPhone { Echo() }.deliver(payload)
  }

  @Test("passes if everything that it names matches")
  func holds() async throws {
    let report = try await Self.report()
    report.expect(.displayed)
    report.expect(.displayed, title: "T", body: "B", attachments: [])
  }

  @Test(
    "fails once, with each difference and the trace",
    arguments: [
      (
        DeliveryReport.Outcome.suppressed, "B", [String](),
        "the outcome is displayed, not suppressed"
      ),
      (.displayed, "C", [], "the body is “B”, not “C”"),
      (.displayed, "B", ["public.png"], #"the attachments are [], not ["public.png"]"#),
    ])
  func fails(
    outcome: DeliveryReport.Outcome, body: String, types: [String], message: String
  ) async throws {
    let report = try await Self.report()
    let issues = Mutex<[String]>([])
    withKnownIssue {
      report.expect(outcome, body: body, attachments: types)
    } matching: { issue in
      issues.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
      return true
    }
    let found = issues.withLock { $0 }
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(message) == true)
    #expect(found.first?.contains("first-reply") == true)
  }

  @Test("two phones have different folders, which are deleted")
  func folders() async throws {
    let folders = Mutex<[URL]>([])
    for _ in 0..<2 {
      let phone = try TestPhone { app in
        folders.withLock { $0.append(app.container.deletingLastPathComponent()) }
      } makeExtension: {
        Echo()
      }
      _ = try await phone.deliver(Self.payload)
    }
    let made = folders.withLock { $0 }
    #expect(Set(made).count == 2)
    #expect(!made.contains { FileManager.default.fileExists(atPath: $0.path) })
  }
}

private final class Echo: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) { contentHandler(request.content) }
}
