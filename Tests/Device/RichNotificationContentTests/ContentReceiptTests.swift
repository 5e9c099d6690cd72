import Foundation
import NotificationTemplates
import PushPayload
import RichNotifications
import TestSupport
import Testing
@_spi(Host) import UserNotifications

@testable import RichNotificationContent

@Suite("Receipts of an expanded notification")
struct ContentReceiptTests {
  private let folder = TemporaryFolder()

  private func settings(sendsTypedText: Bool = false) throws -> ReceiptSettings {
    var settings = ReceiptSettings(
      endpoint: try #require(URL(string: "https://push.example.com/v6/receipts")),
      deviceKey: "KEY", deviceID: "d", folder: folder.url)
    settings.sendsTypedText = sendsTypedText
    return settings
  }

  private func notification(
    _ template: JSONValue, id: JSONValue = "n", attachments: [UNNotificationAttachment] = []
  ) -> UNNotification {
    let content = UNMutableNotificationContent()
    content.title = "Autumn"
    content.categoryIdentifier = "expanded"
    content.userInfo =
      JSONValue.object(["_nid": id, "_martlet": ["template": template]]).userInfo
    content.attachments = attachments
    let request = UNNotificationRequest(identifier: "r", content: content, trigger: nil)
    return UNNotification(request: request, date: Date(timeIntervalSince1970: 1000))
  }

  /// A carousel, and the attachments of the pages that are ready.
  private func carousel(_ ready: [Int]) throws -> (JSONValue, [UNNotificationAttachment]) {
    let pages: [JSONValue] = (0..<4).map { page in
      [
        "id": .string("p\(page)"), "link": .string("shop://\(page)"),
        "media": ["id": .string("m\(page)"), "url": .string("https://a.example/\(page).png")],
      ]
    }
    let png = Data(try Fixtures.bytes("media/picture.png"))
    let attachments = try ready.map { page in
      let file = folder.url.appending(path: "m\(page).png")
      try png.write(to: file)
      return try UNNotificationAttachment(identifier: "m\(page)", url: file)
    }
    return (["kind": "carousel", "pages": .array(pages)], attachments)
  }

  /// The members of a receipt that depend on what happened.
  private struct Row: Equatable {
    var event: String
    var page: Int?
    var dwell: Int?
    var value: String?
    var text: String?

    init(
      _ event: String, page: Int? = nil, dwell: Int? = nil, value: String? = nil,
      text: String? = nil
    ) {
      self.event = event
      self.page = page
      self.dwell = dwell
      self.value = value
      self.text = text
    }

    init(_ receipt: Receipt) {
      self.init(
        receipt.event.rawValue, page: receipt.page, dwell: receipt.dwellSeconds,
        value: receipt.value, text: receipt.text)
    }
  }

  private func rows(
    _ template: JSONValue, attachments: [UNNotificationAttachment] = [],
    sendsTypedText: Bool = false,
    _ events: [(TemplateInteraction.Event, Double)]
  ) throws -> [Row] {
    var session = ContentSession(
      notification(template, attachments: attachments), container: nil,
      receipts: try settings(sendsTypedText: sendsTypedText))
    for (event, time) in [(.appeared(mayMove: false), 1000)] + events {
      _ = session.on(event, at: time)
    }
    let receipts = session.takeReceipts()
    #expect(receipts.allSatisfy { $0.notificationID == "n" && $0.deviceID == "d" })
    #expect(session.takeReceipts().isEmpty, "each is taken once")
    return receipts.map(Row.init)
  }

