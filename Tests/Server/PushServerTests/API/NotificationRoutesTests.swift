import PushModel
import PushPayload
import PushServer
import Testing

@Suite("Notifications over the API", .timeLimit(.minutes(10)))
struct NotificationRoutesTests {
  private static let body = #"{"notification":{"to":"*","payload":{"alert":"Hi","k":"v"}}}"#

  @Test("a send is answered 201 with the documented body", arguments: ["/v4", "/v5", "/v6"])
  func created(version: String) async throws {
    let fixture = try await Fixture()
    try await fixture.register("device")
    let answer = await fixture.request("POST", version + "/notifications", body: Self.body)
    #expect(answer.status == 201)
    #expect(answer.headers["Content-Type"] == "application/json")
    let json = answer.json
    let (outer, inner) = (json["id"]?.string ?? "", json["notification"]?["id"]?.string ?? "")
    let audience = json["to"]?["id"]?.string ?? ""
    for id in [outer, inner, audience] { #expect(id.wholeMatch(of: /[0-9a-f]{24}/) != nil) }
    #expect(Set([outer, inner, audience]).count == 3)
    #expect(
      json == [
        "created_at": "2023-11-14T22:13:20.000Z",
        "state": "scheduled",
        "id": .string(outer),
        "to": ["id": .string(audience), "type": "Audience"],
        "notification": [
          "id": .string(inner), "created_at": "2023-11-14T22:13:20.000Z",
          "payload": ["alert": "Hi", "k": "v"],
        ],
      ])
  }

  @Test("a send goes from scheduled to complete, and its outcomes are counted")
  func progress() async throws {
    let fixture = try await Fixture()
    try await fixture.register("device")
    let created = await fixture.request("POST", "/v6/notifications", body: Self.body).json
    let id = created["notification"]?["id"]?.string ?? ""
    var expected: JSONValue = [
      "id": .string(id), "state": "scheduled", "class": "transactional",
      "created_at": "2023-11-14T22:13:20.000Z",
      "started_at": .null, "completed_at": .null, "to": created["to"] ?? .null,
      "counts": [
        "targeted": 1, "sent": 0, "rejected": 0, "quiet": 0, "capped": 0, "uninstalled": 0,
        "expired": 0, "delivered": 0, "displayed": 0, "opened": 0,
      ],
    ]
    #expect(await fixture.request("GET", "/v6/notifications/\(id)").json == expected)

    fixture.clock.advance(by: .seconds(1))
    _ = await fixture.dispatcher().sendDueBatches()
    var members = expected.object ?? [:]
    members["state"] = "complete"
    members["started_at"] = "2023-11-14T22:13:21.000Z"
    members["completed_at"] = "2023-11-14T22:13:21.000Z"
    var counts = expected["counts"]?.object ?? [:]
    counts["sent"] = 1
    members["counts"] = .object(counts)
    expected = .object(members)
    #expect(await fixture.request("GET", "/v6/notifications/\(id)").json == expected)
    // The message's id names the notification too.
    let outer = created["id"]?.string ?? ""
    #expect(await fixture.request("GET", "/v6/notifications/\(outer)").json == expected)
  }

  @Test("the list is paged, newest first, and its cursor ends")
  func list() async throws {
    let fixture = try await Fixture()
    for _ in 0..<51 { _ = await fixture.send(["alert": "Hi"]) }
    let first = await fixture.request("GET", "/v6/notifications").json
    #expect(first["notifications"]?.array?.count == 50)
    #expect(first["meta"]?["total"] == 51)
    let cursor = try #require(first["meta"]?["cursor"]?.string)
    let second = await fixture.request("GET", "/v6/notifications?cursor=\(cursor)").json
    #expect(second["notifications"]?.array?.count == 1)
    #expect(second["meta"]?["cursor"]?.isNull == true)
    #expect(await fixture.request("GET", "/v6/notifications?cursor=none").status == 404)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var method = "POST"
    var path = "/v6/notifications"
    var body = NotificationRoutesTests.body
    var type = "application/json"
    var status: Int
    var error: String
    var testDescription: String { "\(method) \(path) \(error)" }
  }

  /// A request with a template of the expanded notification.
  private static func expanded(_ template: String, category: String = #""x""#) -> String {
    #"{"notification":{"to":"*","payload":{"alert":"Tea","category":\#(category),"_martlet":{"template":\#(template)}}}}"#
  }

  static let refusals: [Refusal] = [
    Refusal(
      body: "", status: 400,
      error: "the body is not JSON: line 1, column 1: ends where a value is missing"),
    Refusal(
      body: "{", status: 400,
      error: "the body is not JSON: line 1, column 2: ends where a text in double quotes is missing"
    ),
    Refusal(body: "[]", status: 400, error: "$ must be an object, not an array"),
    Refusal(body: "{}", status: 422, error: "$.notification is missing"),
    Refusal(
      body: #"{"notification":[]}"#, status: 400,
      error: "$.notification must be an object, not an array"),
    Refusal(
      body: #"{"notification":{"payload":{}}}"#, status: 422,
      error: "$.notification.to is missing"),
    Refusal(
      body: #"{"notification":{"to":"*"}}"#, status: 422,
      error: "$.notification.payload is missing"),
    Refusal(
      body: expanded(#"{"kind":"rating","scale":11,"commit":"submit"}"#), status: 422,
      error: "$.notification.payload._martlet.template.scale must be from 2 to 10"),
    Refusal(
      body: expanded(#"{"kind":"text"}"#, category: "null"), status: 422,
      error: """
        $.notification.payload.category must be that of a content extension, so that iOS starts the content extension
        """),
    Refusal(
      type: "text/plain", status: 415,
      error: "Content-Type must be application/json, not text/plain"),
    Refusal(
      type: "application/x-www-form-urlencoded", status: 415,
      error: "Content-Type must be application/json, not application/x-www-form-urlencoded"),
    Refusal(method: "PATCH", status: 405, error: "this path takes GET, POST"),
    Refusal(
      method: "DELETE", path: "/v5/notifications", status: 405, error: "this path takes POST"),
    Refusal(path: "/v7/notifications", status: 404, error: "there is nothing at this path"),
    Refusal(path: "/v6/nothing", status: 404, error: "there is nothing at this path"),
    Refusal(
      method: "GET", path: "/v6/notifications/0123", status: 404,
      error: "there is no notification with this id"),
  ]

  @Test("each invalid request has its status and its exact text", arguments: refusals)
  func refused(_ refusal: Refusal) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request(
      refusal.method, refusal.path, body: refusal.body,
      headers: [("Content-Type", refusal.type)])
    #expect(answer.status == refusal.status)
    #expect(answer.text == JSONValue.object(["error": .string(refusal.error)]).text)
    if refusal.status == 405 { #expect(answer.headers["Allow"] != nil) }
  }

  @Test(
    "a template of the expanded notification is accepted, and one with Liquid is not looked into",
    arguments: [
      #"{"kind":"rating","scale":10,"commit":"submit"}"#,
      #"{"kind":"{{ kind }}","scale":"{{ n }}"}"#,
    ])
  func expandedTemplate(_ template: String) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request(
      "POST", "/v6/notifications", body: Self.expanded(template))
    #expect(answer.status == 201, "\(answer.text)")
  }

  @Test("a media type with a charset, and no media type, are accepted")
  func mediaType() async throws {
    let fixture = try await Fixture()
    for headers in [[("content-type", "Application/JSON; charset=utf-8")], []] {
      let answer = await fixture.request(
        "POST", "/v6/notifications", body: Self.body, headers: headers)
      #expect(answer.status == 201)
    }
  }
}
