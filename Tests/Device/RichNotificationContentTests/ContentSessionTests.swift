import Foundation
import NotificationTemplates
import Testing
@_spi(Host) import UserNotifications

@testable import RichNotificationContent

/// A measurer whose lines are as high as their letters and never break.
private struct LineMeasurer: TemplateTextMeasurer {
  func size(of text: String, font: TemplateFont, width: Double, lines: Int?) -> TemplateSize {
    TemplateSize(width: min(width, Double(text.count) * font.size / 2), height: font.size)
  }
}

@Suite("An expanded notification")
struct ContentSessionTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  private func notification(
    _ userInfo: [AnyHashable: Any], id: String = "r", category: String = "expanded",
    attachments: [UNNotificationAttachment] = []
  ) -> UNNotification {
    let content = UNMutableNotificationContent()
    content.title = "Autumn"
    content.body = "New coats"
    content.categoryIdentifier = category
    content.userInfo = userInfo
    content.attachments = attachments
    let request = UNNotificationRequest(identifier: id, content: content, trigger: nil)
    return UNNotification(request: request, date: Date(timeIntervalSince1970: 1000))
  }

  private let carousel: [AnyHashable: Any] = [
    "_martlet": [
      "template": [
        "kind": "carousel",
        "pages": (0..<3).map { number in
          ["media": ["id": "m\(number)", "url": "https://a.example/\(number).png"]]
        },
        "actions": [
          ["id": "next", "title": "Next", "effect": "next"], ["id": "save", "effect": "previous"],
        ],
      ] as [String: Any]
    ]
  ]

  /// An attachment with the smallest PNG there is.
  private func attachment(_ id: String) throws -> UNNotificationAttachment {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: id + ".png")
    let png = """
      iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
      """
    try #require(Data(base64Encoded: png)).write(to: file)
    return try UNNotificationAttachment(identifier: id, url: file)
  }

  private func layout(_ session: ContentSession) -> TemplateLayout {
    session.layout(in: TemplateEnvironment(width: 361, now: 1000), measuring: LineMeasurer())
  }

  @Test("one without a template shows its texts, and gives every action to the app")
  func text() {
    var session = ContentSession(notification(["other": 1]), container: nil)
    #expect(session.template.kind == .text)
    let texts = layout(session).readingOrder.compactMap(\.accessibility?.label)
    #expect(texts == ["Autumn", "New coats"])
    #expect(
      session.on(.action(id: "reply", text: "Hello", number: 1), at: 1000)
        == [.answer(1, .dismissAndForward)])
  }

  @Test("the attachments are the pages where there is no app group, and the rest is left out")
  func attachments() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let attached = try [attachment("m0"), attachment("m2")]
    let session = ContentSession(notification(carousel, attachments: attached), container: nil)
    #expect(session.template.kind == .carousel)
    #expect(session.template.pages.map(\.media.id) == ["m0", "m2"])
    #expect(Set(session.files.keys) == ["m0", "m2"])
    #expect(session.missing.map(\.id) == ["m1"])

    let one = ContentSession(
      notification(carousel, attachments: [attached[0]]), container: nil)
    #expect(one.template.kind == .banner)
  }

  @Test("an app group in which nothing was prepared shows the texts, and says what is missing")
  func notPrepared() {
    let session = ContentSession(notification(carousel), container: folder)
    #expect(session.template.kind == .text)
    #expect(session.missing.map(\.reason) == ["not-prepared", "not-prepared", "not-prepared"])
  }

  @Test("the buttons follow the page: none that has no effect, and none of the category twice")
  func buttons() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let attached = try [attachment("m0"), attachment("m1"), attachment("m2")]
    var payload = carousel
    var template = try #require(
      (payload["_martlet"] as? [String: Any])?["template"] as? [String: Any])
    template["wraps"] = false
    payload["_martlet"] = ["template": template]
    var session = ContentSession(notification(payload, attachments: attached), container: nil)
    _ = session.on(.appeared(mayMove: false), at: 1000)
    func buttons() -> [TemplateCategoryButton] {
      layout(session).buttons(of: session.template, registered: ["save", "other"])
    }
    #expect(buttons() == [.registered(id: "other"), .named(id: "next", title: "Next")])
    _ = session.on(.tapped(.next), at: 1001)
    #expect(
      buttons() == [
        .registered(id: "save"), .registered(id: "other"), .named(id: "next", title: "Next"),
      ])
    _ = session.on(.tapped(.next), at: 1002)
    #expect(buttons() == [.registered(id: "save"), .registered(id: "other")])
    let registered = layout(session).buttons(
      of: session.template, registered: ["next", "a", "b", "c", "d", "e"])
    #expect(registered == ["a", "b", "c", "d"].map { .registered(id: $0) })
  }

  @Test("a later notification of the thread is shown in the place of the first")
  func later() {
    var session = ContentSession(notification(carousel, id: "first"), container: folder)
    _ = session.on(.appeared(mayMove: true), at: 1000)
    let commands = session.receive(
      notification([:], id: "second"), container: folder, at: 1001)
    #expect(commands.contains(.show))
    #expect(session.requestID == "second" && session.missing.isEmpty)
  }

  @Test("a tap goes to the foremost part that takes it, and past the edges to none")
  func taps() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var payload = carousel
    var template = try #require(
      (payload["_martlet"] as? [String: Any])?["template"] as? [String: Any])
    template["link"] = "shop://all"
    payload["_martlet"] = ["template": template]
    let attached = try [attachment("m0"), attachment("m1")]
    let layout = layout(
      ContentSession(notification(payload, attachments: attached), container: nil))
    #expect(layout.tap(atX: 0, y: 0) == .open("shop://all"))
    #expect(layout.tap(atX: 360.9, y: 10) == .open("shop://all"))
    #expect(layout.tap(atX: 10, y: -0.1) == nil)
    #expect(layout.tap(atX: 10, y: layout.size.height) == nil)
  }
}
