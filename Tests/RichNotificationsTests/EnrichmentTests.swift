import Foundation
import PushPayload
import Testing

@testable import RichNotifications

@Suite("The life of one notification in the extension")
struct EnrichmentTests {
  enum Step: String, CaseIterable { case began, mediaCame, mediaFailed, deadline, expiry }

  static let sequences: [[Step]] = {
    func extend(_ sequences: [[Step]]) -> [[Step]] {
      sequences.flatMap { sequence in Step.allCases.map { sequence + [$0] } }
    }
    return (1...5).reduce([[]]) { sequences, _ in extend(sequences) }
  }()

  static func plan(_ payload: JSONValue) -> EnrichmentPlan {
    EnrichmentPlan(
      payload: payload, text: NotificationText(title: "T", body: "B"), category: "", categories: [],
      configuration: RichConfiguration())
  }

  static let wanting = plan(["_mediaUrl": "https://a/i.png", "_mediaAlt": "alt"])
  static let file = AttachedMedia(file: URL(filePath: "/x.png"), type: .png, bytes: 1, status: 200)

  static func event(_ step: Step) -> Enrichment.Event {
    switch step {
    case .began: .began(wanting)
    case .mediaCame: .mediaEnded(.success(file))
    case .mediaFailed: .mediaEnded(.failure(MediaFailure(.network, "broken")))
    case .deadline: .deadlinePassed
    case .expiry: .systemExpires
    }
  }

  @Test(
    "3125 interleavings of five events: at most one delivery, one load, and no file is forgotten")
  func interleavings() {
    for sequence in Self.sequences {
      var enrichment = Enrichment()
      var deliveries: [EnrichedContent] = []
      var loads = 0
      var discarded = 0
      for step in sequence {
        switch enrichment.on(Self.event(step)) {
        case .deliver(let content): deliveries.append(content)
        case .load: loads += 1
        case .discard: discarded += 1
        case .nothing: break
        }
      }
      let files = sequence.count { $0 == .mediaCame }
      #expect(deliveries.count <= 1, "\(sequence)")
      #expect(loads == (sequence.contains(.began) ? 1 : 0), "\(sequence)")
      #expect(
        discarded + deliveries.reduce(0) { $0 + $1.attachments.count } == files, "\(sequence)")
      // Once begun, the first thing that ends it delivers.
      if let start = sequence.firstIndex(of: .began),
        sequence[start...].contains(where: { $0 != .began })
      {
        #expect(deliveries.count == 1, "\(sequence)")
      }
    }
  }

  @Test(
    "S6, S7: a failure, the deadline and the expiry deliver the alternative text as body",
    arguments: [Step.mediaFailed, .deadline, .expiry])
  func alternative(step: Step) throws {
    var enrichment = Enrichment()
    _ = enrichment.on(.began(Self.wanting))
    guard case .deliver(let content) = enrichment.on(Self.event(step)) else {
      Issue.record("nothing was delivered")
      return
    }
    #expect(content.text == NotificationText(title: "T", body: "alt"))
    #expect(content.usedAlternativeText)
    #expect(content.media.map(\.result) == [.failed])
    #expect(content.media.map(\.reason) == [step == .mediaFailed ? .network : .timeout])
  }

  @Test("S2: without media it is delivered at once, untouched")
  func untouched() {
    var enrichment = Enrichment()
    guard case .deliver(let content) = enrichment.on(.began(Self.plan(["aps": ["alert": "B"]])))
    else {
      Issue.record("not delivered at once")
      return
    }
    #expect(content.text == NotificationText(title: "T", body: "B"))
    #expect(content.attachments.isEmpty && content.media.isEmpty)
  }

  @Test(
    "S4: overrides replace texts, an empty or wrong one never does",
    arguments: [
      (
        #"{"_st":{},"title":"New","subtitle":"Sub","body":"Text"}"#,
        NotificationText(title: "New", subtitle: "Sub", body: "Text")
      ),
      (#"{"_st":{},"title":"","body":null}"#, NotificationText(title: "T", body: "B")),
      (#"{"_st":{},"title":5}"#, NotificationText(title: "T", body: "B")),
      (
        #"{"_st":{},"title":"100 % %@ \u0007"}"#,
        NotificationText(title: "100 % %@ \u{7}", body: "B")
      ),
    ])
  func overrides(payload: String, text: NotificationText) throws {
    #expect(Self.plan(try JSONValue(parsing: payload)).content.text == text)
  }

  @Test(
    "S11: another category than the extension's is delivered untouched, no category is enriched",
    arguments: [
      ("", ["CAT"], true), ("CAT", ["CAT"], true), ("OTHER", ["CAT"], false), ("OTHER", [], true),
      ("B", ["A", "B"], true),
    ])
  func categories(category: String, categories: [String], isEnriched: Bool) {
    let plan = EnrichmentPlan(
      payload: ["_st": ["image_url": "https://a/i.png"], "title": "New"],
      text: NotificationText(title: "T"),
      category: category, categories: categories, configuration: RichConfiguration())
    #expect((plan.media != nil) == isEnriched)
    #expect(plan.content.text.title == (isEnriched ? "New" : "T"))
  }

  @Test("S11: the restriction stands in Info.plist as a string or an array")
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
