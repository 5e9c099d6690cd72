import Foundation
import NotificationHost
import NotificationHostTesting
import Synchronization
import TestSupport
import Testing
import UserNotifications

@Suite("The snippets of NotificationHost's landing page", .timeLimit(.minutes(10)))
struct DocumentationSnippetTests {
  /// An extension that attaches the picture `image_url`.
  ///
  /// `@unchecked Sendable`: its state is protected by a mutex.
  final class NotificationService: UNNotificationServiceExtension, @unchecked Sendable {
    /// `@unchecked Sendable`: the content is immutable, and the handler may be called from any thread.
    private struct Reply: @unchecked Sendable {
      var content: UNNotificationContent
      var handler: (UNNotificationContent) -> Void
    }

    private let pending = Mutex<Reply?>(nil)

    override func didReceive(
      _ request: UNNotificationRequest,
      withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
      let original = Reply(content: request.content, handler: contentHandler)
      guard let text = request.content.userInfo["image_url"] as? String,
        let url = URL(string: text)
      else { return contentHandler(request.content) }
      pending.withLock { $0 = original }
      let task = URLSession.shared.downloadTask(with: url) { file, _, _ in
        let reply = original
        guard let file,
          let content = reply.content.mutableCopy() as? UNMutableNotificationContent
        else { return self.reply(with: reply.content) }
        let picture = file.deletingPathExtension().appendingPathExtension("png")
        try? FileManager.default.moveItem(at: file, to: picture)
        let attachment = try? UNNotificationAttachment(identifier: "picture", url: picture)
        content.attachments = [attachment].compactMap(\.self)
        self.reply(with: content)
      }
      task.resume()
    }

    override func serviceExtensionTimeWillExpire() { reply(with: nil) }

    private func reply(with content: UNNotificationContent?) {
      let reply = pending.withLock { pending in
        defer { pending = nil }
        return pending
      }
      if let reply { reply.handler(content ?? reply.content) }
    }
  }

  @Test("the page's code is the code below")
  func page() throws {
    try expectSnippets(
      of: "Sources/Phone/NotificationHost/NotificationHost.docc/NotificationHost.md", in: #filePath)
  }

  @Test("deliver a push")
  func deliver() async throws {
    let picture = ScriptedNetwork.Response(body: .onePixelPNG)
    let phone = try TestPhone(["https://cdn.example/a.png": picture]) { NotificationService() }
    let report = try await phone.deliver(
      #"{"aps": {"alert": "Hello", "mutable-content": 1}, "image_url": "https://cdn.example/a.png"}"#
    )
    report.expect(.displayed, body: "Hello", attachments: ["public.png"])
  }

  @Test("script a bad network")
  func badNetwork() async throws {
    var stalled = ScriptedNetwork.Response(body: .onePixelPNG)
    stalled.stallsAfter = 4
    let phone = try TestPhone(["https://cdn.example/a.png": stalled]) { NotificationService() }
    let report = try await phone.deliver(
      #"{"aps": {"alert": "Hello", "mutable-content": 1}, "image_url": "https://cdn.example/a.png"}"#
    )
    report.expect(.displayed, body: "Hello", attachments: [])
    #expect(report.run.expired && report.run.elapsed >= .seconds(29))
  }

  @Test("change the phone")
  func settings() async throws {
    var behavior = HostBehavior()
    behavior.timeLimit = .seconds(10)
    let phone = try TestPhone(
      behavior: behavior,
      app: { app in
        app.settings = .denied
        app.lockState = .beforeFirstUnlock
      }
    ) { NotificationService() }
    let report = try await phone.deliver(#"{"aps": {"alert": "Hello", "mutable-content": 1}}"#)
    #expect(report.outcome == .notDisplayed)
    #expect(report.rule?.name == "acceptance" && !report.run.ran)
  }

  @Test("use the host directly")
  func host() async throws {
    let temporary = TemporaryFolder()
    let folder = temporary.url
    let clock = VirtualClock()
    var app = VirtualPhone.App(container: folder) { NotificationService() }
    app.network = ScriptedNetwork(clock: clock, latency: .seconds(2))
    let host = VirtualPhone(app: app, clock: clock)
    let message = try PushMessage(json: #"{"aps": {"alert": "Hello", "mutable-content": 1}}"#)
    let report = await host.deliver(message)
    print(report)
    report.expect(.displayed, body: "Hello")
  }

  @Test("run the extension in its own process")
  func process() async throws {
    let temporary = TemporaryFolder()
    let folder = temporary.url
    let executable = try #require(IsolatedPhone.program)
    let process = ExtensionProcess(executable: executable)
    let host = VirtualPhone(app: VirtualPhone.App(container: folder, process: process))
    let report = await host.deliver(
      try PushMessage(json: #"{"aps": {"alert": "Hello", "mutable-content": 1}, "fault": "abort"}"#)
    )
    #expect(report.outcome == .displayedOriginal)
    #expect(report.reason.contains("crashed with signal 6"))
  }
}
