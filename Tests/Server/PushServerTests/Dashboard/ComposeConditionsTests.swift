import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Conditions in Compose", .timeLimit(.minutes(10)))
struct ComposeConditionsTests {
  private static let message = [("to", "conditions"), ("title", "T"), ("text", "Body")]

  private static func row(_ field: String, _ value: String) -> [(String, String)] {
    var conditions = AudienceConditions()
    conditions.rows = [ConditionRow(field: field, value: value)]
    return conditions.fields.map { ($0.name, $0.value) }
  }

  private func client() async throws -> DashboardClient {
    let fixture = try await Fixture()
    for id in ["d1", "d2", "d3"] {
      try await fixture.register(id) { $0.tags = .set(id == "d1" ? [] : ["news"]) }
    }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    _ = await client.get(client.path("compose"))
    return client
  }

  private func sends(_ client: DashboardClient) async throws -> [Send] {
    try await client.fixture.store.sends(
      app: client.fixture.app.id, after: nil, limit: 9
    ).sends
  }

  private static let refusals: [(fields: [(String, String)], words: String)] = [
    ([], "Choose who gets it: add a condition."),
    (row("", "news"), "Choose who gets it: add a condition."),
    (row("tags", ""), "Audience, Tags: Enter a value."),
    (row("colour", "x"), "Audience, colour: The field"),
    ([("who_any0_kind", "audience")], "Choose who gets it: add a condition."),
  ]

  @Test("conditions that are empty or not complete are sent to nobody", arguments: refusals)
  func refused(fields: [(String, String)], words: String) async throws {
    let client = try await client()
    for action in ["review", "send"] {
      let page = await client.post(
        client.path("compose"), Self.message + fields + [("action", action)])
      #expect(page.status == 422 && page.text.contains(words), "\(page.text)")
      #expect(!page.text.contains("$."))
    }
    #expect(try await sends(client).isEmpty)
  }

  @Test("a send to conditions is reviewed in words, sent, and duplicated with them")
  func sent() async throws {
    let client = try await client()
    let fields = Self.message + Self.row("tags", "news")
    let page = await client.post(client.path("compose"), fields)
    #expect(page.text.contains("<strong>2 devices</strong> match"))
    let review = await client.post(client.path("compose"), fields + [("action", "review")])
    #expect(review.text.contains("<h1>Send to 2 devices?</h1>"))
    #expect(review.text.contains("Tags include news"))
    let answer = await client.post(client.path("compose"), fields + [("action", "send")])
    #expect(answer.status == 303, "\(answer.text)")
    let send = try #require(try await sends(client).first)
    let copy = await client.get(client.path("compose?from=\(send.id)"))
    #expect(copy.text.contains("<option value=\"conditions\" selected>"))
    #expect(copy.text.contains("<option value=\"tags\" selected>"))
    let unopened = await client.get(client.path("compose?from=\(send.id)&unopened"))
    #expect(!unopened.text.contains("<option value=\"tags\" selected>"))
  }

  @Test("without a script a button adds a row, and the message stays")
  func button() async throws {
    let client = try await client()
    let page = await client.post(
      client.path("compose"),
      Self.message + Self.row("tags", "news") + [("action", "who_add_all")])
    #expect(page.status == 200 && page.text.contains("value=\"T\""))
    let added = try #require(page.text.firstMatch(of: /<select id="who_all_1_field"[^>]*>/))
    #expect(added.0.contains(" autofocus"))
  }
}
