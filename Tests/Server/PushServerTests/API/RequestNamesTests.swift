import PushModel
import PushPayload
import PushServer
import Testing

@testable import PushServer

@Suite("Names in requests", .timeLimit(.minutes(10)))
struct RequestNamesTests {
  struct Misspelt: Sendable, CustomTestStringConvertible {
    var path = "/v6/notifications"
    var body: JSONValue
    var error: String
    var testDescription: String { error }
  }

  static let misspelt: [Misspelt] = [
    Misspelt(
      body: ["notification": ["to": "*", "payload": ["alert": "Hi"], "schedule_at": "2100-01-01"]],
      error: "$.notification.schedule_at is not known; did you mean scheduled_at?"),
    Misspelt(
      path: "/v5/notifications",
      body: ["notification": ["to": "*", "payload": ["alert": "Hi"], "expire_at": "2100-01-01"]],
      error: "$.notification.expire_at is not known; did you mean expires_at?"),
    Misspelt(
      path: "/v4/notifications",
      body: ["notification": ["to": "*", "payload": ["alert": "Hi"], "throttle": 5]],
      error: "$.notification.throttle is not known; did you mean throttle_per_second?"),
    Misspelt(
      path: "/v6/notifications/preview",
      body: ["notification": ["to": "*", "payload": ["alert": "Hi"], "localtime": true]],
      error: "$.notification.localtime is not known; did you mean local_time?"),
    Misspelt(
      body: ["notification": ["to": "*", "payload": ["alert": "Hi"], "when": "2100-01-01"]],
      error:
        "$.notification.when is not known; known are class, expires_at, force, labels, limits,"
        + " local_time, name, payload, scheduled_at, throttle_per_second, to"),
    Misspelt(
      body: [
        "notification": ["to": "*", "payload": ["alert": "Hi"]], "scheduled_at": "2100-01-01",
      ],
      error: "$.scheduled_at is not known here; it is a member of $.notification"),
    Misspelt(
      body: ["notification": ["to": "*", "payload": ["alert": "Hi"], "send_at": "2100-01-01"]],
      error: "$.notification.send_at is not known; did you mean scheduled_at?"),
    Misspelt(
      body: ["notification": ["to": "*", "payload": ["alert": "Hi"], "timeToLive": 60]],
      error: "$.notification.timeToLive is not known; did you mean expires_at?"),
    Misspelt(
      body: ["notification": ["segments": ["All"], "payload": ["alert": "Hi"]]],
      error: "$.notification.segments is not known; did you mean to?"),
    Misspelt(
      body: ["notification": ["tags": ["news"], "payload": ["alert": "Hi"]]],
      error: "$.notification.tags is not known; a tag is a filter: "
        + #""to": [{"name": "tags", "criteria": ["…"]}]"#),
    Misspelt(
      body: ["notification": ["to": ["tag": "news"], "payload": ["alert": "Hi"]]],
      error: "$.notification.to.tag is not known; a tag is a filter: "
        + #""to": [{"name": "tags", "criteria": ["…"]}]"#),
    Misspelt(
      body: ["notification": ["to": "*", "message": "Hi"]],
      error: "$.notification.message is not known; write it in payload"),
    Misspelt(
      body: ["notification": ["to": ["audiences": "5"], "payload": ["alert": "Hi"]]],
      error: "$.notification.to.audiences is not known; did you mean audience?"),
    Misspelt(
      path: "/v6/messages",
      body: ["message": ["to": "*", "title": "T", "unpublished_at": "2100-01-01"]],
      error: "$.message.unpublished_at is not known; did you mean unpublish_at?"),
    Misspelt(
      path: "/v6/messages",
      body: [
        "message": [
          "to": "*", "title": "T",
          "notification": ["payload": ["alert": "Hi"], "scheduled_at": "2100-01-01"],
        ]
      ],
      error: "$.message.notification.scheduled_at is not known here; it is a member of $.message"),
    Misspelt(
      path: "/v6/transactional/notifications",
      body: [
        "to": ["field": "user_id", "value": "u"], "group": "abc",
        "notification": ["payload": ["alert": "Hi"]], "extra_filter": [],
      ], error: "$.extra_filter is not known; did you mean extra_filters?"),
    Misspelt(
      path: "/v6/audiences", body: ["audience": ["name": "A", "to": "*", "tests": true]],
      error: "$.audience.tests is not known; did you mean test?"),
    Misspelt(
      path: "/v6/campaigns",
      body: campaign(["variants": [["key": "a", "payload": ["alert": "Hi"], "shre": 50]]]),
      error: "$.campaign.variants[0].shre is not known; did you mean share?"),
    Misspelt(
      path: "/v6/campaigns", body: campaign(["goals": [["event": "bought", "in": "P3D"]]]),
      error: "$.campaign.goals[0].in is not known; known are event, within"),
    Misspelt(
      path: "/v6/campaigns",
      body: campaign([
        "when": ["trigger": ["event": "left"], "exit_on": [["event": "bought", "were": []]]]
      ]), error: "$.campaign.when.exit_on[0].were is not known; did you mean where?"),
  ]

  private static func campaign(_ members: [String: JSONValue]) -> JSONValue {
    let base: [String: JSONValue] = [
      "name": "N", "to": "*", "variants": [["key": "a", "payload": ["alert": "Hi"]]],
    ]
    return ["campaign": .object(base.merging(members) { $1 })]
  }

  @Test("an unknown member is refused with the name that it most likely means", arguments: misspelt)
  func unknown(_ row: Misspelt) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request("POST", row.path, body: row.body.text)
    #expect(answer.status == 422)
    #expect(answer.error == row.error)
    #expect(await fixture.request("GET", "/v6/notifications").json["meta"]?["total"] == 0)
  }

  @Test("an error names at most 64 letters of an unknown member")
  func long() async throws {
    let fixture = try await Fixture()
    let name = String(repeating: "a", count: 100_000)
    let body: JSONValue = ["notification": .object([name: 1])]
    let answer = await fixture.request("POST", "/v6/notifications", body: body.text)
    #expect(answer.status == 422)
    #expect(answer.error.hasPrefix("$.notification.\(name.prefix(64)) is not known; known are"))
  }

  /// The objects whose members are refused where they are unknown, by the path of the object.
  static let objects: [(path: String, schema: String, body: @Sendable (JSONValue) -> JSONValue)] =
    [
      ("/v6/notifications", "NewNotification", { ["notification": $0] }),
      ("/v6/messages", "NewMessage", { ["message": $0] }),
      (
        "/v6/messages", "AttachedNotification",
        { ["message": ["to": "*", "title": "T", "notification": $0]] }
      ),
    ]

  @Test("the readers read every member that the document has", arguments: objects.indices)
  func agreement(index: Int) async throws {
    let object = Self.objects[index]
    let fixture = try await Fixture()
    let schema = try #require(OpenAPIDocument.schemas[object.schema])
    let names = try #require(schema.json["properties"]?.object).keys.sorted()
    #expect(names.count >= 4)
    // The required members; each member in turn gets a value that no member takes.
    let valid: [String: JSONValue] = ["to": "*", "title": "T", "payload": ["alert": "Hi"]]
    for name in names {
      var members = valid.filter { names.contains($0.key) }
      members[name] = 5.5
      let answer = await fixture.request(
        "POST", object.path, body: object.body(.object(members)).text)
      #expect([400, 422].contains(answer.status))
      #expect(answer.error.contains(".\(name) must be "), "\(name): \(answer.error)")
    }
  }

  @Test("a device's reader and the document have the same members, and an unknown one is dropped")
  func device() async throws {
    let fixture = try await Fixture()
    let schema = try #require(OpenAPIDocument.schemas["DeviceUpdate"])
    let names = try #require(schema.json["properties"]?.object).keys.sorted()
    #expect(Set(names) == DevicePatchReader.names)
    for name in names where name != "id" {
      let other = name == "opened" ? "push_quiet" : "opened"
      let reader = try DevicePatchReader(
        BodyValue(.object(["id": "d", name: 5.5, other: true]), at: "$.device"))
      let reason = try #require(reader.dropped.first?.reason, "\(name)")
      #expect(reader.dropped.count == 1 && !reason.contains("not known"), "\(name): \(reason)")
    }
    let body: JSONValue = [
      "device": [
        "app_version": "2.1", "user_attribute": [:], "locale": 5, "live_activities": [],
        "user_attributes": ["age": ["type": "integer", "value": "old"]],
      ]
    ]
    for role in [APIKey.Role.push, .device] {
      let answer = await fixture.request("PUT", "/v6/devices/d", role: role, body: body.text)
      #expect(answer.status == 200)
      let dropped = try #require(answer.json["dropped"]?.array)
      #expect(
        dropped.map { $0["path"] } == [
          "$.device.live_activities", "$.device.locale", "$.device.user_attribute",
          "$.device.user_attributes.age.value",
        ])
      #expect(dropped[2]["reason"] == "is not known; did you mean user_attributes?")
      #expect(dropped[3]["reason"] == "must be a whole number, not a string")
    }
    let whole = await fixture.request(
      "PUT", "/v6/devices/d", body: #"{"device":{"user_id":"u"}}"#)
    #expect(whole.json["dropped"] == [])
  }

  @Test(
    "an unknown or repeated query parameter is refused, but not where no key is needed",
    arguments: [
      ("/v6/notifications?cursors=x", 422, "cursors is not known; did you mean cursor?"),
      ("/v6/audiences?per_page=5", 422, "per_page is not known; known are page, per"),
      ("/v6/audiences?per=5&page=1", 200, ""), ("/v5/audiences?page=1", 200, ""),
      ("/v6/devices/none?cursor=x", 422, "cursor is not known"), ("/healthz?time=5", 200, ""),
      ("/v6/audiences?page=1&per=5&page=2", 422, "page is repeated"),
      ("/healthz?time=5&time=6", 200, ""),
      ("/v6/openapi.json?v=2", 200, ""),
    ])
  func query(path: String, status: Int, error: String) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request("GET", path)
    #expect(answer.status == status)
    #expect(answer.error == (error.isEmpty ? "" : "the query's parameter \(error)"))
  }

