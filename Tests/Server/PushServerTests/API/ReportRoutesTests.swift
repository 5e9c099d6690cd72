import APNs
import PushModel
import PushPayload
import PushServer
import Testing

@Suite("Outcomes, receipts and stats over the API", .timeLimit(.minutes(10)))
struct ReportRoutesTests {
  private func deliver(_ fixture: Fixture) async throws -> String {
    let sent = await fixture.send(["alert": "Hi"])
    fixture.clock.advance(by: .seconds(1))
    _ = await fixture.dispatcher().sendDueBatches()
    return try #require(sent.json["notification"]?["id"]?.string)
  }

  private func receipt(_ id: String, of send: String, _ event: String, more: String = "") -> String
  {
    """
    {"id":"\(id)","notification_id":"\(send)","device_id":"d","event":"\(event)",
    "at":"2023-11-14T22:13:30.000Z"\(more)}
    """
  }

  @Test(
    "the group of stats follows the rule for a send's group",
    arguments: [
      ("abc", 200), (String(repeating: "a", count: 64), 200), ("2018-march", 200), ("ab", 422),
      (String(repeating: "a", count: 65), 422), ("a,b", 422), ("a%20b", 422), ("%D0%B6%D0%B6", 422),
    ])
  func groups(group: String, status: Int) async throws {
    let fixture = try await Fixture()
    let path = "/v6/transactional/notifications/\(group)/stats"
    #expect(await fixture.request("GET", path, role: .analytics).status == status)
  }

  @Test(
    "a receipt's media and reason have at most 64 characters, of any script",
    arguments: [("media", 64, 202), ("media", 65, 422), ("reason", 64, 202), ("reason", 65, 422)])
  func receiptText(field: String, count: Int, status: Int) async throws {
    let fixture = try await Fixture()
    let text = String(repeating: "ж", count: count)
    let body = """
      {"receipts":[{"id":"1","notification_id":"n","device_id":"d","event":"displayed",\
      "at":"2020-01-01T00:00:00Z","\(field)":"\(text)"}]}
      """
    let answer = await fixture.request("POST", "/v6/receipts", role: .device, body: body)
    #expect(answer.status == status)
  }

