import Foundation
import APNs
import PushModel
import PushPayload
import PushServer
import Testing

@Suite("What happens to devices and users over the API", .timeLimit(.minutes(10)))
struct DeviceLifeTests {
  @Test(
    "events are counted, with a prefix in the oldest version",
    arguments: [("v4", "Public Api:play"), ("v5", "play"), ("v6", "play")])
  func events(version: String, name: String) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let body = #"{"events":[{"name":"play","date":"2020-01-01"},{"name":"play"}]}"#
    let answer = await fixture.request(
      "POST", "/\(version)/devices/d/events", role: .device, body: body)
    #expect(answer.status == 202 && answer.json == [:])
    let device = await fixture.request("GET", "/\(version)/devices/d").json["devices"]
    #expect(
      device?["user_events"] == [
        name: [
          "count": 2, "first_happened_at": "2020-01-01T00:00:00.000Z",
          "last_happened_at": "2023-11-14T22:13:20.000Z",
        ]
      ])
  }

  @Test(
    "events without a name are 400 with {}; other values have the first problem in version 6 alone",
    arguments: [
      ("", 400, "the body is not JSON"), ("[]", 400, ""),
      ("{}", 400, ""),
      (#"{"events":[]}"#, 400, ""),
      (#"{"events":{}}"#, 400, ""),
      (#"{"events":[5]}"#, 400, ""),
      (#"{"events":[{}]}"#, 400, ""),
      (#"{"events":[{"name":5}]}"#, 400, ""),
      (#"{"events":[{"name":""}]}"#, 400, ""),
      (
        #"{"events":[{"name":"a","date":"soon"},{}]}"#, 422,
        "$.events[0].date must be an ISO 8601 date"
      ),
      (#"{"events":[{"name":"a","items":{}}]}"#, 400, "$.events[0].items must be an array"),
      (
        #"{"events":[{"name":"a","items":[{"name":"b"}]}]}"#, 422,
        "$.events[0].items[0].price is missing"
      ),
      (
        #"{"events":[{"name":"a","items":[{"name":"","price":1}]}]}"#, 422,
        "$.events[0].items[0].name must be"
      ),
      (
        #"{"events":[{"name":"a","items":[{"name":"b","price":1.5}]}]}"#, 422,
        "$.events[0].items[0].price must be a whole number, 0 to 100000000"
      ),
      (
        #"{"events":[{"name":"a","items":[{"name":"b","price":-1}]}]}"#, 422,
        "$.events[0].items[0].price"
      ),
      (
        #"{"events":[{"name":"a","items":[{"name":"b","price":100000001}]}]}"#, 422,
        "$.events[0].items[0].price"
      ),
      (
        #"{"events":[{"name":"a","items":[{"name":"b","price":1,"quantity":0}]}]}"#, 422,
        "$.events[0].items[0].quantity"
      ),
      (
        #"{"events":[{"name":"a","items":[{"name":"b","price":1,"quantity":1001}]}]}"#, 422,
        "$.events[0].items[0].quantity"
      ),
    ])
  func badEvents(body: String, status: Int, error: String) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    for path in ["/v4/devices/d/events", "/v5/users/u/events"] {
      let answer = await fixture.request("POST", path, body: body)
      #expect(answer.status == 400 && answer.json == [:])
    }
    for path in ["/v6/devices/d/events", "/v6/users/u/events"] {
      let answer = await fixture.request("POST", path, body: body)
      #expect(answer.status == status, "\(answer.text)")
      #expect(
        error.isEmpty ? answer.json == [:] : answer.error.hasPrefix(error), "\(answer.text)")
    }
  }

  @Test(
    "the valid events are stored, and the others named, in every version and in sync",
    arguments: [
      ("/v4/devices/d/events", 202, "Public Api:plays"), ("/v5/users/u/events", 202, "plays"),
      ("/v6/devices/d/events", 202, "plays"), ("/v6/users/u/events", 202, "plays"),
      ("/v6/devices/d/sync", 200, "plays"),
    ])
  func partlyBadEvents(path: String, status: Int, name: String) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d") { $0.userID = .set("u") }
    let body = """
      {"events":[{"name":"plays"},{"name":"plays","date":"soon"},{"name":"plays"},5,
      {"name":"plays","items":[{"name":"b","price":-1}]}]}
      """
    let answer = await fixture.request(
      "POST", path, role: path.hasSuffix("sync") ? .device : .push, body: body)
    #expect(answer.status == status, "\(answer.text)")
    #expect(
      answer.json["dropped"] == [
        ["path": "$.events[1].date", "reason": "must be an ISO 8601 date"],
        ["path": "$.events[3]", "reason": "must be an object, not a number"],
        [
          "path": "$.events[4].items[0].price",
          "reason": "must be a whole number, 0 to 100000000",
        ],
      ])
    let device = try await fixture.store.device("d", app: fixture.app.id)
    #expect(device?.events[name]?.count == 2)
  }

  @Test("a request has at most 1000 events")
  func eventLimit() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    for (count, status) in [(1000, 202), (1001, 422)] {
      let body: JSONValue = ["events": .array(Array(repeating: ["name": "a"], count: count))]
      let answer = await fixture.request("POST", "/v6/devices/d/events", body: body.text)
      #expect(answer.status == status)
    }
    for (count, status) in [(100, 202), (101, 422)] {
      let item: JSONValue = ["name": "b", "quantity": 1000, "price": 100_000_000]
      let items = JSONValue.array(Array(repeating: item, count: count))
      let body: JSONValue = ["events": [["name": "a", "items": items]]]
      let answer = await fixture.request("POST", "/v6/devices/d/events", body: body.text)
      #expect(answer.status == status)
    }
    let nobody = await fixture.request(
      "POST", "/v6/devices/x/events", body: #"{"events":[{"name":"a"}]}"#)
    #expect(nobody.status == 404)
  }

  @Test("an event with an id counts once, however often the request is sent")
  func repeatedEvents() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d") { $0.userID = .set("u") }
    let long = String(repeating: "é", count: 64)
    for (id, status) in [("1", 202), (long, 202), (long + "x", 422), ("", 422)] {
      for path in ["/v6/devices/d/events", "/v6/devices/d/events", "/v6/users/u/events"] {
        let body: JSONValue = ["events": [["name": "plays", "id": .string(id)]]]
        let answer = await fixture.request("POST", path, body: body.text)
        #expect(answer.status == status, "\(id) \(path)")
      }
    }
    let device = try await fixture.store.device("d", app: fixture.app.id)
    #expect(device?.events["plays"]?.count == 2)
  }

  @Test("an erased device has no data, stays erased, and answers 451")
  func erase() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d") {
      $0.userID = .set("u")
      $0.tags = .set(["a"])
    }
    let expected: JSONValue = [
      "id": "d", "user_id": .null, "email": .null, "platform": "Unknown", "last_opened": .null,
      "installed_at": .null, "push_enabled": false, "user_attributes": [:], "user_events": [:],
      "location": [
        "gps": [:], "geoip": ["lat": .null, "lng": .null, "city": .null, "country": .null],
      ],
      "erased_at": "2023-11-14T22:13:20.000Z", "push_token": .null, "tags": [],
    ]
    let erased = await fixture.request("POST", "/v6/devices/d/erase")
    #expect(erased.status == 200 && erased.json == ["device": expected])
    #expect(await fixture.request("GET", "/v6/devices/d").json == ["devices": expected])
    let update = await fixture.request("PUT", "/v6/devices/d", body: #"{"device":{"tags":[]}}"#)
    #expect(update.status == 451 && !update.error.isEmpty)
    let events = await fixture.request(
      "POST", "/v6/devices/d/events", body: #"{"events":[{"name":"a"}]}"#)
    #expect(events.status == 451)
    #expect(await fixture.request("POST", "/v6/devices/x/erase").status == 404)
    let log = try await fixture.store.audit(app: fixture.app.id, after: nil, limit: 10)
    #expect(log.elements.first?.action == "device.erase")
  }

  @Test("a device's location and last opening are read as they were written")
  func location() async throws {
    let fixture = try await Fixture()
    let body = """
      {"device":{"opened":true,"sdk_version":"1.0","location":{"gps":{"lat":"-41.1","lng":174.1},
      "geoip":{"city":"Wellington","country":"NZ"}}}}
      """
    let answer = await fixture.request("PUT", "/v6/devices/d", body: body)
    let device = answer.json["device"]
    // The members are sorted by key, as in every answer.
    #expect(answer.bytes == answer.json.bytes)
    #expect(
      device?["location"] == [
        "gps": ["lat": "-41.1", "lng": "174.1"],
        "geoip": ["lat": .null, "lng": .null, "city": "Wellington", "country": "NZ"],
      ])
    #expect(device?["last_opened"] == "2023-11-14T22:13:20.000Z")
    #expect(device?["sdk_version"] == "1.0")
    for gps in [#"{"lat":91,"lng":0}"#, #"{"lat":0}"#, #"{"lat":"x","lng":0}"#, "5"] {
      let answer = await fixture.request(
        "PUT", "/v6/devices/e", body: #"{"device":{"location":{"gps":\#(gps)}}}"#)
      #expect(answer.status == 422)
    }
  }

  @Test("uninstalled devices are listed by cursor until an empty page, and webhooks are notified")
  func uninstalled() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d") { $0.userID = .set("u") }
    let hook = await fixture.request(
      "POST", "/v6/webhooks", role: .admin,
      body: #"{"webhook":{"url":"https://example.com/","events":["device.uninstalled"]}}"#)
    #expect(hook.status == 201)
    fixture.apple.answer { push in
      .init(
        kind: .answered, status: 410, reason: .unregistered, apnsID: push.id,
        timestamp: Date(timeIntervalSince1970: 1_800_000_000))
    }
    _ = await fixture.send(["alert": "Hi"])
    fixture.clock.advance(by: .seconds(1))
    _ = await fixture.dispatcher().sendDueBatches()

    let now = fixture.clock.now
    let call = try await fixture.store.leaseWebhookCall(
      owner: "o", at: now, until: now + .seconds(1))
    let notified = try #require(call?.body["data"]?["devices"]?.array)
    #expect(notified.map { $0["id"] } == ["d"] && notified.map { $0["user_id"] } == ["u"])
    #expect(call?.body["event"] == "device.uninstalled")

    let first = await fixture.request("GET", "/v6/devices/uninstalled").json
    #expect(first["meta"]?["total"] == 1)
    #expect(first["devices"]?.array?.count == 1)
    #expect(first["devices"]?.array?.first?["id"] == "d")
    #expect(first["devices"]?.array?.first?.object?.keys.contains("push_token") == false)
    let cursor = try #require(first["meta"]?["cursor"]?.string)
    let second = await fixture.request("GET", "/v6/devices/uninstalled?cursor=\(cursor)").json
    #expect(second["devices"] == [] && second["meta"]?["total"] == 1)
    #expect(await fixture.request("GET", "/v6/devices/uninstalled?cursor=nonsense").status == 404)
    fixture.clock.advance(by: .seconds(86_400))
    let late = await fixture.request("GET", "/v6/devices/uninstalled?cursor=\(cursor)")
    #expect(late.status == 404)
    let earlier = await fixture.request("GET", "/v6/devices/uninstalled?to=2023-11-01")
    #expect(earlier.json["devices"] == [])
    fixture.clock.advance(by: .seconds(60 * 86_400))
    let old = await fixture.request("GET", "/v6/devices/uninstalled?from=2023-01-01")
    #expect(old.json["devices"] == [])
    for query in ["from=soon", "from=2023-11-15&to=2023-11-14"] {
      #expect(await fixture.request("GET", "/v6/devices/uninstalled?\(query)").status == 422)
    }
  }

  @Test("newline-delimited JSON is imported, and the rejected lines are listed")
  func lines() async throws {
    let fixture = try await Fixture()
    let body = """
      {"push_token":"00ff","user_id":"ada","tags":["a"]}
      {"push_token":"00FF"}

      nonsense
      {"push_token":"01"}
      {"push_token":"02","tags":5}
      {"user_id":"bob"}
      """
    let answer = await fixture.request(
      "POST", "/v6/devices/import", role: .admin, body: body,
      headers: [("Content-Type", "application/x-ndjson")])
    #expect(answer.status == 200 && answer.json["accepted"] == 3)
    #expect(answer.json["rejected"] == 3 && answer.json["accepted_with_losses"] == 1)
    #expect(answer.json["lines"]?.array?.compactMap { $0["line"]?.integer } == [2, 4, 6, 7])
    let wrong = await fixture.request(
      "POST", "/v6/devices/import", role: .admin, body: body, headers: [("Content-Type", "a/b")])
    #expect(wrong.status == 415)
  }

  @Test("a line with an id updates that device, and an erased device is rejected")
  func namedLines() async throws {
    let fixture = try await Fixture()
    for id in ["old", "gone", "owner"] { try await fixture.register(id) }
    #expect(await fixture.request("POST", "/v6/devices/gone/erase").status == 200)
    let body = """
      {"id":"mine1","push_token":"bb01","user_id":"ada"}
      {"id":"old","push_token":"bb02","tags":["a"]}
      {"id":"gone","push_token":"bb03"}
      {"id":"a b","push_token":"bb04"}
      {"id":"heir","push_token":"\(Fixture.token("owner"))"}
      {"push_token":"bb05"}
      """
    let answer = await fixture.request(
      "POST", "/v6/devices/import", role: .admin, body: body,
      headers: [("Content-Type", "application/x-ndjson")])
    #expect(answer.status == 200 && answer.json["accepted"] == 4)
    #expect(answer.json["rejected"] == 2)
    #expect(answer.json["lines"]?.array?.compactMap { $0["line"]?.integer } == [3, 4])
    func device(_ id: String) async -> JSONValue? {
      await fixture.request("GET", "/v6/devices/\(id)").json["devices"]
    }
    #expect(await device("mine1")?["push_token"] == "bb01")
    #expect(await device("mine1")?["user_id"] == "ada")
    #expect(await device("old")?["push_token"] == "bb02")
    #expect(await device("old")?["tags"] == ["a"])
    #expect(await device("heir")?["push_token"] == .string(Fixture.token("owner")))
    #expect(await device("owner")?["push_token"]?.isNull == true)
  }

  @Test("an Android token is stored unchanged, by an update and by imports")
  func androidTokens() async throws {
    let fixture = try await Fixture()
    let put = await fixture.request(
      "PUT", "/v6/devices/a",
      body: #"{"device":{"push_token":"d1:APA91b-x_Y","platform":"Android"}}"#)
    #expect(put.json["device"]?["push_token"] == "d1:APA91b-x_Y")
    let bare = await fixture.request(
      "PUT", "/v6/devices/b", body: #"{"device":{"push_token":"d1:APA91b-x_Y"}}"#)
    #expect(bare.status == 422)
    let csv = await fixture.request(
      "POST", "/v6/devices/import", role: .admin,
      body: "os_name,token,user_id\nAndroid,d2:APA91b,u\niOS,d3:APA91b,u\n",
      headers: [("Content-Type", "text/csv")])
    #expect(csv.json["accepted"] == 1)
    let lines = await fixture.request(
      "POST", "/v6/devices/import", role: .admin,
      body: #"{"id":"n","push_token":"d4:APA91b","platform":"Android"}"#,
      headers: [("Content-Type", "application/x-ndjson")])
    #expect(lines.json["accepted"] == 1)
    // APNs gets no push for an Android device.
    _ = await fixture.send(["alert": "Hi"])
    _ = await fixture.dispatcher().sendDueBatches()
    #expect(fixture.apple.taken.isEmpty)
  }

  @Test("a user's attributes and events reach all of their devices")
  func users() async throws {
    let fixture = try await Fixture()
    for id in ["a", "b"] { try await fixture.register(id) { $0.userID = .set("u") } }
    let body = #"{"user":{"custom":{"vip":{"type":"boolean","value":true},"x":{"type":"?"}}}}"#
    let answer = await fixture.request("PUT", "/v6/users/u", body: body)
    #expect(answer.status == 200 && answer.json == ["user": ["id": "u", "device_count": 2]])
    let events = await fixture.request(
      "POST", "/v6/users/u/events", body: #"{"events":[{"name":"buy"}]}"#)
    #expect(events.status == 202)
    for id in ["a", "b"] {
      let device = try #require(try await fixture.store.device(id, app: fixture.app.id))
      #expect(device.attributes["vip"] == Attribute(kind: .boolean, value: true))
      #expect(device.events["buy"]?.count == 1)
    }
    let invalid = await fixture.request(
      "PUT", "/v6/users/u", body: #"{"user":{"custom":{"x":{"type":"?"}}}}"#)
    #expect(invalid.status == 422)
    #expect(await fixture.request("PUT", "/v6/users/u", role: .device, body: body).status == 403)
  }
}
