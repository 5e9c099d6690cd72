import APNs
import PushModel
import PushPayload
import PushServer
import Testing

@Suite("Targets", .timeLimit(.minutes(10)))
struct TargetTests {
  /// Three devices: a and b have the tag, b is a development device.
  private func fixture() async throws -> Fixture {
    let fixture = try await Fixture()
    try await fixture.register("a") {
      $0.tags = .set(["news"])
      $0.userID = .set("ann")
      $0.appVersion = .set("1.10")
      var berlin = Location()
      (berlin.latitude, berlin.longitude, berlin.country) = (52.52, 13.405, "DE")
      $0.location = .set(berlin)
      $0.attributes = [
        "age": Attribute(kind: .integer, value: 30),
        "born": Attribute(kind: .date, value: "2000-01-01T00:00:00.000Z"),
      ]
    }
    try await fixture.register("b") {
      $0.tags = .set(["news", "sport"])
      $0.isDevelopment = .set(true)
      $0.appVersion = .set("1.9")
      $0.attributes = ["age": Attribute(kind: .integer, value: 40)]
    }
    try await fixture.register("c") { $0.userID = .set("cy") }
    let plays = [DeviceEvent(name: "plays"), DeviceEvent(name: "plays")]
    _ = try await fixture.store.record(
      plays, device: "b", app: fixture.app.id, at: fixture.clock.now)
    return fixture
  }

  /// The ids of the devices that the last send reached.
  private func reached(_ fixture: Fixture) async -> String {
    let before = fixture.apple.taken.count
    _ = await fixture.dispatcher().sendDueBatches()
    let tokens = Set(fixture.apple.taken.dropFirst(before).map(\.push.deviceToken))
    return ["a", "b", "c"].filter { tokens.contains(Fixture.token($0)) }.joined()
  }

  static let forms: [(to: JSONValue, devices: String)] = [
    ("*", "abc"),
    ([["name": "tags", "criteria": ["news"]]], "ab"),
    ([["name": "tags", "criteria": ["sport", "none"]]], "b"),
    ([["name": "tags", "criteria": ["news"], "not_filter": true]], "c"),
    ([["name": "tags", "criteria": ["news"], "not_filter": false]], "ab"),
    ([["name": "user_id", "criteria": ["ann", "cy"]]], "ac"),
    ([["name": "user_id", "criteria": [["exists": true]]]], "ac"),
    ([["name": "tags", "criteria": [["exists": true]], "not_filter": true]], "c"),
    ([["name": "location", "criteria": [["exists": true]]]], "a"),
    ([["name": "custom.date.born", "criteria": [["exists": true]], "not_filter": true]], "bc"),
    ([["name": "events.plays", "criteria": [["exists": true]]]], "b"),
    ([["name": "device_id", "criteria": ["c"]]], "c"),
    ([["name": "development", "criteria": [true]]], "b"),
    ([["name": "development", "criteria": [false]]], "ac"),
    ([["name": "custom.integer.age", "criteria": [30]]], "a"),
    ([["name": "custom.integer.age", "criteria": [["gt": 30]]]], "b"),
    ([["name": "custom.integer.age", "criteria": [["gte": 30, "lt": 40]]]], "a"),
    ([["name": "custom.integer.age", "criteria": [["gt": 35]], "not_filter": true]], "ac"),
    ([["name": "custom.date.born", "criteria": [["lte": "2000-01-01"]]]], "a"),
    ([["name": "custom.date.born", "criteria": ["2000-01-01T01:00:00+01:00"]]], "a"),
    (
      [["name": "tags", "criteria": ["news"]], ["name": "development", "criteria": [false]]], "a"
    ),
    ([["name": "app_version", "criteria": [["gte": "1.10"]]]], "a"),
    ([["name": "app_version", "criteria": ["1.9.0"]]], "b"),
    ([["name": "events.plays", "criteria": [["gt": 1]]]], "b"),
    ([["name": "events.Public Api:plays", "criteria": [2]]], "b"),
    ([["name": "events.plays", "criteria": [["lt": 1]]]], "ac"),
    ([["name": "country", "criteria": ["de"]]], "a"),
    ([["name": "location", "criteria": [["lat": 52.5, "lng": 13.4, "radius": 5000]]]], "a"),
    ([["name": "location", "criteria": [["lat": 48.1, "lng": 11.6, "radius": 5000]]]], ""),
    ([["name": "created_at", "criteria": [["gte": "7 days ago"]]]], "abc"),
    ([["name": "created_at", "criteria": [["lt": "-7d"]]]], ""),
    ([["name": "created_at", "criteria": [["lte": "now"]]]], "abc"),
    ([["name": "last_opened", "criteria": [["gte": "-7d"]]]], ""),
    ([["name": "last_opened", "criteria": [["gte": "-7d"]], "not_filter": true]], "abc"),
    ([["name": "push_enabled", "criteria": [true]]], "abc"),
    ([["name": "push_quiet", "criteria": [true]]], ""),
    (
      [["name": "platform", "criteria": ["iOS"]], ["name": "os_name", "criteria": ["iOS"]]], "abc"
    ),
  ]

