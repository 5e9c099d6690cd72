import NotificationTemplates
import PushPayload
import Testing

@Suite("Limits of templates")
struct TemplateLimitTests {
  private static func text(_ count: Int) -> JSONValue {
    .string(String(repeating: "ä", count: count))
  }

  /// What is cut off or left out: the path in the document, a template with the value at the limit, and one past it.
  struct Limit: CustomTestStringConvertible, Sendable {
    var path: PayloadPath
    var atLimit: JSONValue
    var pastLimit: JSONValue
    var remains: JSONValue?
    var finding = "out-of-range"
    var testDescription: String { path.description }
  }

  private static let limits: [Limit] = [
    Limit(
      path: "texts.title", atLimit: ["kind": "text", "texts": ["title": text(256)]],
      pastLimit: ["kind": "text", "texts": ["title": text(257)]], remains: text(256)),
    Limit(
      path: "texts.body", atLimit: ["kind": "text", "texts": ["body": text(2048)]],
      pastLimit: ["kind": "text", "texts": ["body": text(2049)]], remains: text(2048)),
    Limit(
      path: "id", atLimit: ["kind": "text", "id": text(128)],
      pastLimit: ["kind": "text", "id": text(129)], remains: text(128)),
    Limit(
      path: "link", atLimit: ["kind": "text", "link": text(1024)],
      pastLimit: ["kind": "text", "link": text(1025)], remains: nil),
    Limit(
      path: "tracking",
      atLimit: ["kind": "text", "tracking": ["a": .string(String(repeating: "a", count: 1016))]],
      pastLimit: ["kind": "text", "tracking": ["a": .string(String(repeating: "a", count: 1017))]],
      remains: nil),
    Limit(
      path: "advance", atLimit: carousel(["advance": 60]), pastLimit: carousel(["advance": 60.5]),
      remains: nil),
    Limit(
      path: "advance", atLimit: carousel(["advance": 0.5]), pastLimit: carousel(["advance": 0.4]),
      remains: nil),
    Limit(
      path: "aspect", atLimit: carousel(["aspect": 3]), pastLimit: carousel(["aspect": 3.1]),
      remains: nil),
    Limit(
      path: "spacing", atLimit: carousel(["spacing": 50]), pastLimit: carousel(["spacing": 51]),
      remains: nil),
    Limit(
      path: "scale", atLimit: rating(10), pastLimit: rating(11), remains: 5),
    Limit(
      path: "scale", atLimit: rating(2), pastLimit: rating(1), remains: 5),
    Limit(
      path: "media.corner", atLimit: ["kind": "banner", "media": ["url": "a", "corner": 50]],
      pastLimit: ["kind": "banner", "media": ["url": "a", "corner": 50.5]], remains: nil),
    Limit(
      path: "media.alt", atLimit: ["kind": "banner", "media": ["url": "a", "alt": text(256)]],
      pastLimit: ["kind": "banner", "media": ["url": "a", "alt": text(257)]], remains: text(256)),
    Limit(
      path: "peek", atLimit: carousel(["layout": "peek", "peek": 0.5]),
      pastLimit: carousel(["layout": "peek", "peek": 0.49]), remains: nil),
    Limit(
      path: "media.border.width", atLimit: banner(["width": 10]), pastLimit: banner(["width": 11]),
      remains: nil),
    Limit(
      path: "end", atLimit: ["kind": "timer", "end": 1, "duration": 2_592_000],
      pastLimit: ["kind": "timer", "end": 1, "duration": 2_592_001], remains: 1),
  ]

  private static func carousel(_ members: [String: JSONValue]) -> JSONValue {
    let pages: JSONValue = [["media": ["url": "a"]], ["media": ["url": "b"]]]
    return .object(members.merging(["kind": "carousel", "pages": pages]) { $1 })
  }

  private static func rating(_ scale: Int64) -> JSONValue {
    ["kind": "rating", "commit": "submit", "scale": .integer(scale)]
  }

  private static func banner(_ border: JSONValue) -> JSONValue {
    ["kind": "banner", "media": ["url": "a", "border": border]]
  }