  @Test("every statistic takes from and to, which callers of this kind of API send")
  func statistics() async throws {
    let fixture = try await Fixture()
    let id = await fixture.send(["alert": "Hi"]).json["notification"]?["id"]?.string ?? ""
    for path in [
      "/stats/opens", "/stats/installs", "/stats/sessions", "/stats/active_users",
      "/stats/total_installs", "/stats/notifications/\(id)/events",
      "/transactional/notifications/abc/stats",
    ] {
      let answer = await fixture.request(
        "GET", "/v6" + path + "?from=2023-11-01&to=2023-11-14", role: .analytics)
      #expect(answer.status == 200, "\(path): \(answer.error)")
    }
  }

  @Test(
    "a body that repeats a key is refused, wherever the key is",
    arguments: [
      (
        "POST", "/v6/notifications",
        #"{"notification":{"to":[],"to":"*","payload":{"alert":"Hi"}}}"#
      ),
      ("POST", "/v6/notifications", #"{"notification":{"to":"*","payload":{"a":{"b":1,"b":1}}}}"#),
      ("PUT", "/v6/devices/d", #"{"device":{"user_id":"a","user_id":"b"}}"#),
      ("POST", "/v6/messages", #"{"message":{"to":"*","title":"T"},"message":{}}"#),
    ])
  func repeated(method: String, path: String, body: String) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request(method, path, body: body)
    #expect(answer.status == 400)
    #expect(answer.error.hasPrefix("the body is ambiguous JSON: line 1, column "))
  }

  @Test("an imported line that repeats a key is rejected")
  func repeatedInImport() async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request(
      "POST", "/v6/devices/import", role: .admin,
      body: #"{"push_token":"00ff","user_id":"a","user_id":"b"}"#,
      headers: [("Content-Type", "application/x-ndjson")])
    #expect(answer.json["accepted"] == 0)
    #expect(
      answer.json["lines"]?.array?.first?["error"]?.string?.contains("repeats a key") == true)
  }

  @Test("an empty cursor is the first page of every list")
  func emptyCursor() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    _ = await fixture.send(["alert": "Hi"])
    for path in ["/v6/notifications", "/v6/messages", "/v6/devices/uninstalled"] {
      let first = await fixture.request("GET", path)
      let empty = await fixture.request("GET", path + "?cursor=")
      #expect(empty.status == 200 && empty.json == first.json, "\(path)")
    }
  }
}
