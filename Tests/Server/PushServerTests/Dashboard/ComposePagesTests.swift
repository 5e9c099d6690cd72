import Foundation
import Markup
import PushModel
import PushPayload
import TestSupport
import Testing
import _HTTPServer

@testable import PushServer

@Suite("The pages of the composer", .timeLimit(.minutes(10)))
struct ComposePagesTests {
  private static let markup = "<script>alert('\"x')</script>"

  private let zero = Timestamp(milliseconds: 0)

  private func json(_ client: DashboardClient, _ fields: KeyValuePairs<String, String>) async
    -> JSONValue
  {
    await client.post(
      client.path("compose"), fields, headers: [("Accept", "application/json")]
    ).json
  }

  @Test("markup in every field is escaped")
  func markup() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1") {
      $0.userID = .set(Self.markup)
      $0.attributes = [:]
    }
    var audience = Audience(
      id: "0123456789abcdef01234567", app: fixture.app.id, filters: [], createdAt: fixture.clock.now
    )
    audience.name = Self.markup
    audience.isTest = true
    try await fixture.store.save(audience)
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("compose"))
    for field in ComposeField.allCases + [.title] {
      for action in ["preview", "test", "review", "send"] {
        let answer = await client.post(
          client.path("compose"),
          [
            "action": action, "to": audience.id, "title": "t", field.rawValue: Self.markup,
            "pair_key": Self.markup, "pair_value": Self.markup, "scheduled_at_offset": Self.markup,
          ])
        #expect(!answer.text.contains("<script>"), "\(field) \(action)")
        #expect(answer.status < 500)
      }
    }
  }

  @Test("the preview has the size, devices and remarks of the notification to send")
  func preview() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1") {
      $0.attributes = ["name": Attribute(kind: .string, value: "Ada")]
    }
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("compose"))
    let good = await json(
      client, ["to": "*", "title": "Hi {{ custom.name }}", "text": "There", "preview_as": "d1"])
    let sent = await fixture.request(
      "POST", "/v6/notifications/preview",
      body:
        #"{"notification":{"to":"*","payload":{"title":"Hi Ada","alert":"There"}}}"#)
    #expect(good["bytes"] == sent.json["bytes"])
    #expect(good["devices"] == 1)
    #expect(good["sendable"] == true)

    let table: [(KeyValuePairs<String, String>, String)] = [
      (["to": "*", "text": "x", "badge": "-"], "badge"),
      (["to": "*", "text": "x", "relevance": "2"], "relevance"),
      (["to": "*", "text": "x", "relevance": "much"], "relevance"),
      (
        ["to": "*", "text": "x", "collapse_key": String(repeating: "k", count: 65)], "collapse_key"
      ),
      (["to": "*", "text": "x", "throttle": "0"], "throttle"),
      (["to": "*", "text": "x", "scheduled_at": "soon"], "scheduled_at"),
      (["to": "*", "text": "x", "local_time": "on"], "scheduled_at"),
      (["to": "*", "text": "x", "more": "{"], "more"),
      (["to": "*", "text": "x", "more": "[]"], "more"),
      (["to": "*", "text": "{{ x"], "text"),
      (["to": "*", "text": "x", "interruption_level": "loud"], "interruption_level"),
      (["to": "*", "text": "x", "button0_url": "app://x"], "buttons"),
      (["text": "x"], "to"), (["to": "*", "kind": "both", "text": "x"], "title"),
    ]
    for (fields, place) in table {
      let answer = await json(client, fields)
      let refused = answer["remarks"]?.array?.first { $0["severity"] == "refusal" }
      #expect(refused?["field"]?.string == place, "\(fields): \(answer.text)")
      #expect(answer["sendable"] == false)
    }
    let http = await json(client, ["to": "*", "text": "x", "media": "http://x.example/a.png"])
    #expect(http["remarks"]?.array?.contains { $0["field"] == "media" } == true)
  }

  @Test("all refused fields are listed at once, and the preview shows the others")
  func refusedFields() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("compose"))
    let fields: KeyValuePairs<String, String> = [
      "to": "*", "title": "Autumn", "text": "New {{ coats", "badge": "-", "relevance": "7",
      "button1_url": "app://x", "throttle": "0", "local_time": "on", "action": "review",
    ]
    let page = await client.post(client.path("compose"), fields)
    #expect(page.status == 422)
    #expect(page.text.contains("<title>Error: Compose · Martlet</title>"))
    #expect(page.text.contains("id=\"refusals\" tabindex=\"-1\" autofocus>"))
    for (field, words) in [
      ("badge", "Badge must be"), ("relevance", "Relevance score must be"), ("text", "Body: "),
      ("button0_title", "Button 2 has no title"), ("throttle", "Rate limit (per second) must be"),
      ("scheduled_at", "Send at is missing"),
    ] { #expect(page.text.contains("<a href=\"#\(field)\">\(words)"), "\(words): \(page.text)") }
    // The picture has the title, and no size is claimed.
    #expect(page.text.contains("alt=\"Light: Autumn\""))
    #expect(page.text.contains("id=\"nothing\" hidden"))
    #expect(page.text.contains("Size not known while fields are refused"))
    #expect(!page.text.contains("$.") && !page.text.contains(" 0 of "))
    let preview = await client.post(
      client.path("compose"), fields.filter { $0.key != "action" }.map { ($0.key, $0.value) },
      headers: [("Accept", "application/json")])
    #expect(preview.json["bytes"] == .null && preview.json["sendable"] == false)
  }

  @Test("the page says why a lock screen shows nothing")
  func nothing() async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    _ = await client.get(client.path("compose"))
    for (fields, words) in [
      (["kind": "message", "to": "*", "text": "News"], "An in-app message alone shows nothing"),
      (
        ["to": "*", "sound": "default"], "The preview appears once there is a title or a body."
      ),
      (
        ["to": "*", "more": #"{"content_available":true}"#],
        "The lock screen shows nothing: there is neither a title nor a body."
      ),
      (["to": "*", "more": "{"], "The preview appears once the refused fields"),
    ] as [(KeyValuePairs<String, String>, String)] {
      let page = await client.post(client.path("compose"), fields)
      #expect(page.text.contains("id=\"nothing\">\(words)"), "\(words): \(page.text)")
    }
  }

  @Test(
    "a percent sign is shown as it is written, which the lint and the preview's phone agree on",
    arguments: ["", "https://x.example/a.png"])
  func percent(media: String) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("compose"))
    let fields: KeyValuePairs<String, String> = [
      "to": "*", "title": "50% off", "text": "100% sure, %@ and 5 %d", "media": media,
    ]
    // The text of the picture is that of the simulated phone after the extension has run.
    let page = await client.post(client.path("compose"), fields)
    #expect(page.text.contains("alt=\"Light: 50% off. 100% sure, %@ and 5 %d"), "\(page.text)")
    let remarks = await json(client, fields)["remarks"]?.array ?? []
    #expect(remarks.allSatisfy { !($0["message"]?.string ?? "").contains("percent") })
    let doubled = await json(client, ["to": "*", "title": "50%% off", "text": "Hi"])
    let remark = doubled["remarks"]?.array?.first { $0["field"] == "title" }
    #expect(remark?["advice"] == "write one percent sign")
    let shown = await client.post(client.path("compose"), ["to": "*", "title": "50%% off"])
    #expect(shown.text.contains("alt=\"Light: 50%% off\""))
  }

  @Test("the preview is a likeness of the look and the place that were chosen")
  func looks() async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    _ = await client.get(client.path("compose"))
    var pictures: Set<[UInt8]> = []
    let choices = [
      ("ios26", ""), ("ios18", ""), ("ios26", "banner"), ("ios26", "list"),
      ("ios26", "lock-screen"),
    ]
    for (look, place) in choices + [("ios27", "desk")] {
      let answer = await client.post(
        client.path("compose"),
        ["to": "*", "text": "Hello", "action": "card", "look": look, "place": place])
      #expect(answer.status == 200)
      pictures.insert(answer.bytes)
    }
    // What is not known is the first choice.
    #expect(pictures.count == choices.count)
    let page = await client.post(
      client.path("compose"), ["action": "preview", "look": "ios18", "place": "banner"]
    ).text
    #expect(page.contains("value=\"ios18\" selected") && page.contains("value=\"banner\" selected"))
  }

  @Test(
    "the picture is described from top to bottom",
    arguments: [
      ("", "the banner, the list"), ("banner", "the banner"), ("list", "the list"),
      ("lock-screen", "the lock screen"), ("desk", "the banner, the list"),
    ])
  func captions(place: String, words: String) {
    let choice = CardChoice(Form([("place", place)]))
    #expect(
      choice.caption(hasTemplate: false)
        == "From top to bottom: \(words) and the expanded notification.")
    #expect(
      choice.caption(hasTemplate: true)
        == "From top to bottom: \(words), the expanded notification with its template, and the "
        + "fallback that phones without the content extension show.")
  }

  @Test("the menus say whether the choice is the form's own, or the browser's to remember")
  func ownChoice() {
    let menus = { (fields: [(name: String, value: String)]) in
      CardChoice(Form(fields)).menus().markup
    }
    #expect(
      !menus([]).contains("data-chosen") && !menus([("look", "ios18")]).contains("data-chosen"))
    #expect(menus([("look", "ios26"), ("place", "")]).contains("data-chosen"))
  }

  @Test("the preview has a light and a dark picture, and none for an empty notification")
  func pictures() async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    let page = await client.get(client.path("compose"))
    #expect(page.status == 200)
    for appearance in ["light", "dark"] {
      let answer = await client.post(
        client.path("compose"),
        ["to": "*", "text": "Hello", "action": "card", "appearance": appearance])
      #expect(answer.headers["Content-Type"] == "image/jpeg")
      let none = await client.post(
        client.path("compose"),
        ["to": "*", "action": "card", "appearance": appearance, "more": "{"])
      #expect(none.status == 204)
    }
    let preview = await client.post(client.path("compose"), ["to": "*", "text": "Hello"])
    #expect(preview.text.contains("src=\"data:image/jpeg;base64,/9j/"))
  }

  @Test("a send to all devices needs the app's name, is sent once, and can be duplicated")
  func everyone() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("compose"))
    let review = await client.post(
      client.path("compose"),
      [
        "to": "*", "title": "T & \"t\"", "text": "one\ntwo", "badge": "+1", "action": "review",
        "media": "https://x.example/a.png", "alternative_text": "alt", "pair_key": "k",
        "pair_value": "v", "more": #"{"n":{"a":[1]}}"#, "relevance": "0.5", "throttle": "7",
      ])
    #expect(review.text.contains("Send to 1 device?"))
    let once = try #require(
      review.text.firstMatch(of: /name="once" value="([0-9a-f]+)"/).map { String($0.1) })
    func send(_ confirm: String) async -> Fixture.Answer {
      await client.post(
        client.path("compose"),
        [
          "to": "*", "title": "T & \"t\"", "text": "one\ntwo", "badge": "+1", "action": "send",
          "media": "https://x.example/a.png", "alternative_text": "alt", "pair_key": "k",
          "pair_value": "v", "more": #"{"n":{"a":[1]}}"#, "relevance": "0.5", "throttle": "7",
          "once": once, "confirm": confirm,
        ])
    }
    #expect(await send("").status == 422)
    #expect(await send("everyone").status == 422)
    #expect(try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 9).total == 0)
    let first = await send(fixture.app.name)
    #expect(first.status == 303)
    #expect(await send(fixture.app.name).headers["Location"] == first.headers["Location"])
    let sends = try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 9).sends
    let stored = try #require(sends.first)
    #expect(sends.count == 1)
    #expect(stored.throttlePerSecond == 7)
    #expect(
      stored.payload == [
        "title": "T & \"t\"", "alert": "one\ntwo", "badge": "+1", "k": "v", "n": ["a": [1]],
        "relevance_score": 0.5, "mutable_content": true,
        "_martlet": ["media": [["url": "https://x.example/a.png"]], "alternative_text": "alt"],
      ])

    let form = ComposeForm(
      stored, everyone: Identifiers.everyone(in: fixture.app.id), at: fixture.clock.now)
    #expect(try JSONValue.object(form.payload()) == stored.payload)
    #expect(form[.to] == "*")
    let again = await client.get(client.path("compose?from=\(stored.id)"))
    #expect(again.text.contains("T &amp; &quot;t&quot;"))
  }

  @Test("a test is sent to one device only")
  func test() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    try await fixture.register("d2")
    _ = try await fixture.store.erase(device: "d2", app: fixture.app.id, at: fixture.clock.now)
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    _ = await client.get(client.path("compose"))
    for (device, status) in [("d1", 200), ("d2", 422), ("none", 422), ("", 422)] {
      let answer = await client.post(
        client.path("compose"),
        ["text": "Hi", "test_device": device, "action": "test", "scheduled_at": "2030-01-01T00:00"])
      #expect(answer.status == status)
      #expect(answer.text.contains("Test sent.") == (status == 200))
    }
    let sends = try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 9).sends
    #expect(sends.map(\.counts.targeted) == [1])
  }

  @Test("times are in the time zone that a script submits, otherwise in UTC")
  func times() throws {
    var form = ComposeForm()
    form[.text] = "x"
    form[.scheduledAt] = "2030-06-01T12:00"
    #expect(
      try form.request()["notification"]?["scheduled_at"] == "2030-06-01T12:00:00.000Z")
    var fields = form.form
    fields.set("scheduled_at_offset", "-120")
    form = ComposeForm(fields)
    #expect(
      try form.request()["notification"]?["scheduled_at"] == "2030-06-01T10:00:00.000Z")
    form[.localTime] = "on"
    #expect(try form.request()["notification"]?["scheduled_at"] == "2030-06-01T12:00:00")
  }

  @Test("an in-app message goes out with a push or without")
  func message() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("compose"))
    for (kind, sends) in [("message", 0), ("both", 1)] {
      let answer = await client.post(
        client.path("compose"),
        [
          "kind": kind, "to": "*", "title": "News", "text": "Read", "action": "send",
          "confirm": fixture.app.name,
        ])
      #expect(answer.status == (sends == 0 ? 200 : 303))
      #expect(
        try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 9).total == sends)
    }
    let messages = try await fixture.store.messages(app: fixture.app.id, after: nil, limit: 9)
    #expect(messages.total == 2)
  }

  @Test("buttons go into the payload as the extension reads them, and back into the form")
  func buttons() async throws {
    var form = ComposeForm()
    form[.text] = "x"
    for (name, value) in [
      ("button0_title", "Read"), ("button0_url", "app://a"), ("button0_foreground", "on"),
      ("button2_title", "Delete"), ("button2_id", "delete"), ("button2_destructive", "on"),
      ("button2_authentication_required", "on"),
    ] { form.set(name, value) }
    let payload = JSONValue.object(try form.payload())
    #expect(
      payload == [
        "alert": "x", "mutable_content": true,
        "_martlet": [
          "buttons": [
            ["title": "Read", "url": "app://a", "options": ["foreground"]],
            [
              "title": "Delete", "id": "delete",
              "options": ["destructive", "authentication_required"],
            ],
          ]
        ],
      ])
    let content = DialectTable.standard.read(payload)
    #expect(content.buttons.map(\.title) == ["Read", "Delete"])
    #expect(content.buttons.map(\.identifier) == ["0", "delete"])
    #expect(content.buttons.map(\.opensApp) == [true, false])
    #expect(content.buttons.map(\.isDestructive) == [false, true])
    #expect(content.buttons.map(\.requiresUnlock) == [false, true])
    let send = Send(
      id: "s", messageID: "m", app: "a", audience: "e", payload: payload, createdAt: zero)
    let again = ComposeForm(send, everyone: "e", at: zero)
    #expect(try JSONValue.object(again.payload()) == payload)
    #expect(again[.more].isEmpty)
    // Buttons that the rows cannot hold stay in the additional JSON.
    let richer: JSONValue = [
      "mutable_content": true, "_martlet": ["buttons": [["title": "a", "icon": "b"]]],
    ]
    let kept = Send(
      id: "s", messageID: "m", app: "a", audience: "e", payload: richer, createdAt: zero)
    #expect(try JSONValue.object(ComposeForm(kept, everyone: "e", at: zero).payload()) == richer)
  }

  @Test("a scheduled message with a push is duplicated with all its fields")
  func duplicatedMessage() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("compose"))
    let answer = await client.post(
      client.path("compose"),
      [
        "kind": "both", "to": "*", "title": "News", "text": "Read", "message_text": "At length",
        "link": "https://x.example/", "media": "https://x.example/a.png", "pair_key": "k",
        "pair_value": "v", "throttle": "5", "scheduled_at": "2100-01-01T10:00",
        "expires_at": "2100-01-02T10:00", "unpublish_at": "2100-01-03T10:00", "action": "send",
        "confirm": fixture.app.name,
      ])
    #expect(answer.status == 303)
    let sends = try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 9).sends
    let send = try #require(sends.first)
    #expect(send.state == .scheduled && send.throttlePerSecond == 5)
    #expect(send.scheduledAt == Timestamp(iso8601: "2100-01-01T10:00:00Z"))
    #expect(send.expiresAt == Timestamp(iso8601: "2100-01-02T10:00:00Z"))
    let messages = try await fixture.store.messages(app: fixture.app.id, after: nil, limit: 9)
    let message = try #require(messages.elements.first)
    #expect(message.publishAt == send.scheduledAt)
    #expect(message.unpublishAt == Timestamp(iso8601: "2100-01-03T10:00:00Z"))
    #expect(message.content["custom"] == ["k": "v"])
    let form = ComposeForm(
      send, message: message, everyone: Identifiers.everyone(in: fixture.app.id),
      at: fixture.clock.now)
    #expect(form.kind == .both && form[.messageText] == "At length" && form[.more].isEmpty)
    #expect(form[.scheduledAt] == "2100-01-01T10:00" && form[.media] == "https://x.example/a.png")
    #expect(try form.request()["message"]?["custom"] == ["k": "v"])
    let late = ComposeForm(send, everyone: "e", at: send.expiresAt ?? fixture.clock.now)
    #expect(late[.scheduledAt].isEmpty && late[.expiresAt].isEmpty)
    let page = await client.get(client.path("compose?from=\(send.id)"))
    #expect(page.text.contains("At length"))
  }

  @Test(
    "the content of one page is sent once; changed content is another send",
    arguments: ComposeForm.Kind.allCases)
  func once(_ kind: ComposeForm.Kind) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await DashboardClient.signedIn(fixture)
    func page(_ answer: Fixture.Answer) throws -> String {
      try #require(
        answer.text.firstMatch(of: /name="once" value="([0-9a-f]+)"/).map { String($0.1) })
    }
    let written = try page(await client.get(client.path("compose")))
    func post(_ action: String, _ text: String = "Read", on page: String) async -> Fixture.Answer {
      await client.post(
        client.path("compose"),
        [
          "kind": kind.rawValue, "to": "*", "title": "News", "text": text, "test_device": "d1",
          "confirm": fixture.app.name, "action": action, "once": page,
        ])
    }
    func counts() async throws -> [Int] {
      [
        try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 9).total,
        try await fixture.store.messages(app: fixture.app.id, after: nil, limit: 9).total,
      ]
    }
    let asked = try page(await post("review", on: written))
    async let one = post("send", on: asked)
    async let two = post("send", on: asked)
    let answers = [await one, await two, await post("send", on: asked)]
    #expect(Set(answers.map(\.status)) == [kind == .message ? 200 : 303])
    #expect(Set(answers.map { $0.headers["Location"] }).count == 1)
    let (sends, messages) = (kind == .message ? 0 : 1, kind == .push ? 0 : 1)
    #expect(try await counts() == [sends, messages])
    // Back to editing, and sent with changed content.
    #expect(await post("send", "Read more", on: asked).status == answers[0].status)
    #expect(try await counts() == [2 * sends, 2 * messages])

    // The answer to a test is a new page, from which another test may be sent.
    let tested = await post("test", on: written)
    #expect(await post("test", on: written).status == 200)
    #expect(try await counts() == [2 * sends + 1, 2 * messages])
    #expect(await post("test", on: try page(tested)).status == 200)
    #expect(try await counts() == [2 * sends + 2, 2 * messages])
  }
}
