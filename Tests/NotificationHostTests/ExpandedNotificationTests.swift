import Foundation
import NotificationHost
import NotificationTemplates
import PushPayload
import RichNotificationContent
import RichNotifications
import TestSupport
import Testing
@_spi(Host) import UserNotifications

/// What a person does with the notification that the simulated phone shows: from the push to the opened link.
@Suite("An expanded notification, from the push to the opened link", .timeLimit(.minutes(10)))
struct ExpandedNotificationTests {
  private static let urls = (0..<3).map { "https://a/\($0)" }
  private static let payload: JSONValue = [
    "aps": [
      "alert": ["title": "T", "body": "B"], "category": "expanded", "mutable-content": 1,
      "thread-id": "t",
    ],
    "_martlet": [
      "template": [
        "kind": "carousel", "advance": 2, "wraps": false,
        "pages": .array(
          urls.enumerated().map { number, url in
            [
              "id": .string("p\(number)"), "link": .string("shop://\(number)"),
              "media": ["url": .string(url)],
            ]
          }),
        "actions": [["id": "buy", "title": "Buy", "effect": "open"]],
      ]
    ],
  ]

  /// The notification as the system passes it to the content extension.
  private func notification(_ report: DeliveryReport) throws -> UNNotification {
    let shown = try #require(report.content)
    let content = UNMutableNotificationContent()
    content.title = shown.title
    content.body = shown.body
    content.categoryIdentifier = shown.categoryIdentifier
    content.userInfo = shown.userInfo.userInfo
    return UNNotification(
      request: UNNotificationRequest(
        identifier: shown.requestIdentifier, content: content, trigger: nil),
      date: Date(timeIntervalSince1970: 1000))
  }

  private func deliver(
    _ answers: [String: ScriptedNetwork.Response], group: TemporaryFolder
  ) async throws -> ContentSession {
    let phone = try Phone(answers) { [url = group.url] in $0.appGroupFolder = url }
    let report = await phone.deliver(Self.payload)
    return ContentSession(try notification(report), container: group.url)
  }

  @Test("a person looks at two pages, buys what is on the second, and leaves")
  func whole() async throws {
    let group = TemporaryFolder()
    let answers = Dictionary(uniqueKeysWithValues: Self.urls.map { ($0, TemplateMediaTests.png) })
    var session = try await deliver(answers, group: group)
    #expect(session.missing.isEmpty && session.template.pages.count == 3)
    #expect(session.files.values.allSatisfy { FileManager.default.fileExists(atPath: $0.path()) })

    #expect(
      session.on(.appeared(mayMove: true), at: 1000).contains(.schedule(.page, at: 1002)))
    _ = session.on(.fired(.page), at: 1002)
    #expect(session.interaction.state.page == 1)
    let bought = session.on(.action(id: "buy", text: nil, number: 1), at: 1003)
    #expect(bought.last == .open("shop://1"), "the link of the page that is shown")
    #expect(session.on(.didOpen(true), at: 1004) == [.removeNotification, .answer(1, .dismiss)])
    let events = session.on(.disappeared, at: 1005).compactMap { command in
      if case .record(let event) = command { event } else { nil }
    }
    #expect(events.map(\.pageID) == ["p0", "p1"])
    #expect(events.map(\.duration) == [2, 3])
  }

  @Test("pages whose pictures failed are gone, and one that is left is shown alone")
  func failed() async throws {
    for (ready, kind) in [([0, 2], TemplateKind.carousel), ([1], .banner), ([], .text)] {
      let group = TemporaryFolder()
      let answers = Dictionary(
        uniqueKeysWithValues: ready.map { (Self.urls[$0], TemplateMediaTests.png) })
      let session = try await deliver(answers, group: group)
      #expect(session.template.kind == kind)
      #expect(session.missing.count == 3 - ready.count)
      #expect(session.template.pages.map(\.id) == (ready.count > 1 ? ["p0", "p2"] : []))
    }
  }

  @Test("a later notification of the thread takes the view, and its own pictures")
  func later() async throws {
    let group = TemporaryFolder()
    let answers = Dictionary(uniqueKeysWithValues: Self.urls.map { ($0, TemplateMediaTests.png) })
    let phone = try Phone(answers) { [url = group.url] in $0.appGroupFolder = url }
    let first = await phone.deliver(Self.payload)
    let second = await phone.deliver(Self.payload)
    var session = ContentSession(try notification(first), container: group.url)
    _ = session.on(.appeared(mayMove: true), at: 1000)
    let files = session.files
    let commands = session.receive(
      try notification(second), container: group.url, at: 1001)
    #expect(commands.contains(.show) && commands.contains(.schedule(.page, at: 1003)))
    #expect(session.files.count == 3 && Set(session.files.values).isDisjoint(with: files.values))
  }
}
