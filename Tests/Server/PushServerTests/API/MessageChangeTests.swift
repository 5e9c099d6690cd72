import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Changes of in-app messages", .timeLimit(.minutes(10)))
struct MessageChangeTests {
  private func create(_ fixture: Fixture, _ more: [String: JSONValue] = [:]) async throws -> String
  {
    let base: [String: JSONValue] = ["to": "*", "title": "Hello", "text": "One"]
    let body: JSONValue = ["message": .object(base.merging(more) { $1 })]
    let answer = await fixture.request("POST", "/v6/messages", body: body.text)
    return try #require(answer.json["id"]?.string, "\(answer.text)")
  }

  private func put(_ id: String, _ message: JSONValue, _ fixture: Fixture) async -> Fixture.Answer {
    let body: JSONValue = ["message": message]
    return await fixture.request("PUT", "/v6/messages/\(id)", body: body.text)
  }

  private func inbox(_ fixture: Fixture) async -> [String] {
    let answer = await fixture.request("GET", "/v6/devices/d/messages").json["messages"]
    return answer?.array?.compactMap { $0["title"]?.string } ?? []
  }

  @Test("an inbox shows a changed message as it is now, and none that was unpublished")
  func wholeWay() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let id = try await create(fixture)
    #expect(await inbox(fixture) == ["Hello"])
    fixture.clock.advance(by: .seconds(60))
    let changed = await put(id, ["title": "Hi", "url": "https://e.co/"], fixture)
    #expect(changed.status == 200, "\(changed.text)")
    let message = changed.json["message"]
    // What is not named is gone, and the type follows from what is.
    #expect(message?["text"] == .null && message?["type"] == "link_message")
    #expect(message?["unpublish_at"] != nil)
    #expect(await inbox(fixture) == ["Hi"])
    let ended = await fixture.request("POST", "/v6/messages/\(id)/unpublish")
    #expect(ended.json["message"]?["unpublish_at"]?.string == fixture.clock.now.iso8601)
    #expect(await inbox(fixture) == [])
    fixture.clock.advance(by: .seconds(60))
    #expect(await fixture.request("POST", "/v6/messages/\(id)/unpublish").text == ended.text)
    let later = (fixture.clock.now + .seconds(60)).iso8601
    #expect(
      await put(id, ["title": "Back", "unpublish_at": .string(later)], fixture).status == 200)
    #expect(await inbox(fixture) == ["Back"])
    let actions = try await fixture.store.audit(app: fixture.app.id, after: nil, limit: 9)
      .elements.filter { $0.object == id }.map(\.action)
    #expect(
      actions == ["message.update", "message.unpublish", "message.update", "message.create"])
  }

  @Test("what is read and what was counted stays with a changed message")
  func counts() async throws {
    let fixture = try await Fixture()
    for device in ["d", "e"] { try await fixture.register(device) { $0.userID = .set(device) } }
    let id = try await create(fixture)
    for (device, kind) in [("d", Message.Impression.detail), ("e", .stream)] {
      try await fixture.store.record(
        kind, of: id, device: device, app: fixture.app.id, at: fixture.clock.now)
    }
    _ = try await fixture.store.mark(
      InboxMarks(hidden: [id]), device: "e", app: fixture.app.id, at: fixture.clock.now)
    _ = await put(id, ["title": "Hi"], fixture)
    let readers = try await fixture.store.readers(of: id, app: fixture.app.id)
    #expect(readers.read == 2 && readers.hidden == 1)
    let seen = try await fixture.store.impressions(of: id, app: fixture.app.id)
    #expect(seen[.detail] == 1 && seen[.stream] == 1)
    #expect(try await fixture.store.readers(of: "none", app: fixture.app.id) == (0, 0))
  }

  @Test(
    "a change that cannot be shown is refused",
    arguments: [
      ([:], 422, "$.message.title is missing"), (["title": ""], 422, "$.message.title must be"),
      (["title": "T", "to": "*"], 422, "$.message.to is not known"),
      (["title": "T", "unpublish_at": "2001-01-01"], 422, "must be in the future"),
      (["title": "T", "unpublish_at": "soon"], 422, "must be an ISO 8601 date"),
      (["title": "T", "type": "film"], 422, "$.message.type must be one of"),
    ] as [(JSONValue, Int, String)])
  func refused(change: JSONValue, status: Int, words: String) async throws {
    let fixture = try await Fixture()
    let id = try await create(fixture)
    let answer = await put(id, change, fixture)
    #expect(answer.status == status && answer.error.contains(words), "\(answer.text)")
    #expect(await put("none", ["title": "T"], fixture).status == 404)
  }

  // MARK: The pages

  @Test("the page of a message to an audience that was deleted says so")
  func deletedAudience() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d") { $0.tags = .set(["gold"]) }
    let body: JSONValue = [
      "audience": ["name": "Gold", "to": [["name": "tags", "criteria": ["gold"]]]]
    ]
    let created = await fixture.request("POST", "/v6/audiences", body: body.text)
    let audience = try #require(created.json["audience"]?["id"]?.string, "\(created.text)")
    let id = try await create(fixture, ["to": .string(audience)])
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let path = client.path("sends/messages/\(id)")
    #expect(await client.get(path).text.contains("<dt>Audience</dt><dd>Gold"))
    #expect(try await fixture.store.deleteAudience(audience, app: fixture.app.id))
    #expect(
      await client.get(path).text.contains("<dt>Audience</dt><dd>An audience that was deleted"))
  }

  @Test("the pages list a message, show its numbers, change and unpublish it")
  func pages() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d") { $0.userID = .set("ada") }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let list = client.path("sends/messages")
    #expect(await client.get(list).text.contains("No in-app messages yet"))
    let id = try await create(
      fixture, ["card_image_url": "https://cdn.example.com/a.png", "custom": ["k": "v"]])
    try await fixture.store.record(
      .detail, of: id, device: "d", app: fixture.app.id, at: fixture.clock.now)
    #expect(await client.get(list).text.contains("published"))
    let path = list + "/" + id
    let page = await client.get(path).text
    for words in [
      "Picture of cdn.example.com", "<dt>Opened on</dt><dd>1 device", "1 person, or device",
      "All devices, also those that register later", "Unread",
    ] { #expect(page.contains(words), "\(words)") }
    let form = await client.get(path + "/edit").text
    let version = try #require(form.firstMatch(of: /name="version" value="([0-9a-f]+)"/)?.1)
    let fields = [
      ("version", String(version)), ("title", "Changed"), ("text", "Two"),
      ("card_image_url", "https://cdn.example.com/a.png"),
      ("unpublish_at", String((fixture.clock.now + .seconds(86_400)).iso8601.prefix(16))),
    ]
    let preview = await client.post(path + "/edit", fields + [("action", "preview")])
    #expect(preview.status == 200 && preview.text.contains("<p dir=\"auto\">Two</p>"))
    #expect(await client.post(path + "/edit", fields).status == 303)
    let stored = try #require(try await fixture.store.message(id, app: fixture.app.id))
    #expect(stored.title == "Changed" && stored.content["custom"] == ["k": "v"])
    #expect(stored.content["type"] == "image_message")
    // A second tab knows the message as it was.
    let stale = await client.post(path + "/edit", fields)
    #expect(stale.status == 409 && stale.text.contains("Somebody else has changed this message"))
    _ = await client.get(path + "/edit")
    let wrong = [
      ("version", MessageForm.version(of: stored)), ("title", ""), ("unpublish_at", ""),
    ]
    let refused = await client.post(path + "/edit", wrong)
    #expect(refused.status == 422 && refused.text.contains("<a href=\"#title\">Title must be"))
    #expect(await client.post(path, ["action": "unpublish"]).status == 303)
    #expect(await client.get(path).text.contains("ended"))
    #expect(await client.post(path, ["action": "delete"]).status == 422)
    #expect(await client.get(list + "/none").status == 404)
  }
}