  @Test("each page has its number in the payload, and the whole seconds for which it was visible")
  func pages() throws {
    let (template, attachments) = try carousel([1, 3])
    #expect(
      try rows(
        template, attachments: attachments,
        [
          (.tapped(.next), 1003.2), (.tapped(.open("shop://3")), 1003.3), (.didOpen(true), 1004),
          (.disappeared, 10_000),
        ]) == [
          Row("template_viewed"), Row("template_opened", page: 3), Row("opened"),
          Row("template_page", page: 1, dwell: 3), Row("template_page", page: 3, dwell: 3600),
        ])
  }

  @Test("a star and a choice are values, and a second answer is none")
  func answers() throws {
    let rating: JSONValue = ["kind": "rating", "scale": 5, "commit": "submit"]
    #expect(
      try rows(
        rating, [(.tapped(.rate(4)), 1001), (.tapped(.submit), 1002), (.tapped(.submit), 1003)])
        == [Row("template_viewed"), Row("template_answered", value: "4")])
    let poll: JSONValue = [
      "kind": "poll", "choices": [["id": "a", "title": "A"], ["id": "b", "title": "B"]],
    ]
    #expect(
      try rows(poll, [(.tapped(.choose("b")), 1001), (.tapped(.choose("a")), 1002)])
        == [Row("template_viewed"), Row("template_answered", value: "b")])
  }

  @Test("of what a person typed only that there is something, unless the app asks for the text")
  func typed() throws {
    let input: JSONValue = [
      "kind": "input", "prompt": "How was it?", "actions": [["id": "send", "effect": "submit"]],
    ]
    let events: [(TemplateInteraction.Event, Double)] = [
      (.action(id: "send", text: "My address is 1 High Street", number: 1), 1001)
    ]
    #expect(try rows(input, events) == [Row("template_viewed"), Row("template_answered")])
    #expect(
      try rows(input, sendsTypedText: true, events) == [
        Row("template_viewed"), Row("template_answered", text: "My address is 1 High Street"),
      ])
  }

  @Test("the end of a countdown is one receipt")
  func countdown() throws {
    let timer: JSONValue = ["kind": "timer", "duration": 2]
    #expect(
      try rows(
        timer, [(.fired(.countdown), 1002), (.fired(.countdown), 1003), (.disappeared, 1004)])
        == [Row("template_viewed"), Row("template_expired")])
  }

  @Test("every kind of event has a receipt")
  func kinds() throws {
    let reporter = try #require(ContentReporter(settings(), notificationID: "n"))
    let template = NotificationTemplate(texts: TemplateTexts())
    for kind in TemplateEvent.Kind.allCases {
      let receipts = reporter.receipts(of: TemplateEvent(kind: kind, time: 1), in: template)
      #expect(receipts.first?.event.rawValue == "template_\(kind.rawValue)")
    }
  }

  @Test("what ends with a later notification belongs to the first one")
  func later() throws {
    let (template, attachments) = try carousel([0, 1])
    let settings = try settings()
    var session = ContentSession(
      notification(template, attachments: attachments), container: nil, receipts: settings)
    _ = session.on(.appeared(mayMove: false), at: 1000)
    _ = session.receive(
      notification(["kind": "text"], id: "second"), container: nil, receipts: settings, at: 1005)
    #expect(
      session.takeReceipts().map { "\($0.notificationID) \($0.event.rawValue)" } == [
        "n template_viewed", "n template_page", "second template_viewed",
      ])
  }

  @Test("there are none without settings, and none for a notification without an identifier")
  func none() throws {
    for (id, settings) in [("n", nil), ("", try settings())] as [(JSONValue, ReceiptSettings?)] {
      var session = ContentSession(
        notification(["kind": "text"], id: id), container: nil, receipts: settings)
      _ = session.on(.appeared(mayMove: false), at: 1000)
      #expect(session.takeReceipts().isEmpty)
    }
  }

  @Test("they wait in the queue of the service extension, each once however often it was expanded")
  func stored() throws {
    let settings = try settings()
    let storage = ReceiptStorage()
    let (template, attachments) = try carousel([0, 1])
    for time in [1000.0, 2000] {
      var session = ContentSession(
        notification(template, attachments: attachments), container: nil, receipts: settings)
      for (event, wait) in [
        (.appeared(mayMove: false), 0), (.tapped(.next), 1), (.disappeared, 2),
      ] as [(TemplateInteraction.Event, Double)] {
        _ = session.on(event, at: time + wait)
        storage.add(session.takeReceipts(), to: settings.queue)
      }
    }
    storage.finish()
    let waiting = settings.queue.waiting()
    #expect(
      Set(waiting.map { "\($0.event.rawValue) \($0.page ?? -1)" }) == [
        "template_viewed -1", "template_page 0", "template_page 1",
      ])
    #expect(waiting.count == 3)
  }

  @Test("a folder that cannot be written to costs the receipts alone")
  func unwritable() throws {
    let file = folder.url.appending(path: "file")
    try Data().write(to: file)
    let storage = ReceiptStorage()
    storage.add(
      [Receipt(notificationID: "n", deviceID: "d", event: .templateViewed, at: Date())],
      to: ReceiptQueue(folder: file))
    storage.finish()
    #expect(try Data(contentsOf: file).isEmpty)
  }
}