  @Test("a value at its limit is read, and one past it is cut off or left out", arguments: limits)
  func values(limit: Limit) {
    let (whole, none) = readOwn(limit.atLimit)
    #expect(none.isEmpty)
    #expect(whole[limit.path] != nil)
    let (document, findings) = readOwn(limit.pastLimit)
    #expect(document[limit.path] == limit.remains)
    #expect(findings.count == 1 && findings[0].hasPrefix(limit.finding))
  }

  @Test(
    "a kind has as many pages as it may, and is simpler with fewer than it must",
    arguments: [
      ("carousel", 2, 10, "banner"), ("catalog", 2, 5, "banner"), ("icons", 3, 5, "text"),
    ])
  func pages(kind: String, least: Int, most: Int, simpler: String) {
    func document(_ count: Int) -> (document: JSONValue, findings: [String]) {
      let pages = (0..<count).map { number -> JSONValue in
        ["media": ["url": .string("https://a.example/\(number)")]]
      }
      return readOwn(["kind": .string(kind), "pages": .array(pages)])
    }
    for count in [least, most] {
      let (document, findings) = document(count)
      #expect(document["kind"]?.string == kind && document["pages"]?.array?.count == count)
      #expect(findings.isEmpty)
    }
    let (more, tooMany) = document(most + 1)
    #expect(more["pages"]?.array?.count == most)
    #expect(tooMany == ["out-of-range $._martlet.template.pages[\(most)]"])
    let (fewer, tooFew) = document(least - 1)
    #expect(fewer["kind"]?.string == simpler)
    #expect(tooFew == ["template-degraded $._martlet.template"])
  }

  @Test("four buttons, four details and six choices are read, and no more")
  func lists() {
    func items(_ count: Int) -> JSONValue {
      .array((0..<count).map { ["id": .string("\($0)"), "title": "t", "text": "x"] })
    }
    for (kind, list, most) in [("actions", "actions", 4), ("poll", "choices", 6)] {
      let (whole, none) = readOwn(["kind": .string(kind), .init(list): items(most)])
      #expect(whole[list]?.array?.count == most && none.isEmpty)
      let (cut, findings) = readOwn(["kind": .string(kind), .init(list): items(most + 1)])
      #expect(cut[list]?.array?.count == most)
      #expect(findings == ["out-of-range $._martlet.template.\(list)[\(most)]"])
    }
    let (banner, _) = readOwn(["kind": "banner", "media": ["url": "a"], "details": items(5)])
    #expect(banner["details"]?.array?.count == 4)
  }

  @Test("deep and long payloads are read in bounded work, with at most fifty findings")
  func hostile() {
    let wrong = (0..<40).map { number -> JSONValue in
      [
        "media": ["url": .string("u\(number)"), "alt": [], "kind": "x", "fit": 1, "corner": "x"],
        "title": [], "body": [:], "link": 7,
      ]
    }
    let (document, findings) = readOwn(["kind": "carousel", "pages": .array(wrong), "texts": 5])
    #expect(document["pages"]?.array?.count == 10)
    #expect(findings.count == PayloadReader.maximumFindings)
    let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    let payload: JSONValue = [
      "aps": ["category": "CTNotification"], "pt_id": "pt_basic", "pt_json": .string(deep),
    ]
    #expect(read(payload).findings.first == "wrong-type $.pt_json<json>")
  }

  @Test("JSON text of 16,384 bytes is read, and longer text is not")
  func documents() {
    func read(bytes: Int) -> (document: JSONValue, findings: [String]) {
      let text = #"{"pt_title":"In text"}"#
      let filled = text + String(repeating: " ", count: bytes - text.utf8.count)
      return NotificationTemplatesTests.read([
        "aps": ["category": "CTNotification"], "pt_id": "pt_basic", "pt_title": "Beside",
        "pt_json": .string(filled),
      ])
    }
    let (whole, _) = read(bytes: 16_384)
    #expect(whole["texts"]?["title"] == "In text")
    let (none, findings) = read(bytes: 16_385)
    #expect(none["texts"]?["title"] == "Beside")
    #expect(findings.first == "wrong-type $.pt_json")
  }

  @Test("buttons of which none has an id make no template of buttons")
  func buttonsWithoutID() {
    let (document, findings) = readOwn([
      "kind": "actions", "media": ["url": "u"], "actions": [["title": "Open"]],
    ])
    #expect(document["kind"] == "banner")
    #expect(document["actions"] == nil)
    #expect(!findings.isEmpty)
  }
}
