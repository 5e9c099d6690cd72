import Foundation
import NotificationHost
import Testing

@testable import ExampleNotificationService

@Suite("Our notifications", .timeLimit(.minutes(1)))
struct NotificationServiceTests {
  static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  @Test(
    "whatever the server of the pictures does, the text is shown",
    arguments: [
      (ScriptedNetwork.Answer(body: .bytes(png)), 1), (ScriptedNetwork.Answer(status: 404), 0),
    ])
  func picture(answer: ScriptedNetwork.Answer, pictures: Int) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let clock = VirtualClock()
    var app = NotificationHost.App(container: folder) { NotificationService() }
    app.temporaryDirectory = folder
    app.network = ScriptedNetwork(["https://cdn.example/a.png": answer], clock: clock)

    let report = await NotificationHost(app: app, clock: clock).deliver(
      try PushMessage(
        json: """
          {"aps": {"alert": "Hello", "mutable-content": 1}, "image_url": "https://cdn.example/a.png"}
          """))

    Attachment.record(report.description, named: "trace.txt")
    #expect(report.outcome == .displayed && report.content?.body == "Hello", "\(report)")
    #expect(report.attachments.count == pictures, "\(report)")
  }
}
