import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("Everything of a device in one request", .timeLimit(.minutes(10)))
struct SyncRouteTests {
  private func sync(
    _ fixture: Fixture, _ body: JSONValue, device: String = "d", role: APIKey.Role = .device,
    secret: String? = DeviceSecretTests.own
  ) async -> Fixture.Answer {
    await fixture.request(
      "POST", "/v6/devices/\(device)/sync", role: role, body: body.text,
      headers: [("Content-Type", "application/json")]
        + (secret.map { [(DeviceClaim.secretHeader, $0)] } ?? []))
  }

  private static func receipt(_ send: String, device: String = "d") -> JSONValue {
    [
      "id": .string("r-\(send)"), "notification_id": .string(send), "device_id": .string(device),
      "event": "opened", "at": "2023-11-14T22:13:20Z",
    ]
  }

  @Test("a device is registered, and all parts are stored as by their own routes, once")
  func whole() async throws {
    let fixture = try await Fixture()
    let posted = await fixture.request(
      "POST", "/v6/messages", body: #"{"message":{"to":"*","title":"t"}}"#)
    let message = try #require(posted.json["id"]?.string)
    let first = await sync(
      fixture, ["device": ["push_token": "00ff", "locale": 5, "opened": true, "development": true]])
    #expect(first.status == 200 && first.headers["Martlet-Unread"] == "1")
    #expect(first.json["unread"] == 1 && first.json["server_time"] == "2023-11-14T22:13:20.000Z")
    #expect(
      first.json["dropped"]?.array?.map { $0["path"] } == [
        "$.device.locale", "$.device.development",
      ])
    let sent = await fixture.send(["alert": "Hi"])
    let send = try #require(sent.json["notification"]?["id"]?.string)
    _ = await fixture.dispatcher().sendDueBatches()
    let body: JSONValue = [
      "device": ["tags": ["a"]], "events": [["name": "bought", "id": "e1"]],
      "receipts": [Self.receipt(send)], "read": ["ids": [.string(message)]],
    ]
    for _ in 0..<2 {
      let answer = await sync(fixture, body)
      #expect(answer.status == 200, "\(answer.text)")
      #expect(answer.json["dropped"] == [] && answer.json["unread"] == 0)
    }
    let device = try #require(try await fixture.store.device("d", app: fixture.app.id))
    #expect(device.tags == ["a"] && device.token == "00ff" && device.events["bought"]?.count == 1)
    #expect(try await fixture.store.send(send, app: fixture.app.id)?.counts.opened == 1)
    let conversions = try await fixture.store.conversions(of: send, app: fixture.app.id)
    #expect(conversions == ["bought": 1])
    let hidden = await sync(fixture, ["hidden": [.string(message)]])
    #expect(hidden.json["unread"] == 0)
    let list = await fixture.request("GET", "/v6/devices/d/messages").json
    #expect(list["messages"] == [])
  }

  @Test(
    "a fault in one part is told by its path, and no part is stored",
    arguments: [
      (["events": [["id": "x"], [:]]], 422, "$.events[0].name is missing"),
      (["events": []], 422, "$.events must have 1 to 1000 events"),
      (["events": "a"], 400, "$.events must be an array, not a string"),
      (["receipts": [[:]]], 422, "$.receipts[0].event is missing"),
      (
        ["receipts": [receipt("n", device: "other")]], 422,
        "$.receipts[0].device_id must be the device of the path"
      ),
      (["read": [:]], 422, "$.read.ids is missing"),
      (["read": ["id": "a"]], 422, "$.read.id is not known; did you mean ids?"),
      (["hidden": [5]], 400, "$.hidden[0] must be a string, not a number"),
      (["device": ["badge": -1]], 422, "$.device.badge must be a whole number, 0 to 2147483647"),
    ] as [(JSONValue, Int, String)])
  func refused(part: JSONValue, status: Int, error: String) async throws {
    let fixture = try await Fixture()
    try await fixture.bind("d", to: DeviceSecretTests.own)
    let before = try await fixture.store.device("d", app: fixture.app.id)
    var body: [String: JSONValue] = [
      "device": ["tags": ["a"]], "events": [["name": "ok", "id": "1"]],
    ]
    for (name, value) in part.object ?? [:] { body[name] = value }
    let answer = await sync(fixture, .object(body))
    #expect(answer.status == status && answer.error == error, "\(answer.text)")
    #expect(try await fixture.store.device("d", app: fixture.app.id) == before)
  }