  @Test("every form of `to` reaches the devices it names", arguments: forms)
  func form(to: JSONValue, devices: String) async throws {
    let fixture = try await fixture()
    let answer = await fixture.send(["alert": "Hi"], to: to)
    #expect(answer.status == 201)
    #expect(answer.json["to"]?["type"] == "Audience")
    #expect(await reached(fixture) == devices)
  }

  @Test("an audience made from filters can be used by its id, in both forms")
  func reuse() async throws {
    let fixture = try await fixture()
    let first = await fixture.send(
      ["alert": "Hi"], to: [["name": "tags", "criteria": ["news"]]])
    #expect(await reached(fixture) == "ab")
    let id = try #require(first.json["to"]?["id"])
    for form: JSONValue in [id, ["audience": id]] {
      let answer = await fixture.send(["alert": "Hi"], to: form)
      #expect(answer.status == 201)
      #expect(answer.json["to"]?["id"] == id)
      #expect(await reached(fixture) == "ab")
    }
  }

  @Test("everyone is one audience, which can be named by its id")
  func everyone() async throws {
    let fixture = try await fixture()
    let first = await fixture.send(["alert": "Hi"])
    let second = await fixture.send(["alert": "Hi"])
    let id = try #require(first.json["to"]?["id"])
    #expect(second.json["to"]?["id"] == id)
    #expect(await fixture.send(["alert": "Hi"], to: ["audience": id]).status == 201)
  }

  @Test(
    "an event is found by its name with and without a prefix, whichever version reported it",
    arguments: ["v4", "v5", "v6"], ["plays", "Public Api:plays"])
  func oldEvents(version: String, name: String) async throws {
    let fixture = try await fixture()
    let recorded = await fixture.request(
      "POST", "/\(version)/devices/b/events", role: .device, body: #"{"events":[{"name":"plays"}]}"#
    )
    #expect(recorded.status == 202)
    // Two more events are of the newest version.
    let to: JSONValue = [["name": .string("events." + name), "criteria": [3]]]
    #expect(await fixture.send(["alert": "Hi"], to: to).status == 201)
    #expect(await reached(fixture) == "b")
  }

