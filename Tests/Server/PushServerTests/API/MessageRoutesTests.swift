import PushModel
import PushPayload
import PushServer
import Testing

@Suite("Messages over the API", .timeLimit(.minutes(10)))
struct MessageRoutesTests {
  private func post(_ fixture: Fixture, _ members: String) async -> Fixture.Answer {
    await fixture.request("POST", "/v6/messages", body: #"{"message":{\#(members)}}"#)
  }

  @Test(
    "a message with a push is answered in the documented shape and pushed with its id and media")
  func attached() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let created = await post(
      fixture,
      """
      "to":"*","title":"test","text":"test message","card_image_url":"https://a/b.jpg",
      "custom":{"k":"v"},"notification":{"payload":{"alert":"foo","bar":"baz"}}
      """)
    #expect(created.status == 201)
    let json = created.json
    #expect(json["state"] == "scheduled" && json["title"] == "test")
    #expect(json["type"] == "image_message" && json["to"]?["type"] == "Audience")
    #expect(json["notification"]?["payload"] == ["alert": "foo", "bar": "baz"])
    #expect(json["unpublish_at"] == "2024-02-12T22:13:20.000Z")
    let id = try #require(json["id"]?.string)
    fixture.clock.advance(by: .seconds(1))
    _ = await fixture.dispatcher().sendDueBatches()
    let pushed = try #require(fixture.apple.taken.first?.payload)
    #expect(pushed["_st"] == ["mid": .string(id), "image_url": "https://a/b.jpg"])
    #expect(pushed["_nid"] == json["notification"]?["id"])
    #expect(pushed["aps"]?["mutable-content"] == 1)
    let read = await fixture.request("GET", "/v6/messages/\(id)").json["message"]
    #expect(read?["notification_id"] == json["notification"]?["id"])
    #expect(await fixture.request("GET", "/v6/notifications/\(id)").json["counts"]?["sent"] == 1)
  }

