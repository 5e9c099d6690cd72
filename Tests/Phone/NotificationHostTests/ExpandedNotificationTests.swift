import Foundation
import NotificationHost
import NotificationTemplates
import PushPayload
import RichNotifications
import TestSupport
import Testing
import UserNotifications

/// What a person does with the notification that the simulated phone shows: from the push to the opened link.
@Suite("An expanded notification, from the push to the opened link", .timeLimit(.minutes(10)))
struct ExpandedNotificationTests {
  private static let urls = (0..<3).map { "https://a/\($0)" }
  private static let payload: JSONValue = [
    "aps": [
      "alert": ["title": "T", "body": "B"], "category": "expanded", "mutable-content": 1,
      "thread-id": "t",
    ],
    "_nid": "n",
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

  private let group = TemporaryFolder()

  private func phone(_ ready: [Int] = [0, 1, 2]) throws -> Phone {
    let answers = Dictionary(
      uniqueKeysWithValues: ready.map { (Self.urls[$0], TemplateMediaTests.png) })
    return try Phone(answers) { [url = group.url] in $0.appGroupFolder = url }
  }

  private func notification(_ phone: Phone) async throws -> UNNotification {
    let report = await phone.deliver(Self.payload)
    return try #require(report.notification(deliveredAt: Date(timeIntervalSince1970: 1000)))
  }

  private func expanded(_ notification: UNNotification) throws -> ExpandedNotification {
    var view = ExpandedPhone.make(container: group.url)
    view.phone.receipts = ReceiptSettings(
      endpoint: try #require(URL(string: "https://push.example.com/v6/receipts")),
      deviceKey: "KEY", deviceID: "d", folder: group.url)
    view.on(.expanded(notification), at: 1000)
    return view
  }

  @Test("a person looks at two pages, buys what is on the second, and leaves")
  func whole() async throws {
    var view = try expanded(try await notification(try phone()))
    #expect(view.missing.isEmpty && view.template?.pages.count == 3)
    #expect(view.files.values.allSatisfy { FileManager.default.fileExists(atPath: $0.path()) })
    view.on(.waited, at: 1002)
    #expect(view.state?.page == 1)
    view.on(.pressed("buy"), at: 1003)
    #expect(view.shown == nil && view.isRemoved && view.unanswered.isEmpty)
    #expect(
      view.trace.map { "\($0.at / .seconds(1)) \($0.rule): \($0.message)" } == [
        "0.0 content-extension: the content extension of expanded is loaded",
        "0.0 content-size: the view is 150 points high",
        "0.0 content-size: the view is \(Int((view.heights.last ?? 0).rounded())) points high",
        "0.0 content-buttons: buttons: buy",
        "0.0 content-extension: records viewed",
        "2.0 content-extension: page 2",
        "3.0 content-extension: records opened",
        "3.0 content-extension: opens shop://1",
        "3.0 content-action: buy: the view is closed",
        "3.0 content-extension: closed: the person left it",
        "3.0 content-extension: records page",
        "3.0 content-extension: records page",
      ])
    let receipts = view.takeReceipts()
    #expect(
      receipts.map { "\($0.event.rawValue) \($0.page ?? -1) \($0.dwellSeconds ?? -1)" } == [
        "template_viewed -1 -1", "template_opened 1 -1", "opened -1 -1", "template_page 0 2",
        "template_page 1 1",
      ])
    #expect(receipts.allSatisfy { $0.notificationID == "n" })
  }

  @Test("pages whose pictures failed are gone, and one that is left is shown alone")
  func failed() async throws {
    for (ready, kind) in [([0, 2], TemplateKind.carousel), ([1], .banner), ([], .text)] {
      var view = try expanded(try await notification(try phone(ready)))
      #expect(view.template?.kind == kind)
      #expect(view.missing.count == 3 - ready.count)
      #expect(view.template?.pages.map(\.id) == (ready.count > 1 ? ["p0", "p2"] : []))
      view.on(.waited, at: 1002.5)
      view.on(.collapsed, at: 1003)
      // The page has its number in the payload.
      #expect(
        view.takeReceipts().filter { $0.event == .templatePage }.map(\.page)
          == (ready.count > 1 ? [0, 2] : []))
    }
  }

  @Test("a later notification of the thread takes the view, and its own pictures")
  func later() async throws {
    let phone = try phone()
    let (first, second) = (try await notification(phone), try await notification(phone))
    var view = try expanded(first)
    let files = view.files
    view.on(.waited, at: 1002)
    view.on(.received(second), at: 1003)
    #expect(view.state?.page == 0)
    #expect(view.files.count == 3 && Set(view.files.values).isDisjoint(with: files.values))
    view.on(.waited, at: 1004.9)
    #expect(view.state?.page == 0, "its own time begins anew")
    view.on(.waited, at: 1005)
    #expect(view.state?.page == 1)
  }

  @Test("one that is killed for its memory loses what only the end of the view would have told")
  func killed() async throws {
    var view = try expanded(try await notification(try phone()))
    view.on(.waited, at: 1002)
    view.on(.used(bytes: 25 << 20), at: 1003)
    view.on(.collapsed, at: 1004)
    #expect(view.shown == nil && !view.isRemoved)
    #expect(view.takeReceipts().map(\.event) == [.templateViewed])
    // A person may expand it again.
    view.on(.expanded(try await notification(try phone())), at: 1010)
    #expect(view.state?.page == 0)
  }

  @Test("a link that the system does not open opens the app, and the notification stays")
  func unopened() async throws {
    var view = try expanded(try await notification(try phone()))
    view.phone.opens = { _ in false }
    view.on(.tapped(.open("shop://0")), at: 1001)
    #expect(view.shown == nil && !view.isRemoved)
    #expect(
      view.messages(of: .contentAction) == [
        "the app is opened as by a tap on the notification"
      ])
  }

  @Test(
    "an Info.plist is that of a content extension, with a category and a ratio",
    arguments: [
      (["expanded"], 0.5, "content", true), ("expanded", 1, "content", true),
      ([], 1, "content", false), (.null, 1, "content", false),
      ("expanded", .null, "content", false),
      ("expanded", 1, "service", false),
    ] as [(JSONValue, JSONValue, String, Bool)])
  func infoPlist(category: JSONValue, ratio: JSONValue, kind: String, isOne: Bool) {
    let extensionOf = ContentExtension(infoPlist: [
      "NSExtension": [
        "NSExtensionPointIdentifier": .string("com.apple.usernotifications.\(kind)-extension"),
        "NSExtensionAttributes": [
          "UNNotificationExtensionCategory": category,
          "UNNotificationExtensionInitialContentSizeRatio": ratio,
          "UNNotificationExtensionUserInteractionEnabled": true,
        ],
      ]
    ])
    #expect((extensionOf != nil) == isOne)
    if let extensionOf {
      #expect(extensionOf.categories == ["expanded"] && extensionOf.takesTouches)
      #expect(!extensionOf.hidesDefaultContent)
    }
  }
}

extension ExpandedNotification {
  /// The heights that the view had.
  fileprivate var heights: [Double] {
    messages(of: .contentSize).compactMap {
      $0.split(separator: " ").compactMap { Double($0) }.first
    }
  }
}
