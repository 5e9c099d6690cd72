import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Names, labels and the search of notifications", .timeLimit(.minutes(10)))
struct SendSearchTests {
  private func post(
    _ fixture: Fixture, _ payload: JSONValue, name: String? = nil, labels: [String] = []
  ) async throws -> String {
    var members: [String: JSONValue] = ["to": "*", "payload": payload]
    members["name"] = name.map(JSONValue.string)
    if !labels.isEmpty { members["labels"] = .array(labels.map(JSONValue.string)) }
    let body: JSONValue = ["notification": .object(members)]
    let answer = await fixture.request("POST", "/v6/notifications", body: body.text)
    #expect(answer.status == 201, "\(answer.text)")
    return try #require(answer.json["notification"]?["id"]?.string)
  }

  private func found(_ fixture: Fixture, _ query: String) async -> [String] {
    let answer = await fixture.request("GET", "/v6/notifications?\(query)")
    return (answer.json["notifications"]?.array ?? []).compactMap { $0["id"]?.string }
  }

  @Test("a notification is found by words of its name, labels, title and text in every language")
  func search() async throws {
    let fixture = try await Fixture()
    let coat = try await post(
      fixture, ["title": "Autumn", "alert": ["default": "Coats today", "de": "Mäntel heute"]],
      name: "Sale-2026", labels: ["retail", "Big Sale"])
    let rain = try await post(fixture, ["alert": "Rain in Zürich, 促销"], labels: ["weather"])
    for (query, ids) in [
      ("q=coats", [coat]), ("q=COA", [coat]), ("q=mänt", [coat]),
      ("q=oats", []), ("q=sale 2026", [coat]), ("q=coats rain", []), ("q=促", [rain]),
      ("q=zürich", [rain]), ("q=big", [coat]), ("label=Big Sale", [coat]), ("label=Big", []),
      ("label=weather&q=rain", [rain]), ("state=complete", [rain, coat]),
      ("state=complete&q=coats", [coat]), ("state=scheduled", []), ("q=", [rain, coat]),
      ("q=' OR 1=1 --", []), ("q=%", [rain, coat]),
    ] {
      #expect(await found(fixture, query) == ids, "\(query)")
    }
    let read = await fixture.request("GET", "/v6/notifications/\(coat)")
    #expect(read.json["name"] == "Sale-2026" && read.json["labels"] == ["retail", "Big Sale"])
  }

  @Test("pages of a search follow each other, and their cursors are of no other search")
  func pages() async throws {
    let fixture = try await Fixture()
    for number in 0..<60 { _ = try await post(fixture, ["alert": .string("Word \(number)")]) }
    for _ in 0..<3 { _ = try await post(fixture, ["alert": "Other"]) }
    let first = await fixture.request("GET", "/v6/notifications?q=word")
    #expect(first.json["meta"]?["total"] == 60)
    #expect(first.json["notifications"]?.array?.count == 50)
    let cursor = try #require(first.json["meta"]?["cursor"]?.string)
    #expect(await found(fixture, "q=word&cursor=\(cursor)").count == 10)
    for query in ["q=wor&cursor=", "cursor=", "label=x&cursor="] {
      let answer = await fixture.request("GET", "/v6/notifications?\(query)\(cursor)")
      #expect(answer.status == 404, "\(query)")
    }
  }

  static let refused: [(member: String, value: JSONValue, error: String)] = [
    ("name", "", "$.notification.name must be 1 to 255 characters"),
    (
      "name", .string(String(repeating: "n", count: 256)),
      "$.notification.name must be 1 to 255 characters"
    ),
    (
      "labels", [""],
      "$.notification.labels[0] must be 1 to 64 characters without control characters"
    ),
    (
      "labels", ["a\n"],
      "$.notification.labels[0] must be 1 to 64 characters without control characters"
    ),
    (
      "labels", .array((0..<21).map { .string("\($0)") }),
      "$.notification.labels must have at most 20 labels"
    ),
  ]

  @Test("names and labels past their limits are refused", arguments: refused)
  func limits(member: String, value: JSONValue, error: String) async throws {
    let fixture = try await Fixture()
    let body: JSONValue = [
      "notification": .object([
        "to": JSONValue.string("*"), "payload": ["alert": "Hi"] as JSONValue, member: value,
      ])
    ]
    let answer = await fixture.request("POST", "/v6/notifications", body: body.text)
    #expect(answer.status == 422 && answer.error == error, "\(answer.text)")
  }

  @Test("names and labels at their limits are taken")
  func largest() async throws {
    let fixture = try await Fixture()
    let labels = (0..<20).map { String(repeating: "l", count: 62) + String(10 + $0) }
    let id = try await post(
      fixture, ["alert": "Hi"], name: String(repeating: "n", count: 255), labels: labels)
    #expect(await found(fixture, "label=\(labels[19])") == [id])
    #expect(await fixture.request("GET", "/v6/notifications?state=gone").status == 422)
    // Schemathesis sent a letter with many combining marks. JSON Schema counts each of these.
    for rest in ["q", "\u{301}"] {
      for (count, status) in [
        (RequestContext.queryLimit, 200), (RequestContext.queryLimit + 1, 422),
      ] {
        let text = "q" + String(repeating: rest, count: count - 1)
        #expect(await fixture.request("GET", "/v6/notifications?q=\(text)").status == status)
      }
    }
  }
}
