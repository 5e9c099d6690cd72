import Foundation
import PushPayload
import Testing

@testable import RichNotifications

@Suite("The state machine of a notification")
struct EnrichmentTests {
  static let wanting = Sample.plan(["_mediaUrl": "https://a/i.png", "_mediaAlt": "alt"])

  static func delivered(_ actions: [Enrichment.Action]) -> EnrichedContent? {
    for case .deliver(let content) in actions { return content }
    return nil
  }

  @Test(
    "a failure, the deadline and the expiry deliver the fallback text as body",
    arguments: [
      Enrichment.Event.fetched(0, .failed(MediaFailure(.network, "broken"), nil)), .deadlinePassed,
      .systemExpires,
    ])
  func alternative(event: Enrichment.Event) throws {
    var enrichment = Enrichment()
    _ = enrichment.on(.began(Self.wanting), at: .zero)
    let content = try #require(Self.delivered(enrichment.on(event, at: .zero)))
    #expect(content.text == NotificationText(title: "T", body: "alt"))
    #expect(content.usedAlternativeText)
    #expect(content.media.map(\.result) == [.failed])
    if case .fetched = event {
      #expect(content.media.map(\.reason) == [.network])
    } else {
      #expect(content.media.map(\.reason) == [.timeout])
    }
  }

  @Test("a notification without media is delivered at once, unchanged")
  func untouched() throws {
    var enrichment = Enrichment()
    let plan = Sample.plan(["aps": ["alert": "B"]])
    let content = try #require(Self.delivered(enrichment.on(.began(plan), at: .zero)))
    #expect(content.text == NotificationText(title: "T", body: "B"))
    #expect(content.attachments.isEmpty && content.media.isEmpty)
  }

  @Test("an expiry before the start delivers the text at the start")
  func expiredBefore() throws {
    var enrichment = Enrichment()
    #expect(enrichment.on(.systemExpires, at: .zero).isEmpty)
    let content = try #require(Self.delivered(enrichment.on(.began(Self.wanting), at: .zero)))
    #expect(content.media.map(\.reason) == [.timeout])
  }

  @Test("at most the configured number is fetched at the same time")
  func parallel() {
    var configuration = RichConfiguration()
    configuration.media.maximumParallel = 2
    let plan = Sample.plan(Sample.payload((1...4).map { "https://a/\($0)" }), configuration)
    var enrichment = Enrichment()
    func fetches(_ actions: [Enrichment.Action]) -> [Int] {
      actions.compactMap { if case .fetch(let number, _) = $0 { number } else { nil } }
    }
    #expect(fetches(enrichment.on(.began(plan), at: .zero)) == [0, 1])
    #expect(fetches(enrichment.on(.fetched(1, .file(Sample.file("b"))), at: .zero)) == [2])
    let failed = MediaFetchResult.failed(MediaFailure(.httpStatus, "404"), nil)
    #expect(fetches(enrichment.on(.fetched(0, failed), at: .zero)) == [3])
  }

  @Test("files over the maximum count are skipped and reported", arguments: [(5, 0), (6, 1)])
  func count(urls: Int, skipped: Int) {
    let plan = Sample.plan(Sample.payload((1...urls).map { "https://a/\($0)" }))
    #expect(plan.attempts.count == 5)
    let content = plan.content(
      plan.attempts.map { .init(attempt: $0, result: .success(Sample.file("x"))) })
    #expect(
      content.media.filter { $0.result == .skipped }.map(\.reason)
        == Array(repeating: .budget, count: skipped))
  }

  @Test("attachments have the payload's order; a repeated URL is one attempt")
  func order() {
    let plan = Sample.plan(Sample.payload(["https://a/1", "https://a/2", "https://a/1"]))
    #expect(plan.attempts.count == 2)
    let content = plan.content([
      .init(attempt: plan.attempts[0], result: .success(Sample.file("1"))),
      .init(attempt: plan.attempts[1], result: .success(Sample.file("2"))),
    ])
    #expect(content.attachments.map(\.url) == ["1", "2", "1"])
  }

  @Test(
    "text keys replace text; empty ones and those of a wrong type do not",
    arguments: [
      (
        #"{"_martlet":{"title":"New","subtitle":"Sub","body":"Text"}}"#,
        NotificationText(title: "New", subtitle: "Sub", body: "Text")
      ),
      (
        #"{"_st":{},"title":"New","subtitle":"Sub","body":"Text"}"#,
        NotificationText(title: "New", body: "B")
      ),
      (#"{"_st":{},"title":"","body":null}"#, NotificationText(title: "T", body: "B")),
      (#"{"_st":{},"title":5}"#, NotificationText(title: "T", body: "B")),
      (
        #"{"_st":{},"title":"100 % %@ \u0007"}"#,
        NotificationText(title: "100 % %@ ", body: "B")
      ),
    ])
  func overrides(payload: String, text: NotificationText) throws {
    #expect(Sample.plan(try JSONValue(parsing: payload)).content.text == text)
  }

  @Test(
    "a category that is not the extension's is delivered unchanged; no category is enriched",
    arguments: [
      ("", ["CAT"], true), ("CAT", ["CAT"], true), ("OTHER", ["CAT"], false), ("OTHER", [], true),
      ("B", ["A", "B"], true),
    ])
  func categories(category: String, categories: [String], isEnriched: Bool) {
    let plan = Sample.plan(
      ["_st": ["image_url": "https://a/i.png"], "title": "New"],
      text: NotificationText(title: "T"), category: category, categories: categories)
    #expect(plan.attempts.isEmpty == !isEnriched)
    #expect(plan.content.text.title == (isEnriched ? "New" : "T"))
  }

  @Test("the restriction in the Info.plist is a string or an array")
  func infoDictionary() {
    func info(_ value: Any) -> [String: Any] {
      ["NSExtension": ["NSExtensionAttributes": ["UNNotificationExtensionCategory": value]]]
    }
    #expect(RichEnvironment.categories(in: info("CAT")) == ["CAT"])
    #expect(RichEnvironment.categories(in: info(["A", "B"])) == ["A", "B"])
    #expect(RichEnvironment.categories(in: info(5)) == [])
    #expect(RichEnvironment.categories(in: [:]) == [])
  }
}