  @Test(
    "a message's type follows from what it shows",
    arguments: [
      ("", "text_message"), (#","url":"app://x""#, "link_message"),
      (#","card_media_url":"https://a/b.mp4""#, "video_message"),
      (#","url":"app://x","type":"text_message""#, "text_message"),
    ])
  func types(more: String, type: String) async throws {
    let fixture = try await Fixture()
    let answer = await post(fixture, #""to":"*","title":"t"\#(more)"#)
    #expect(answer.status == 201 && answer.json["type"] == .string(type))
    #expect(answer.json["notification"]?.isNull == true)
  }

  @Test("a device's stream has its messages until they are unpublished, with their read state")
  func stream() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d") { $0.tags = .set(["gold"]) }
    try await fixture.register("e")
    fixture.clock.advance(by: .seconds(1))
    let all = await post(fixture, #""to":"*","title":"all","unpublish_at":"2023-11-15""#)
    fixture.clock.advance(by: .seconds(1))
    let gold = await post(fixture, #""to":[{"name":"tags","criteria":["gold"]}],"title":"gold""#)
    let (first, second) = (all.json["id"]?.string ?? "", gold.json["id"]?.string ?? "")
    func titles(_ device: String) async -> JSONValue? {
      await fixture.request("GET", "/v6/devices/\(device)/messages").json["messages"]
    }
    // Without the device's own secret, a device key cannot read what is stored.
    let refused = await fixture.request("GET", "/v6/devices/d/messages", role: .device)
    #expect(refused.status == 403)
    #expect(await titles("d")?.array?.map { $0["title"] } == ["gold", "all"])
    #expect(await titles("e")?.array?.map { $0["title"] } == ["all"])

    for kind in [0, 1, 2, 2] {
      let seen = await fixture.request(
        "POST", "/v6/messages/\(first)/impressions", role: .device,
        body: #"{"impression":{"device_id":"d","kind":\#(kind)}}"#)
      #expect(seen.status == 202)
    }
    let page = await fixture.request("GET", "/v6/devices/d/messages").json
    #expect(page["messages"]?.array?.map { $0["is_read"] } == [false, true])
    #expect(page["meta"] == ["cursor": .null] && page["unread"] == 1)
    let stats = await fixture.request("GET", "/v6/stats/messages/\(first)/events", role: .analytics)
    #expect(
      stats.json == [
        "id": .string(first), "full_screen_impressions": 1, "message_stream_impressions": 1,
        "in_app_notification_impressions": 1,
      ])
    fixture.clock.advance(by: .seconds(86_400))
    #expect(await titles("d")?.array?.map { $0["id"] } == [.string(second)])
    #expect(await fixture.request("GET", "/v6/messages").json["meta"]?["total"] == 2)
  }

  @Test("a device that no push can reach has its audience's messages in its stream")
  func unreachable() async throws {
    let fixture = try await Fixture()
    for id in ["off", "android", "bare", "other"] {
      try await fixture.register(id) {
        if id != "other" { $0.tags = .set(["gold"]) }
        if id == "off" { $0.isPushEnabled = .set(false) }
        if id == "android" { $0.platform = .set("Android") }
        if id == "bare" { $0.token = .set(nil) }
      }
    }
    let posted = await post(
      fixture,
      """
      "to":[{"name":"tags","criteria":["gold"]}],"title":"gold",
      "notification":{"payload":{"alert":"gold"}}
      """)
    #expect(posted.status == 201)
    for (id, count) in [("off", 1), ("android", 1), ("bare", 1), ("other", 0)] {
      let stream = await fixture.request("GET", "/v6/devices/\(id)/messages").json["messages"]
      #expect(stream?.array?.count == count, "\(id)")
    }
    _ = await fixture.dispatcher().sendDueBatches()
    #expect(fixture.apple.taken.isEmpty)
  }

  @Test("the app's rate limits a message's push, unless the push has its own", arguments: [nil, 7])
  func rate(own: Int?) async throws {
    let fixture = try await Fixture()
    let changed = await fixture.request(
      "PUT", "/v6/apps/\(fixture.app.id)", role: .admin,
      body: #"{"app":{"throttle_per_second":50}}"#)
    #expect(changed.status == 200)
    let more = own.map { #","throttle_per_second":\#($0)"# } ?? ""
    let posted = await post(
      fixture, #""to":"*","title":"t","notification":{"payload":{"alert":"a"}\#(more)}"#)
    let id = try #require(posted.json["notification"]?["id"]?.string)
    let send = try await fixture.store.send(id, app: fixture.app.id)
    #expect(send?.throttlePerSecond == own ?? 50)
  }

  @Test(
    "an invalid message is refused",
    arguments: [
      (#""title":"t""#, 422), (#""to":"*""#, 422), (#""to":"*","title":"""#, 422),
      (#""to":"*","title":5"#, 400), (#""to":"*","title":"t","type":"song""#, 422),
      (#""to":"*","title":"t","custom":{"a":1}"#, 400),
      (#""to":"*","title":"t","unpublish_at":"2020-01-01""#, 422),
      (#""to":"*","title":"t","notification":{}"#, 422),
      (#""to":"*","title":"t","notification":{"payload":{}}"#, 422),
      (#""to":"*","title":"t","notification":{"payload":{"badge":-1}}"#, 422),
    ])
  func refused(members: String, status: Int) async throws {
    let fixture = try await Fixture()
    let answer = await post(fixture, members)
    #expect(answer.status == status && answer.error.hasPrefix("$.message"))
    #expect(await fixture.request("GET", "/v6/messages").json["meta"]?["total"] == 0)
  }

  @Test("an impression of an unknown message or kind is refused")
  func impressions() async throws {
    let fixture = try await Fixture()
    let id = await post(fixture, #""to":"*","title":"t""#).json["id"]?.string ?? ""
    for (message, kind, status) in [(id, "3", 422), (id, #""x""#, 400), ("none", "1", 404)] {
      let answer = await fixture.request(
        "POST", "/v6/messages/\(message)/impressions", role: .device,
        body: #"{"impression":{"device_id":"d","kind":\#(kind)}}"#)
      #expect(answer.status == status)
    }
  }
}
