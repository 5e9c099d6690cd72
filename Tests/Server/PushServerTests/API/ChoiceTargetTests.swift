import APNs
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Targets of several parts", .timeLimit(.minutes(10)))
struct ChoiceTargetTests {
  /// Devices a to d: a and b have the tag news, b and c the tag sport, d has none.
  private func fixture() async throws -> Fixture {
    let fixture = try await Fixture()
    for (id, tags) in [("a", ["news"]), ("b", ["news", "sport"]), ("c", ["sport"]), ("d", [])] {
      try await fixture.register(id) { $0.tags = .set(tags) }
    }
    return fixture
  }

  private func create(_ fixture: Fixture, _ to: JSONValue) async throws -> String {
    let body: JSONValue = ["audience": ["name": "An audience", "to": to]]
    let answer = await fixture.request("POST", "/v6/audiences", body: body.text)
    #expect(answer.status == 201, "\(answer.text)")
    return try #require(answer.json["audience"]?["id"]?.string)
  }

  private func count(_ fixture: Fixture, _ to: JSONValue) async -> Fixture.Answer {
    let body: JSONValue = ["audience": ["to": to]]
    return await fixture.request("POST", "/v6/audiences/count", body: body.text)
  }

  /// The ids of the devices that a notification reaches.
  private func reached(_ fixture: Fixture, _ to: JSONValue) async -> String {
    let before = fixture.apple.taken.count
    let answer = await fixture.send(["alert": "Hi"], to: to)
    #expect(answer.status == 201, "\(answer.text)")
    _ = await fixture.dispatcher().sendDueBatches()
    let tokens = Set(fixture.apple.taken.dropFirst(before).map(\.push.deviceToken))
    return ["a", "b", "c", "d"].filter { tokens.contains(Fixture.token($0)) }.joined()
  }

  private static let news: JSONValue = ["name": "tags", "criteria": ["news"]]
  private static let sport: JSONValue = ["name": "tags", "criteria": ["sport"]]

  static let forms: [(to: JSONValue, devices: String)] = [
    (["all": []], "abcd"), (["all": [news]], "ab"), (["any": [[news], [sport]]], "abc"),
    (["any": [[news, sport]]], "b"), (["all": [news], "any": [[sport]]], "b"),
    (["except": [[news]]], "cd"), (["except": [[news], [sport]]], "d"),
    (["except": [[news, sport]]], "acd"), (["all": [news], "except": [[sport]]], "a"),
    (["any": [[news], [sport]], "except": [[news, sport]]], "ac"), (["except": []], "abcd"),
  ]

  @Test(
    "all, any and except select devices, for a count, an audience and a notification",
    arguments: forms)
  func selected(to: JSONValue, devices: String) async throws {
    let fixture = try await fixture()
    #expect(await count(fixture, to).json["device_count"] == .integer(Int64(devices.count)))
    let audience = try await create(fixture, to)
    #expect(await reached(fixture, .string(audience)) == devices)
    #expect(await reached(fixture, to) == devices)
    let body: JSONValue = ["notification": ["to": to, "payload": ["alert": "Hi"]]]
    let preview = await fixture.request("POST", "/v6/notifications/preview", body: body.text)
    #expect(preview.json["device_count"] == .integer(Int64(devices.count)))
  }

  @Test("audiences are included and left out as they are at the time")
  func audiences() async throws {
    let fixture = try await fixture()
    let news = try await create(fixture, [Self.news])
    let sport = try await create(fixture, [Self.sport])
    #expect(await reached(fixture, ["any": [.string(news), .string(sport)]]) == "abc")
    let rest = try await create(fixture, ["except": [.string(news)]])
    #expect(await reached(fixture, .string(rest)) == "cd")
    #expect(await reached(fixture, ["any": [.string(rest)], "except": [.string(sport)]]) == "d")
    try await fixture.register("d") { $0.tags = .set(["news"]) }
    #expect(await reached(fixture, .string(rest)) == "c")
  }

