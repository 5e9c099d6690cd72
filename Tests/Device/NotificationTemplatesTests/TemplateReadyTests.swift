import NotificationTemplates
import PushPayload
import Testing

@Suite("Templates whose media are not all ready")
struct TemplateReadyTests {
  private static func template(_ json: JSONValue) throws -> NotificationTemplate {
    let payload: JSONValue = ["aps": ["category": "x"], "_martlet": ["template": json]]
    return try #require(TemplateTable.standard.read(payload, delivered: 0).template)
  }

  private static func pages(_ count: Int) -> JSONValue {
    .array((1...count).map { ["media": ["id": .string("\($0)"), "url": .string("u\($0)")]] })
  }

  @Test(
    "pages that are missing go, in order, and below the minimum the kind is simpler",
    arguments: [
      ("carousel", 3, ["1", "3"], "carousel", ["1", "3"]), ("carousel", 3, ["2"], "banner", []),
      ("carousel", 3, [], "text", []), ("catalog", 3, ["3", "1"], "catalog", ["1", "3"]),
      ("catalog", 2, ["2"], "banner", []),
      ("icons", 4, ["1", "2", "4"], "icons", ["1", "2", "4"]),
      ("icons", 4, ["1", "2"], "text", []),
    ] as [(String, Int, Set<String>, String, [String])])
  func pages(
    kind: String, count: Int, ready: Set<String>, shown: String, left: [String]
  ) throws {
    let template = try Self.template(["kind": .string(kind), "pages": Self.pages(count)])
    let kept = template.keeping { ready.contains($0.id) }
    #expect(kept.kind.rawValue == shown)
    #expect(kept.pages.map(\.media.id) == left)
    #expect(template.keeping { _ in true } == template)
  }

  @Test(
    "other kinds stay without their picture, or become simpler",
    arguments: [
      (["kind": "banner", "media": ["url": "u"]], "text"),
      (["kind": "media", "media": ["url": "u.mp4"], "poster": ["id": "p", "url": "p"]], "banner"),
      (["kind": "media", "media": ["url": "u.mp4"]], "text"),
      (["kind": "timer", "end": 5, "media": ["url": "u"]], "timer"),
      (["kind": "rating", "commit": "submit", "media": ["url": "u"]], "rating"),
      (["kind": "actions", "media": ["url": "u"], "actions": [["id": "a"]]], "actions"),
      (["kind": "web", "url": "https://a.example", "media": ["url": "u"]], "web"),
      (["kind": "input", "media": ["url": "u"]], "input"), (["kind": "text"], "text"),
    ] as [(JSONValue, String)])
  func others(json: JSONValue, shown: String) throws {
    let kept = try Self.template(json).keeping { $0.id == "p" }
    #expect(kept.kind.rawValue == shown)
    #expect(kept.media.allSatisfy { $0.id == "p" })
  }

  @Test("a carousel that became a banner has no buttons for pages")
  func actions() throws {
    let actions: JSONValue = [
      ["id": "n", "effect": "next"], ["id": "p", "effect": "previous"],
      ["id": "o", "effect": "open"],
    ]
    let template = try Self.template(
      ["kind": "carousel", "pages": Self.pages(2), "actions": actions])
    #expect(template.keeping { $0.id == "1" }.actions.map(\.id) == ["o"])
  }
}