  @Test(
    "a receipt of an expanded notification is taken at its limits, and refused past them",
    arguments: [
      ("template_viewed", "", nil), ("template_answered", "", nil), ("template_played", "", nil),
      ("template_expired", "", nil), ("template_opened", "", nil),
      ("template_seen", "", "$.receipts[0].event"),
      ("template_opened", #","page":99"#, nil),
      ("template_opened", #","page":100"#, "$.receipts[0].page"),
      ("template_opened", #","page":-1"#, "$.receipts[0].page"),
      ("template_page", #","page":0,"dwell_seconds":0"#, nil),
      ("template_page", #","page":99,"dwell_seconds":3600"#, nil),
      ("template_page", #","page":1,"dwell_seconds":3601"#, "$.receipts[0].dwell_seconds"),
      ("template_page", #","page":1,"dwell_seconds":-1"#, "$.receipts[0].dwell_seconds"),
      ("template_page", #","page":1"#, "$.receipts[0].dwell_seconds is missing"),
      ("template_page", #","dwell_seconds":1"#, "$.receipts[0].page is missing"),
      ("template_answered", #","value":"\#(String(repeating: "ж", count: 256))""#, nil),
      (
        "template_answered", #","value":"\#(String(repeating: "ж", count: 257))""#,
        "$.receipts[0].value"
      ),
      ("template_answered", #","value":"""#, "$.receipts[0].value"),
      ("template_answered", #","text":"\#(String(repeating: "ж", count: 256))""#, nil),
      (
        "template_answered", #","text":"\#(String(repeating: "ж", count: 257))""#,
        "$.receipts[0].text"
      ),
    ] as [(String, String, String?)])
  func templateLimits(event: String, more: String, error: String?) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request(
      "POST", "/v6/receipts", role: .device,
      body: #"{"receipts":[\#(receipt("1", of: "n", event, more: more))]}"#)
    #expect(answer.status == (error == nil ? 202 : 422), "\(answer.text)")
    if let error { #expect(answer.error.hasPrefix(error)) }
  }

  @Test("the valid receipts are recorded, and the others named, by their own route and by sync")
  func partlyBadReceipts() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let id = try await deliver(fixture)
    let good = receipt("1", of: id, "displayed")
    let bad = receipt("2", of: id, "seen")
    let body = #"{"receipts":[\#(bad),\#(good)]}"#
    for (path, status) in [("/v6/receipts", 202), ("/v6/devices/d/sync", 200)] {
      let answer = await fixture.request("POST", path, role: .device, body: body)
      #expect(answer.status == status, "\(answer.text)")
      let dropped = answer.json["dropped"]?.array ?? []
      #expect(dropped.map { $0["path"] } == ["$.receipts[0].event"])
    }
    let counts = await fixture.request("GET", "/v6/notifications/\(id)").json["counts"]
    #expect(counts?["displayed"] == 1)
    let whole = await fixture.request(
      "POST", "/v6/receipts", role: .device, body: #"{"receipts":[\#(good)]}"#)
    #expect(whole.json == [:])
  }

  @Test("an expanded notification has counts by page and by value, by receipts and by sync")
  func templateStats() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let id = try await deliver(fixture)
    let path = "/v6/stats/notifications/\(id)/template"
    let empty: JSONValue = [
      "viewed": 0, "answered": 0, "opened": 0, "expired": 0, "played": 0, "pages": [],
      "values": [], "other_values": 0,
    ]
    #expect(await fixture.request("GET", path, role: .analytics).json == empty)
    let page = #","page":0,"dwell_seconds":"#
    let receipts = [
      receipt("1", of: id, "template_viewed"),
      receipt("2", of: id, "template_page", more: page + "4"),
      receipt("3", of: id, "template_page", more: page + "3"),
      receipt("4", of: id, "template_page", more: #","page":2,"dwell_seconds":0"#),
      receipt("5", of: id, "template_opened", more: #","page":2"#),
      receipt("6", of: id, "template_answered", more: #","value":"5""#),
      receipt("7", of: id, "template_answered", more: #","value":"4""#),
      receipt("8", of: id, "template_answered", more: #","value":"5""#),
      receipt("9", of: id, "template_answered", more: #","text":"My address""#),
    ]
    let body = #"{"receipts":[\#(receipts.joined(separator: ","))]}"#
    for (path, status) in [
      ("/v6/receipts", 202), ("/v6/devices/d/sync", 200), ("/v6/receipts", 202),
    ] {
      #expect(await fixture.request("POST", path, role: .device, body: body).status == status)
    }
    let stats = await fixture.request("GET", path, role: .analytics)
    #expect(
      stats.json == [
        "viewed": 1, "answered": 4, "opened": 1, "expired": 0, "played": 0,
        "pages": [
          ["page": 0, "seen": 2, "opened": 0, "mean_dwell_seconds": 3.5],
          ["page": 2, "seen": 1, "opened": 1, "mean_dwell_seconds": 0],
        ],
        "values": [["value": "5", "count": 2], ["value": "4", "count": 1]], "other_values": 0,
      ], "\(stats.text)")
    #expect(!stats.text.contains("address"))
    #expect(await fixture.request("GET", path, role: .push).status == 403)
    let none = "/v6/stats/notifications/none/template"
    #expect(await fixture.request("GET", none, role: .analytics).status == 404)
    let counts = await fixture.request("GET", "/v6/notifications/\(id)").json["counts"]
    for name in ["delivered", "displayed", "opened"] { #expect(counts?[name] == 0) }
  }

  @Test("what a person typed reaches the app's webhooks, and is stored nowhere else")
  func typedText() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let id = try await deliver(fixture)
    let hook = await fixture.request(
      "POST", "/v6/webhooks", role: .admin,
      body: #"{"webhook":{"url":"https://example.com/","events":["receipts.record"]}}"#)
    #expect(hook.status == 201, "\(hook.text)")
    let typed = receipt("1", of: id, "template_answered", more: #","text":"My address""#)
    let bad = receipt("2", of: id, "seen")
    _ = await fixture.request(
      "POST", "/v6/receipts", role: .device, body: #"{"receipts":[\#(bad),\#(typed)]}"#)
    let now = fixture.clock.now
    let call = try await fixture.store.leaseWebhookCall(
      owner: "w", at: now, until: now + .seconds(60))
    #expect(call?.body["data"]?["receipts"]?.array?.map { $0["text"] } == ["My address"])
    let device = try #require(try await fixture.store.device("d", app: fixture.app.id))
    let stored = try await fixture.store.receipts(of: id, device: device, app: fixture.app.id)
    #expect(stored.map(\.event) == [.templateAnswered] && !"\(stored)".contains("address"))
  }

  @Test("receipts are counted once each, and a repeat changes nothing")
  func receipts() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let id = try await deliver(fixture)
    let body = """
      {"receipts":[\(receipt("1", of: id, "received")),\(receipt("2", of: id, "displayed")),
      \(receipt("3", of: id, "opened")),
      \(receipt("4", of: id, "action", more: #","media":"failed","reason":"not-found","duration_ms":5"#))]}
      """
    for _ in 0..<2 {
      let answer = await fixture.request("POST", "/v6/receipts", role: .device, body: body)
      #expect(answer.status == 202 && answer.json == [:])
      let counts = await fixture.request("GET", "/v6/notifications/\(id)").json["counts"]
      for name in ["delivered", "displayed", "opened"] { #expect(counts?[name] == 1) }
    }
    let report = await fixture.request("GET", "/v6/notifications/\(id)/report").json
    #expect(report["media_failures"] == ["not-found": 1])
    #expect(
      report["reasons"] == [
        ["result": "sent", "status": 200, "reason": .null, "count": 1]
      ])
    let hours = await fixture.request(
      "GET", "/v6/stats/notifications/\(id)/hours", role: .analytics
    ).json
    #expect(
      hours == [
        [
          "date": "2023-11-14T22:00:00.000Z", "sent": 1, "rejected": 0, "uninstalled": 0,
          "delivered": 1, "displayed": 1, "opened": 1, "media": ["failed": 1],
          "media_failures": ["not-found": 1],
        ]
      ])
    for (version, suffix) in [("v5", "+00:00"), ("v6", "Z")] {
      let stats = await fixture.request(
        "GET", "/\(version)/stats/notifications/\(id)/events", role: .analytics
      ).json
      #expect(stats["direct_opens"] == 1 && stats["pushes_succeeded"] == 1)
      #expect(stats["push_text"] == "Hi" && stats["id"] == .string(id))
      #expect(stats["published_time"]?.string?.hasSuffix(suffix) == true)
    }
  }

  @Test(
    "an invalid receipt is refused with its JSON path",
    arguments: [
      ("{}", 422), (#"{"receipts":[]}"#, 422), (#"{"receipts":5}"#, 400),
      (#"{"receipts":[{}]}"#, 422),
      (
        #"{"receipts":[{"id":"","notification_id":"n","device_id":"d","event":"opened","at":"2020-01-01"}]}"#,
        422
      ),
      (
        #"{"receipts":[{"id":"1","notification_id":"n","device_id":"d","event":"seen","at":"2020-01-01"}]}"#,
        422
      ),
      (
        #"{"receipts":[{"id":"1","notification_id":"n","device_id":"d","event":"opened","at":"now"}]}"#,
        422
      ),
    ])
  func refused(body: String, status: Int) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request("POST", "/v6/receipts", role: .device, body: body)
    #expect(answer.status == status && answer.error.hasPrefix("$.receipts"))
  }

  @Test("a request has at most 1000 receipts")
  func limit() async throws {
    let fixture = try await Fixture()
    for (count, status) in [(1000, 202), (1001, 422)] {
      let receipts = (0..<count).map { receipt("\($0)", of: "none", "opened") }
      let answer = await fixture.request(
        "POST", "/v6/receipts", role: .device,
        body: #"{"receipts":[\#(receipts.joined(separator: ","))]}"#)
      #expect(answer.status == status)
    }
  }

  @Test("each device's outcome can be read, and all by cursor")
  func outcomes() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    fixture.apple.answer { APNsOutcome(kind: .answered, status: 200, apnsID: $0.id) }
    let id = try await deliver(fixture)
    let pushed = try #require(fixture.apple.taken.first?.push.id)
    let expected: JSONValue = [
      "device_id": "d", "result": "sent", "status": 200, "reason": .null,
      "apns_id": .string(pushed), "at": "2023-11-14T22:13:21.000Z",
    ]
    let list = await fixture.request("GET", "/v6/notifications/\(id)/outcomes")
    #expect(list.json["outcomes"] == [expected])
    #expect(list.json["meta"] == ["cursor": .null, "total": 1])
    let one = await fixture.request("GET", "/v6/notifications/\(id)/outcomes/d")
    #expect(one.json == ["outcome": expected])
    #expect(await fixture.request("GET", "/v6/notifications/\(id)/outcomes/e").status == 404)
    let bad = await fixture.request("GET", "/v6/notifications/\(id)/outcomes?cursor=x")
    #expect(bad.status == 404)
  }

  @Test(
    "an opening is counted once, whether it is reported by a tap's receipt, by the app, or by both",
    arguments: [
      ["receipt"], ["app"], ["receipt", "app"], ["app", "receipt"], ["receipt", "again"],
    ])
  func opening(reporters: [String]) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let id = try await deliver(fixture)
    // The receipt's time is 22:13:30.
    fixture.clock.advance(by: .seconds(12))
    for reporter in reporters {
      let answer =
        if reporter == "app" {
          await fixture.request(
            "PUT", "/v6/devices/d", role: .device, body: #"{"device":{"opened":true}}"#)
        } else {
          await fixture.request(
            "POST", "/v6/receipts", role: .device,
            body: #"{"receipts":[\#(receipt(reporter, of: id, "opened"))]}"#)
        }
      #expect((200...202).contains(answer.status))
    }
    let device = await fixture.request("GET", "/v6/devices/d").json["devices"]
    let last = reporters.contains("app") ? "2023-11-14T22:13:33.000Z" : "2023-11-14T22:13:30.000Z"
    #expect(device?["last_opened"] == .string(last))
    for (name, place) in [("opens", 22), ("sessions", 22), ("active_users", 0)] {
      let counts = await fixture.request(
        "GET", "/v6/stats/\(name)?from=2023-11-14&to=2023-11-14", role: .analytics)
      #expect(counts.json.array?[place]["count"] == 1, "\(name)")
    }
  }

  @Test("a user with two devices is one active user, and a device without a user counts as one")
  func activeUsers() async throws {
    let fixture = try await Fixture()
    for (id, user) in [("a", "ada"), ("b", "ada"), ("c", nil), ("d", nil), ("e", "eve")] {
      try await fixture.register(id) { $0.userID = .set(user) }
    }
    for id in ["b", "a", "c", "d", "e", "c"] {
      _ = await fixture.request(
        "PUT", "/v6/devices/\(id)", role: .device, body: #"{"device":{"opened":true}}"#)
    }
    let users = await fixture.request(
      "GET", "/v6/stats/active_users?from=2023-11-14&to=2023-11-14", role: .analytics)
    #expect(users.json.array?.first?["count"] == 4)
  }

  @Test("opens and installs are counted by hour, active users by day")
  func counters() async throws {
    let fixture = try await Fixture()
    let body = #"{"device":{"opened":true}}"#
    _ = await fixture.request("PUT", "/v6/devices/d", role: .device, body: body)
    fixture.clock.advance(by: .seconds(3600))
    _ = await fixture.request("PUT", "/v6/devices/d", role: .device, body: body)
    let day = "from=2023-11-14&to=2023-11-14"
    for name in ["opens", "sessions"] {
      let hours = await fixture.request("GET", "/v6/stats/\(name)?\(day)", role: .analytics).json
      #expect(hours.array?.count == 24)
      #expect(hours.array?[22] == ["date": "2023-11-14T22:00:00.000Z", "count": 1])
      #expect(hours.array?[23] == ["date": "2023-11-14T23:00:00.000Z", "count": 1])
      #expect(hours.array?[21]["count"] == 0)
    }
    let users = await fixture.request("GET", "/v5/stats/active_users?\(day)", role: .analytics)
    #expect(users.json == [["date": "2023-11-14T00:00:00.000+00:00", "count": 1]])
    let installs = await fixture.request("GET", "/v6/stats/total_installs", role: .analytics)
    #expect(installs.json == ["total_installs": 1])
    let month = await fixture.request("GET", "/v6/stats/opens", role: .analytics)
    #expect(month.json.array?.count == 30 * 24 + 1)
    for query in ["from=2021-01-01&to=2023-01-01", "from=x"] {
      let answer = await fixture.request("GET", "/v6/stats/opens?\(query)", role: .analytics)
      #expect(answer.status == 422)
    }
    #expect(await fixture.request("GET", "/v6/stats/opens", role: .push).status == 403)
  }
}
