import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("The review of a send", .timeLimit(.minutes(10)))
struct ReviewTests {
  private func compose(
    _ client: DashboardClient, _ action: String, _ fields: KeyValuePairs<String, String>
  ) async -> Fixture.Answer {
    await client.post(
      client.path("compose"), [("action", action)] + fields.map { ($0.key, $0.value) })
  }

  private func client(_ fixture: Fixture) async throws -> DashboardClient {
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    _ = await client.get(client.path("compose"))
    return client
  }

  private func sends(_ fixture: Fixture) async throws -> [Send] {
    try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 9).sends
  }

  @Test("counts the devices that a push reaches, and the others with the reason of each")
  func reach() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1") { $0.isPushQuiet = .set(true) }
    try await fixture.register("d2") { $0.isDevelopment = .set(true) }
    try await fixture.register("off") { $0.isPushEnabled = .set(false) }
    try await fixture.register("off2") {
      $0.isPushEnabled = .set(false)
      $0.token = .set(nil)
    }
    try await fixture.register("bare") { $0.token = .set(nil) }
    try await fixture.register("other") { $0.platform = .set("Android") }
    let client = try await client(fixture)
    let everyone = Audience(
      id: Identifiers.everyone(in: fixture.app.id), app: fixture.app.id, filters: [],
      createdAt: fixture.clock.now)
    let reach = try await client.router.audiences.reach(of: everyone, at: fixture.clock.now)
    #expect(
      reach
        == AudienceReach(
          targeted: 6, reached: 2, quiet: 1, development: 1, optedOut: 2, withoutToken: 1,
          otherPlatform: 1))
    let review = await compose(client, "review", ["to": "*", "text": "Hi"])
    #expect(review.text.contains("Send to 2 devices?"))
    for words in [
      "2 of 6 devices can receive pushes", "1 delivered quietly",
      "1 in Apple&#39;s development environment", "2 opted out", "1 without a push token",
      "1 not on iOS",
    ] { #expect(review.text.contains(words), "\(words): \(review.text)") }
  }

  @Test("shows the picture in the look that was chosen, and takes another one with its menus")
  func looks() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await client(fixture)
    func picture(_ answer: Fixture.Answer) throws -> Substring {
      try #require(answer.text.firstMatch(of: /src="(data:image[^"]+)"/)).1
    }
    let first = await compose(client, "review", ["to": "*", "text": "Hi", "once": "o1"])
    #expect(first.text.contains("the banner, the list and the expanded notification"))
    let chosen = await compose(
      client, "review",
      [
        "to": "*", "text": "Hi", "once": "o1", "confirm": "Ma", "look": "ios18",
        "place": "lock-screen",
      ])
    #expect(chosen.status == 200)
    #expect(try picture(chosen) != picture(first))
    for words in [
      "the lock screen and the expanded notification", "value=\"ios18\" selected",
      "value=\"lock-screen\" selected", "name=\"once\" value=\"o1\"", "value=\"Ma\"",
    ] { #expect(chosen.text.contains(words), "\(words)") }
    // The menus belong to the form that sends, which has no other fields of these names.
    #expect(chosen.text.matches(of: /\sname="look"/).count == 1)
    // Two menus and their button, and the steps that lead back.
    #expect(chosen.text.matches(of: /\sform="send"/).count == 6)
    // Without a picture there are no menus, and the way back keeps the choice.
    let message = await compose(
      client, "review",
      [
        "to": "*", "kind": "message", "title": "T", "message_text": "Hi", "look": "ios18",
        "place": "list",
      ])
    #expect(!message.text.contains("<select"))
    #expect(message.text.contains("<input type=\"hidden\" name=\"look\" value=\"ios18\">"))
    let sent = await compose(
      client, "send",
      [
        "to": "*", "text": "Hi", "once": "o1", "confirm": fixture.app.name, "look": "ios18",
        "place": "list",
      ])
    #expect(sent.status == 303)
    let payload = try #require(try await sends(fixture).first).payload
    #expect(!String(decoding: payload.serialized(), as: UTF8.self).contains("ios18"))
  }

  @Test("shows every field that is filled in, the texts of three devices, and the pictures")
  func content() async throws {
    let fixture = try await Fixture()
    for name in ["Ada", "Bea", "Cleo", "Dora"] {
      try await fixture.register(name) {
        $0.attributes = ["name": Attribute(kind: .string, value: .string(name))]
      }
    }
    let review = await compose(
      try await client(fixture), "review",
      [
        "to": "*", "title": "Hello {{ custom.name }}", "subtitle": "Sub", "text": "Line",
        "media": "https://x.example/a.png", "alternative_text": "Alt", "link": "app://sale",
        "button0_title": "Read", "button0_url": "app://read", "sound": "ping.caf", "badge": "+1",
        "collapse_key": "sale", "interruption_level": "passive", "relevance": "0.5",
        "throttle": "2", "pair_key": "colour", "pair_value": "red", "more": #"{"deep":{"n":1}}"#,
        "expires_at": "2100-01-02T10:00",
      ])
    #expect(review.status == 200)
    for words in [
      "Hello {{ custom.name }}", "Sub", "Line", "https://x.example/a.png", "Alt", "app://sale",
      "Read · app://read", "ping.caf", "+1", "sale", "passive", "0.5",
      "2 per second: the send takes about 2 s", "Custom data: colour", "red",
      "{&quot;deep&quot;:{&quot;n&quot;:1}}", "2100-01-02T10:00:00.000Z", "The texts of 3 devices",
      "<th scope=\"row\">Ada</th><td>Hello Ada</td><td>Sub</td><td>Line</td>", "Hello Bea",
      "Hello Cleo", "data:image/jpeg;base64,/9j/",
    ] { #expect(review.text.contains(words), "\(words)") }
    #expect(!review.text.contains("Hello Dora"))
    // What a user goes back to must not have to be submitted once more.
    #expect(review.headers["Cache-Control"] == "private, no-cache")
  }

  @Test("names the limit of the app where the send has none of its own")
  func appRate() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    var app = fixture.app
    app.throttlePerSecond = 50
    _ = try await fixture.store.update(app, from: fixture.app)
    let review = await compose(try await client(fixture), "review", ["to": "*", "text": "Hi"])
    #expect(review.text.contains("50 per second (the app&#39;s limit): the send takes about 1 s"))
  }

  @Test("offers no button where nobody would get it, and a request without the page is refused")
  func nobody() async throws {
    let fixture = try await Fixture()
    try await fixture.register("off") { $0.isPushEnabled = .set(false) }
    let client = try await client(fixture)
    for action in ["review", "send"] {
      let answer = await compose(
        client, action, ["to": "*", "text": "Hi", "confirm": fixture.app.name])
      #expect(answer.status == 422, "\(action)")
      #expect(answer.text.contains("There is no device to send to"))
      #expect(answer.text.contains("Left out: 1 opted out."))
      #expect(!answer.text.contains("value=\"send\""))
    }
    #expect(try await sends(fixture).isEmpty)
    // The app shows an in-app message whether pushes are allowed or not.
    let message = await compose(
      client, "send",
      ["kind": "message", "to": "*", "title": "News", "confirm": fixture.app.name])
    #expect(message.status == 200 && message.text.contains("Published"))
  }

  @Test("a name that was typed wrong stays in its field, beside what is wrong")
  func typedName() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let answer = await compose(
      try await client(fixture), "send", ["to": "*", "text": "Hi", "confirm": "everyone"])
    #expect(answer.status == 422)
    #expect(answer.text.contains("name=\"confirm\" value=\"everyone\""))
    #expect(answer.text.contains("<title>Error: Review · Martlet</title>"))
    #expect(answer.text.contains("autofocus><a href=\"#confirm\">"))
  }

  @Test("a time that is over is refused at its field; within a minute the send is for now")
  func pastTime() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await client(fixture)
    // The fixture's clock shows 2023-11-14 22:13:20 UTC.
    for action in ["review", "send"] {
      let past = await compose(
        client, action,
        [
          "to": "*", "text": "Hi", "scheduled_at": "2023-11-14T22:12", "confirm": fixture.app.name,
        ])
      #expect(past.status == 422 && !past.text.contains("Schedule</button>"))
      #expect(past.text.contains("<a href=\"#scheduled_at\">Send at is in the past"))
      #expect(past.text.contains("<title>Error: Compose · Martlet</title>"))
    }
    let now = await compose(
      client, "review", ["to": "*", "text": "Hi", "scheduled_at": "2023-11-14T22:13"])
    #expect(now.text.contains(">Send now</button>") && now.text.contains("<dd>now</dd>"))
    let later = await compose(
      client, "review", ["to": "*", "text": "Hi", "scheduled_at": "2023-11-14T22:14"])
    #expect(later.text.contains(">Schedule</button>"))
    #expect(later.text.contains("<time datetime=\"2023-11-14T22:14:00.000Z\" data-words>"))
    #expect(try await sends(fixture).isEmpty)
  }

  @Test("with local times it counts the devices whose clocks are past the time")
  func localTime() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1") { $0.timeZone = .set("Asia/Tokyo") }
    try await fixture.register("d2") { $0.timeZone = .set("America/New_York") }
    let review = await compose(
      try await client(fixture), "review",
      ["to": "*", "text": "Hi", "scheduled_at": "2023-11-14T23:00", "local_time": "on"])
    #expect(review.text.contains("2023-11-14 23:00 in each device's local time"))
    #expect(review.text.contains("1 device whose clocks are past that time get it at once."))
    // 23:00 in New York.
    #expect(review.text.contains("2023-11-15T04:00:00.000Z"))
    #expect(review.text.contains(">Schedule</button>"))
  }

  @Test("an edited send keeps the limits and the class that the form does not show")
  func hiddenMembers() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1") { $0.timeZone = .set("UTC") }
    let client = try await client(fixture)
    let created = await fixture.request(
      "POST", "/v6/notifications",
      body: #"{"notification": {"to": "*", "payload": {"alert": "First"}, "#
        + #""scheduled_at": "2023-11-14T23:00:00Z", "class": "transactional", "#
        + #""limits": {"quiet": {"from": "22:30", "to": "07:00"}, "caps": "obey"}}}"#)
    #expect(created.status == 201, "\(created.text)")
    let first = try #require(try await sends(fixture).first)
    let hours = QuietHours(from: 1350, to: 420, otherwise: .wait)
    #expect(first.quietHours == hours)
    func compose(_ action: String, _ text: String, replacing id: String) async -> Fixture.Answer {
      await self.compose(
        client, action,
        [
          "to": "*", "text": text, "scheduled_at": "2023-11-14T23:30", "replaces": id,
          "confirm": fixture.app.name,
        ])
    }
    let review = await compose("review", "Second", replacing: first.id)
    // The device gets it when its quiet hours end.
    #expect(review.text.contains("2023-11-15T07:00:00.000Z"), "\(review.text)")
    #expect(await compose("send", "Second", replacing: first.id).status == 303)
    let second = try #require(try await sends(fixture).first)
    #expect(second.payload == ["alert": "Second"])
    #expect(second.quietHours == hours && second.namedClass == .transactional)
    #expect(second.capping == first.capping && second.capping == [.obeys, .counts])
    let due = try await fixture.store.nextBatchTime(at: fixture.clock.now)
    #expect(due == Timestamp(iso8601: "2023-11-15T07:00:00Z"))
    // A copy is a new notification with the limits of its own form.
    #expect(await compose("send", "Third", replacing: "").status == 303)
    let third = try #require(try await sends(fixture).first)
    #expect(third.quietHours == nil && third.namedClass == nil && third.capping == [])
  }

  @Test("an edited send replaces the scheduled one, once, and not after it has started")
  func edit() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await client(fixture)
    func schedule(_ text: String, replacing id: String = "") async -> Fixture.Answer {
      await compose(
        client, "send",
        [
          "to": "*", "text": text, "scheduled_at": "2023-11-14T23:00", "replaces": id,
          "once": "0123456789abcdef", "confirm": fixture.app.name,
        ])
    }
    #expect(await schedule("First").status == 303)
    let first = try #require(try await sends(fixture).first)
    let page = await client.get(client.path("sends/\(first.id)"))
    #expect(page.text.contains("compose?edit=\(first.id)"))
    let form = await client.get(client.path("compose?edit=\(first.id)"))
    #expect(form.text.contains("name=\"replaces\" value=\"\(first.id)\""))
    #expect(form.text.contains("You edit a") && form.text.contains("2023-11-14T23:00"))
    let review = await compose(
      client, "review",
      ["to": "*", "text": "Second", "scheduled_at": "2023-11-14T23:00", "replaces": first.id])
    #expect(review.text.contains("<dt>Replaces</dt><dd>the scheduled send “First”"))

    for _ in 0..<2 { #expect(await schedule("Second", replacing: first.id).status == 303) }
    var all = try await sends(fixture)
    #expect(all.map(\.state) == [.scheduled, .canceled])
    #expect(all.map(\.payload) == [["alert": "Second"], ["alert": "First"]])

    let message = await compose(
      client, "send",
      [
        "kind": "message", "to": "*", "title": "News", "replaces": all[0].id,
        "confirm": fixture.app.name,
      ])
    #expect(message.status == 422 && message.text.contains("cannot become an in-app message"))
    #expect(try await sends(fixture).map(\.state) == [.scheduled, .canceled])

    // The second one starts while it is edited.
    fixture.clock.advance(by: .seconds(3600))
    let dispatcher = fixture.dispatcher()
    let running = Task { await dispatcher.run() }
    let second = all[0].id
    try await until {
      try await fixture.store.send(second, app: fixture.app.id)?.state == .complete
    }
    dispatcher.stop()
    await running.value
    let late = await compose(
      client, "send",
      ["to": "*", "text": "Third", "replaces": second, "confirm": fixture.app.name])
    #expect(late.status == 409 && late.text.contains("has started and cannot be replaced"))
    #expect(
      await client.get(client.path("compose?edit=\(second)")).headers["Location"]
        == client.path("sends/\(second)"))
    all = try await sends(fixture)
    #expect(all.map(\.state) == [.complete, .canceled])
  }
}