  @Test("sid is the attribute of that name")
  func profiles() async throws {
    let fixture = try await fixture()
    let set = await fixture.request(
      "PUT", "/v6/devices/a",
      body: #"{"device":{"user_attributes":{"sid":{"type":"string","value":"s-1"}}}}"#)
    #expect(set.status == 200)
    let to: JSONValue = [["name": "sid", "criteria": ["s-1"]]]
    #expect(await fixture.send(["alert": "Hi"], to: to).status == 201)
    #expect(await reached(fixture) == "a")
  }

  static let refusals: [(to: JSONValue, status: Int, error: String)] = [
    ([], 422, "$.notification.to must have at least one filter; use \"*\" for every device"),
    (
      5, 400,
      "$.notification.to must be \"*\", an audience's id, {\"audience\": ID}, {\"user_ids\": […]},"
        + " filters or an object with all, any and except, not a number"
    ),
    (
      "0123", 404,
      "$.notification.to names no audience of this app; GET /v6/audiences lists their ids"
    ),
    (
      ["audience": "0123"], 404,
      "$.notification.to.audience names no audience of this app; GET /v6/audiences lists their ids"
    ),
    ("All", 404, "$.notification.to names no audience of this app; \"*\" is every device"),
    (["audience": 5], 400, "$.notification.to.audience must be a string, not a number"),
    ([:], 422, "$.notification.to.audience is missing"),
    (["all": .null], 422, "$.notification.to.audience is missing"),
    (
      ["user_ids": ["ann"], "except": [[["name": "tags", "criteria": ["news"]]]]], 422,
      "$.notification.to.except must not be with user_ids, which alone says which devices are meant"
    ),
    (
      ["audience": "0123", "all": []], 422,
      "$.notification.to.all must not be with audience, which alone says which devices are meant"
    ),
    (["x"], 400, "$.notification.to[0] must be an object, not a string"),
    ([["criteria": [1]]], 422, "$.notification.to[0].name is missing"),
    ([["name": "tags"]], 422, "$.notification.to[0].criteria is missing"),
    (
      [["name": "tags", "criteria": []]], 422,
      "$.notification.to[0].criteria must have 1 to 1000 elements"
    ),
    (
      [["name": "tags", "criteria": "news"]], 400,
      "$.notification.to[0].criteria must be an array, not a string"
    ),
    (
      [["name": "tags", "criteria": ["a"]], ["name": "shoe_size", "criteria": [1]]], 422,
      "$.notification.to[1].name must name a filter, and \"shoe_size\" is none; an attribute is"
        + " custom.string.shoe_size (or integer, float, boolean, date), an event events.shoe_size"
    ),
    (
      [["name": "custom.team", "criteria": ["red"]]], 422,
      "$.notification.to[0].name must name a filter, and \"custom.team\" is none; name its type"
        + " too: custom.string.team, or integer, float, boolean, date in place of string"
    ),
    (
      [["name": "tag", "criteria": ["news"]]], 422,
      "$.notification.to[0].name must name a filter, and \"tag\" is none; did you mean tags?"
    ),
    (
      [["name": "custom.colour.x", "criteria": [1]]], 422,
      "$.notification.to[0].name must name a filter, and \"custom.colour.x\" is none; the types of"
        + " attributes are string, integer, float, boolean, date"
    ),
    (
      [["name": "custom.string.", "criteria": ["x"]]], 422,
      "$.notification.to[0].name must name a filter, and \"custom.string.\" is none; an attribute is"
        + " custom.TYPE.NAME, and an event events.NAME"
    ),
    (
      [["name": "custom.string.a\"b", "criteria": ["x"]]], 422,
      "$.notification.to[0].name must name a filter, and \"custom.string.a\"b\" is none; an"
        + " attribute is custom.TYPE.NAME, and an event events.NAME"
    ),
    (
      [["name": "tags", "criteria": [1]]], 400,
      "$.notification.to[0].criteria[0] must be a string, not a number"
    ),
    (
      [["name": "custom.integer.age", "criteria": [1, "2"]]], 400,
      "$.notification.to[0].criteria[1] must be a whole number, not a string"
    ),
    (
      [["name": "custom.boolean.vip", "criteria": [1]]], 400,
      "$.notification.to[0].criteria[0] must be true or false, not a number"
    ),
    (
      [["name": "custom.date.born", "criteria": ["soon"]]], 422,
      "$.notification.to[0].criteria[0] must be an ISO 8601 date"
    ),
    (
      [["name": "created_at", "criteria": [["gt": "7 months ago"]]]], 422,
      "$.notification.to[0].criteria[0].gt must be an ISO 8601 date, or a relative one such"
        + " as \"-7d\" or \"7 days ago\""
    ),
    (
      [["name": "created_at", "criteria": ["-7d"]]], 422,
      "$.notification.to[0].criteria[0] must be a range such as {\"lt\": \"-7d\"}, since it is a"
        + " relative date"
    ),
    (
      [["name": "os_version", "criteria": [.string(String(repeating: "1", count: 256))]]], 422,
      "$.notification.to[0].criteria[0] must be at most 255 characters"
    ),
    (
      [["name": "os_version", "criteria": [["gt": "new"]]]], 422,
      "$.notification.to[0].criteria[0].gt must be a version such as \"17.1.2\""
    ),
    (
      [["name": "events.", "criteria": [1]]], 422,
      "$.notification.to[0].name must name a filter, and \"events.\" is none; an attribute is"
        + " custom.TYPE.NAME, and an event events.NAME"
    ),
    (
      [["name": "location", "criteria": ["Berlin"]]], 400,
      "$.notification.to[0].criteria[0] must be an object, not a string"
    ),
    (
      [["name": "location", "criteria": [["lat": 91, "lng": 0, "radius": 1]]]], 422,
      "$.notification.to[0].criteria[0].lat must be from -90 to 90"
    ),
    (
      [["name": "location", "criteria": [["lat": 1, "lng": 0]]]], 422,
      "$.notification.to[0].criteria[0].radius is missing"
    ),
    (
      [["name": "location", "criteria": [["lat": 1, "lng": 0, "radius": 1, "miles": 1]]]], 422,
      "$.notification.to[0].criteria[0].miles is not a member of a circle; it has lat, lng and"
        + " radius"
    ),
    (
      [["name": "tags", "criteria": [["gt": "a"]]]], 422,
      "$.notification.to[0].criteria[0] must be a value: tags does not take ranges"
    ),
    (
      [["name": "tags", "criteria": [["exists": false]]]], 422,
      "$.notification.to[0].criteria[0].exists must be true; with not_filter, the filter finds the"
        + " devices without a value"
    ),
    (
      [["name": "badge", "criteria": [["exists": true, "gt": 3]]]], 422,
      "$.notification.to[0].criteria[0] must have no member beside exists"
    ),
    (
      [["name": "custom.integer.age", "criteria": [["over": 3]]]], 422,
      "$.notification.to[0].criteria[0].over is not a bound of a range; it has gt, gte, lt and lte"
    ),
    (
      [["name": "custom.integer.age", "criteria": [["gt": .null, "lt": 3]]]], 422,
      "$.notification.to[0].criteria[0].gt is missing"
    ),
    (
      [["name": "custom.integer.age", "criteria": [[:]]]], 422,
      "$.notification.to[0].criteria[0] must have one of gt, gte, lt, lte"
    ),
    (
      [["name": "tags", "criteria": ["a"], "not_filter": 1]], 400,
      "$.notification.to[0].not_filter must be true or false, not a number"
    ),
    (
      [["name": "tags", "criteria": ["a"], "notfilter": true]], 422,
      "$.notification.to[0].notfilter is not a member of a filter; it has name, criteria and"
        + " not_filter"
    ),
  ]

  @Test("an invalid target is refused with the JSON path", arguments: refusals)
  func refusal(to: JSONValue, status: Int, error: String) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.send(["alert": "Hi"], to: to)
    #expect(answer.status == status)
    #expect(answer.text == JSONValue.object(["error": .string(error)]).text)
  }

  @Test("an audience of another app does not exist")
  func otherApp() async throws {
    let fixture = try await Fixture()
    let other = try Fixture.newApp("com.example.other").make(
      at: fixture.clock.now, sealedWith: fixture.secretKey)
    try await fixture.store.add(other.app, keys: [])
    let audience = Audience(
      id: "0123456789ab", app: other.app.id, filters: [], createdAt: fixture.clock.now)
    let send = Send(
      id: "s", messageID: "m", app: other.app.id, audience: audience.id, payload: [:],
      createdAt: fixture.clock.now)
    _ = try await fixture.store.accept(send, to: audience)
    #expect(await fixture.send(["alert": "Hi"], to: "0123456789ab").status == 404)
    #expect(await fixture.request("GET", "/v6/notifications/s").status == 404)
  }
}