  @Test("1,000 events and 1,000 receipts are taken at once, and one more is refused")
  func limits() async throws {
    let fixture = try await Fixture()
    try await fixture.bind("d", to: DeviceSecretTests.own)
    func events(_ count: Int) -> JSONValue {
      .array((0..<count).map { ["name": "play", "id": .string("e\($0)")] })
    }
    func receipts(_ count: Int) -> JSONValue {
      .array(
        (0..<count).map { number in
          Self.receipt("n\(number)")
        })
    }
    let full = await sync(fixture, ["events": events(1000), "receipts": receipts(1000)])
    #expect(full.status == 200, "\(full.text)")
    #expect(await sync(fixture, ["events": events(1001)]).status == 422)
    #expect(await sync(fixture, ["receipts": receipts(1001)]).status == 422)
    let device = try await fixture.store.device("d", app: fixture.app.id)
    #expect(device?.events["play"]?.count == 1000)
  }

  @Test("a part that this server does not know is dropped, and the others are stored")
  func unknown() async throws {
    let fixture = try await Fixture()
    let answer = await sync(fixture, ["device": ["tags": ["a"]], "event": [], "surveys": []])
    #expect(answer.status == 200)
    #expect(
      answer.json["dropped"] == [
        ["path": "$.event", "reason": "is not known; did you mean events?"],
        [
          "path": "$.surveys",
          "reason": "is not known; known are device, events, hidden, read, receipts",
        ],
      ])
  }

  @Test("a device that is not known needs the part device, and one that was erased is told so")
  func states() async throws {
    let fixture = try await Fixture()
    #expect(await sync(fixture, [:]).status == 404)
    #expect(await sync(fixture, ["events": [["name": "a"]]]).status == 404)
    #expect(await sync(fixture, ["device": [:]], device: "a b").status == 422)
    try await fixture.bind("d", to: nil)
    // A device without a secret takes the first that is shown, whatever the parts are.
    #expect(await sync(fixture, [:]).json["unread"] == 0)
    #expect(await sync(fixture, [:], secret: DeviceSecretTests.other).status == 403)
    #expect(await sync(fixture, [:], role: .admin, secret: nil).json["unread"] == 0)
    _ = try await fixture.store.erase(device: "d", app: fixture.app.id, at: fixture.clock.now)
    for role in [APIKey.Role.device, .admin] {
      #expect(await sync(fixture, [:], role: role).status == 451)
    }
  }

  @Test("without a secret nothing is told of the inbox, and nothing is marked in it")
  func unproven() async throws {
    let fixture = try await Fixture()
    let posted = await fixture.request(
      "POST", "/v6/messages", body: #"{"message":{"to":"*","title":"t"}}"#)
    let answer = await sync(
      fixture, ["device": ["tags": ["a"]], "read": ["ids": [posted.json["id"] ?? .null]]],
      secret: nil)
    #expect(answer.status == 200 && answer.json["unread"]?.isNull == true)
    #expect(
      answer.json["dropped"] == [
        ["path": "$.read", "reason": "is taken only with the header Martlet-Device-Secret"]
      ])
    let list = await fixture.request("GET", "/v6/devices/d/messages").json
    #expect(list["unread"] == 1)
  }

  @Test("what is read before a sign-out in the same request is the user's")
  func signOut() async throws {
    let fixture = try await Fixture()
    try await fixture.bind("d", to: DeviceSecretTests.own)
    for id in ["d", "e"] { try await fixture.register(id) { $0.userID = .set("ada") } }
    let posted = await fixture.request(
      "POST", "/v6/messages", body: #"{"message":{"to":"*","title":"t"}}"#)
    let answer = await sync(
      fixture, ["device": ["user_id": .null], "read": ["ids": [posted.json["id"] ?? .null]]])
    #expect(answer.json["unread"] == 1)
    let list = await fixture.request("GET", "/v6/devices/e/messages").json
    #expect(list["unread"] == 0)
  }
}