  @Test("a left-out audience that was deleted refuses the notification instead of reaching it")
  func deleted() async throws {
    let fixture = try await fixture()
    let news = try await create(fixture, [Self.news])
    let rest = try await create(fixture, ["except": [.string(news)]])
    _ = await fixture.request("DELETE", "/v6/audiences/\(news)")
    let answer = await fixture.send(["alert": "Hi"], to: .string(rest))
    #expect(answer.status == 409)
    #expect(answer.error.contains("the audience \(news), which was deleted"))
    let direct = await fixture.send(["alert": "Hi"], to: ["except": [.string(news)]])
    #expect(direct.status == 404)
    #expect(
      direct.error
        == "$.notification.to.except[0] names no audience of this app; GET /v6/audiences lists their ids"
    )
  }

  @Test("audiences that refer to each other in a circle are refused")
  func circle() async throws {
    let fixture = try await fixture()
    let first = try await create(fixture, [Self.news])
    let second = try await create(fixture, ["any": [.string(first)]])
    let body: JSONValue = ["audience": ["to": ["any": [.string(second)]]]]
    let answer = await fixture.request("PUT", "/v6/audiences/\(first)", body: body.text)
    #expect(answer.status == 409 && answer.error.contains("refers to itself"))
    #expect(await reached(fixture, .string(second)) == "ab")
  }

  @Test("a chain of five audiences is followed, and one of six is not")
  func chain() async throws {
    let fixture = try await fixture()
    var last = try await create(fixture, [Self.news])
    for _ in 1..<AudienceReferences.depth {
      last = try await create(fixture, ["any": [.string(last)]])
    }
    #expect(await reached(fixture, .string(last)) == "ab")
    #expect(await count(fixture, ["any": [.string(last)]]).status == 409)
  }

  @Test("those who received a notification, who opened it and who did not")
  func received() async throws {
    let fixture = try await fixture()
    fixture.apple.answer { push in
      APNsOutcome(
        kind: .answered, status: push.deviceToken == Fixture.token("c") ? 400 : 200,
        reason: push.deviceToken == Fixture.token("c") ? .topicDisallowed : nil, apnsID: push.id)
    }
    let sent = await fixture.send(["alert": "Hi"], to: ["any": [[Self.news], [Self.sport]]])
    _ = await fixture.dispatcher().sendDueBatches()
    fixture.apple.answer { APNsOutcome(kind: .answered, status: 200, apnsID: $0.id) }
    let id = try #require(sent.json["notification"]?["id"])
    let outer = try #require(sent.json["id"])
    let opened = Receipt(
      id: "r1", send: try #require(id.string), device: "a", event: .opened, at: fixture.clock.now)
    _ = try await fixture.store.record([opened], app: fixture.app.id, at: fixture.clock.now)
    // APNs did not accept the push for c, so c did not receive it.
    #expect(await reached(fixture, ["any": [["received": id]]]) == "ab")
    #expect(await reached(fixture, ["any": [["received": id, "opened": false]]]) == "b")
    #expect(await reached(fixture, ["any": [["received": outer, "opened": true]]]) == "a")
    #expect(await reached(fixture, ["except": [["received": id, "opened": true]]]) == "bcd")
    #expect(await reached(fixture, ["except": [["received": id]]]) == "cd")
    // Once the outcomes are removed nobody knows who received it.
    var retention = Retention()
    retention.outcomes = .seconds(1)
    fixture.clock.advance(by: .seconds(60))
    while try await fixture.store.removeOutdated(retention, at: fixture.clock.now, limit: 100) {}
    let late = await fixture.send(["alert": "Hi"], to: ["except": [["received": id]]])
    #expect(late.status == 409 && late.error.contains("no longer stored"), "\(late.text)")
  }

  static let refused: [(to: JSONValue, status: Int, error: String)] = [
    (["all": [news], "alll": []], 422, "$.notification.to.alll is not known; did you mean all?"),
    (
      ["any": []], 422,
      "$.notification.to.any must have at least one element; leave it out for every device"
    ),
    (
      ["any": [[]]], 422,
      "$.notification.to.any[0] must have at least one filter; use \"*\" for every device"
    ),
    (["any": "x"], 400, "$.notification.to.any must be an array, not a string"),
    (
      ["except": [7]], 400,
      "$.notification.to.except[0] must be an audience's id, a list of filters or {\"received\": ID, \"opened\": false}, not a number"
    ),
    (
      ["except": [["received": "nothing"]]], 404,
      "$.notification.to.except[0] names no notification or campaign of this app"
    ),
    (["except": [["opened": false]]], 422, "$.notification.to.except[0].received is missing"),
    (
      ["except": [["received": "x", "open": false]]], 422,
      "$.notification.to.except[0].open is not known; did you mean opened?"
    ),
    (
      ["except": [["received": "x", "opened": "no"]]], 400,
      "$.notification.to.except[0].opened must be true or false, not a string"
    ),
    (
      ["any": ["nothing"]], 404,
      "$.notification.to.any[0] names no audience of this app; GET /v6/audiences lists their ids"
    ),
  ]

  @Test("what is wrong with a target is said with its path", arguments: refused)
  func refusals(to: JSONValue, status: Int, error: String) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.send(["alert": "Hi"], to: to)
    #expect(answer.status == status && answer.error == error, "\(answer.text)")
  }

  @Test("twenty parts are taken, and one more is not", arguments: ["any", "except"])
  func partLimit(member: String) async throws {
    let fixture = try await fixture()
    func parts(_ count: Int) -> JSONValue {
      .object([member: .array((0..<count).map { _ in [Self.news] })])
    }
    #expect(await count(fixture, parts(TargetParts.limit)).status == 200)
    #expect(await count(fixture, parts(TargetParts.limit + 1)).status == 422)
  }
}
