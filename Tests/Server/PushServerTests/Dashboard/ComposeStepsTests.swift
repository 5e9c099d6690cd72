import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("The steps of the composer", .timeLimit(.minutes(10)))
struct ComposeStepsTests {
  @Test(
    "the row of steps says what each has, and how much there is to do",
    arguments: [
      ([], ["1 to do", "1 to do", "now"]),
      ([("to", "*")], ["1 device", "1 to do", "now"]),
      ([("to", "*"), ("text", "Hi")], ["1 device", "Hi", "now"]),
      ([("to", "*"), ("title", "T"), ("text", "Hi")], ["1 device", "T", "now"]),
      (
        [("to", "*"), ("text", "Hi"), ("language", "fr"), ("lang_fr_text", "Salut")],
        ["1 device", "2 texts", "now"]
      ),
      (
        [("to", "*"), ("text", "Hi"), ("badge", "-"), ("relevance", "7")],
        ["1 device", "2 to do", "now"]
      ),
      (
        [("to", "*"), ("text", "Hi"), ("scheduled_at", "2099-01-02T10:00")],
        ["1 device", "Hi", "2099-01-02 10:00"]
      ),
      (
        [("to", "*"), ("text", "Hi"), ("scheduled_at", "2020-01-02T10:00"), ("throttle", "0")],
        ["1 device", "Hi", "2 to do"]
      ),
      ([("to", "*"), ("kind", "message"), ("text", "Hi")], ["1 device", "1 to do", "now"]),
    ] as [([(String, String)], [String])])
  func steps(_ fields: [(String, String)], _ words: [String]) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("compose"))
    let answer = await client.post(
      client.path("compose"), fields, headers: [("Accept", "application/json")]
    ).json
    let steps = answer["steps"]?.array ?? []
    #expect(steps.map { $0["words"]?.string } == words, "\(answer)")
    #expect(steps.map { $0["done"] } == words.map { .bool(!$0.hasSuffix("to do")) })
  }

  @Test("the row leads to the sections of the form, and the review leads back to them")
  func links() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await DashboardClient.signedIn(fixture)
    let page = await client.get(client.path("compose")).text
    for step in ["audience", "message", "schedule"] {
      #expect(page.contains("<a href=\"#\(step)-step\">"))
      #expect(page.contains("id=\"\(step)-step\""))
    }
    let review = await client.post(
      client.path("compose"), ["to": "*", "text": "Hi", "action": "review"]
    ).text
    #expect(review.contains("formaction=\"\(client.path("compose"))#schedule-step\""))
    let template = await client.get(client.path("compose?edit_template=")).text
    #expect(!template.contains("class=\"steps\""))
  }

  @Test(
    "a new audience is made on the way, and the form comes back with it and all that was written",
    arguments: ["compose", "sends/campaigns/new"])
  func newAudience(path: String) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let path = client.path(path)
    _ = await client.get(path)
    let written: [(String, String)] = [
      ("text", "Kept & <b>whole</b>"), ("v0_key", "a"), ("v0_text", "Kept & <b>whole</b>"),
      ("v0_share", "100"), ("variants", "1"), ("draft", "0a"), ("again", "never"),
    ]
    let builder = await client.post(path, written + [("action", "audience")])
    #expect(builder.status == 200 && builder.text.contains("<h1>New audience</h1>"))
    #expect(builder.text.contains("action=\"\(path)\""))
    let match = builder.text.firstMatch(of: /name="carried" value="([^"]*)"/)
    let carried = String(try #require(match).1).replacing("&amp;", with: "&")
    func build(_ action: String, name: String) async -> Fixture.Answer {
      await client.post(path, [("carried", carried), ("name", name), ("action", action)])
    }
    let counted = await build("count", name: "")
    #expect(counted.text.contains("<strong>1</strong> reachable by push"))
    #expect(counted.text.contains("name=\"carried\""))
    let refused = await build("save", name: "")
    #expect(refused.status == 422 && refused.text.contains("name=\"carried\""))
    let saved = await build("save", name: "Made here")
    let audience = try #require(
      try await fixture.store.audiences(app: fixture.app.id, after: nil, limit: 9).elements.first)
    #expect(saved.status == 200 && audience.name == "Made here")
    #expect(saved.text.contains("<option value=\"\(audience.id)\" selected>"), "\(saved.text)")
    #expect(saved.text.contains("Kept &amp; &lt;b&gt;whole&lt;/b&gt;</textarea>"))
    let left = await build("back", name: "Not made")
    #expect(left.text.contains("whole&lt;/b&gt;</textarea>"))
    let all = try await fixture.store.audiences(app: fixture.app.id, after: nil, limit: 9)
    #expect(all.elements.map(\.name) == ["Made here"])
  }

  @Test(
    "the summary of the advanced options says which are set",
    arguments: [
      ([], ""), ([("category", "coat")], "Category"),
      ([("button0_title", "Read"), ("button1_title", "Later")], ""),
      ([("button2_title", "Never"), ("button0_id", "x")], "Button 3, Identifiers"),
      ([("pair_key", "a"), ("pair_value", "1")], "1 custom value"),
      (
        [
          ("collapse_key", "k"), ("more", "{}"), ("pair_key", "a"), ("pair_key", "b"),
          ("pair_value", "1"), ("pair_value", "2"),
        ],
        "Collapse ID, Additional JSON, 2 custom values"
      ),
    ] as [([(String, String)], String)])
  func advanced(_ fields: [(String, String)], _ words: String) {
    #expect(ComposeForm(Form(fields.map { (name: $0.0, value: $0.1) })).advancedWords == words)
  }

  @Test("the advanced options are open where one of them is refused")
  func open() async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    _ = await client.get(client.path("compose"))
    for (relevance, isOpen) in [("0.5", false), ("7", true)] {
      let page = await client.post(
        client.path("compose"), ["to": "*", "text": "Hi", "relevance": relevance]
      ).text
      #expect(page.contains("<details class=\"more\" open><summary>Advanced") == isOpen)
    }
  }
}
