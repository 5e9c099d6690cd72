import APNs
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The pages of people", .timeLimit(.minutes(10)))
struct PersonPagesTests {
  @Test("the empty list says how people appear")
  func empty() async throws {
    let client = try await DashboardClient.signedIn(Fixture(), as: .push)
    let page = await client.get(client.path("people"))
    #expect(page.text.contains("Nobody has the app yet") && page.text.contains("PUT /v6/devices/"))
  }

  @Test("the addresses of earlier versions lead to the new ones")
  func earlierAddresses() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    for (old, new) in [
      ("devices", "people"), ("devices?search=a%20b", "people?search=a%20b"),
      ("devices/d1", "people/devices/d1"),
    ] {
      let answer = await client.get(client.path(old))
      #expect(answer.status == 303 && answer.headers["Location"] == client.path(new))
    }
  }

  @Test("a device's page escapes its values, and shows only the last eight characters of its token")
  func one() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1") { patch in
      patch.userID = .set("<b>ann</b>")
      patch.tags = .set(["news", "<i>x"])
      patch.attributes = ["plan": Attribute(kind: .string, value: "<u>gold")]
      patch.isDevelopment = .set(true)
      patch.authSecret = .set("c2VjcmV0")
    }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let page = await client.get(client.path("people/devices/d1"))
    for text in ["&lt;b&gt;ann", "&lt;i&gt;x", "&lt;u&gt;gold", "development", "news"] {
      #expect(page.text.contains(text))
    }
    let token = Fixture.token("d1")
    #expect(page.text.contains("…" + token.suffix(8)))
    for secret in [token, String(token.suffix(9)), String(token.prefix(9)), "c2VjcmV0", "<b>ann"] {
      #expect(!page.text.contains(secret))
    }
    let list = await client.get(client.path("people"))
    #expect(list.text.contains("&lt;b&gt;ann") && !list.text.contains(token.suffix(8)))
    for path in [
      "people/devices/none", "people/devices/a%20b",
      "people/devices/\(String(repeating: "a", count: 65))",
    ] {
      #expect(await client.get(client.path(path)).status == 404, "\(path)")
    }
  }

  @Test("eight characters of a push token find its device, seven and others do not")
  func token() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    try await fixture.register("d2")
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let token = Fixture.token("d1")
    for (search, isFound) in [
      (String(token.prefix(8)), true), (token.prefix(9).uppercased(), true), (token, true),
      (String(token.prefix(7)), false), (token + "0", false), ("ffffffffff", false),
      (String(repeating: "a", count: 401), false), (token.prefix(8) + "%25", false),
    ] {
      let page = await client.get(client.path("people?search=\(search)"))
      #expect(page.status == 200)
      #expect(page.text.contains("<code>d1</code>") == isFound, "\(search)")
      #expect(!page.text.contains("<code>d2</code>"))
    }
  }

  @Test("each person is on exactly one page of the list", arguments: [20, 21, 60])
  func pages(count: Int) async throws {
    let fixture = try await Fixture()
    // Every third device is another one of the person who has the first.
    for number in 1...count {
      try await fixture.register("d\(number)") {
        if number % 3 == 1 { $0.userID = .set("ann &") }
      }
    }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    var (path, seen): (String?, [String]) = (client.path("people"), [])
    while let next = path {
      let page = await client.get(next)
      let ids = page.text.matches(of: /<th scope="row"><a href="[^"]+">(?:<code>)?([^<]+)</)
        .map { String($0.1) }
      #expect((1...20).contains(ids.count))
      seen += ids
      path = page.text.firstMatch(of: /href="([^"]+above=[^"]+)"/)
        .map { String($0.1.replacing("&amp;", with: "&")) }
    }
    #expect(seen == ["ann &amp;"] + (1...count).filter { $0 % 3 != 1 }.map { "d\($0)" })
    let past = await client.get(client.path("people?above=4000000000"))
    #expect(past.status == 200 && past.text.contains("First page"))
  }

  /// The people whom a search finds, by the texts of their links.
  private func found(_ search: String, _ client: DashboardClient) async -> [String] {
    await client.get(client.path("people?search=" + URLEncoded.encode(search))).text
      .matches(of: /<th scope="row"><a href="[^"]+">(?:<code>)?([^<]+)</).map { String($0.1) }
  }

  @Test("a search tries everything that names a person, and says what it has tried")
  func search() async throws {
    let fixture = try await Fixture()
    func text(_ value: String) -> Attribute {
      Attribute(kind: .string, value: .string(value))
    }
    try await fixture.register("ann")
    try await fixture.register("d1") {
      $0.userID = .set("ann")
      $0.attributes = ["first_name": text("Ann"), "last_name": text("van Dyk")]
    }
    try await fixture.register("d2") {
      $0.userID = .set("anna")
      $0.userEmail = .set("anna@example.com")
    }
    try await fixture.register("d3") {
      $0.attributes = ["contact_email": text("bob@example.com"), "name": text("Bob Ross")]
    }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    for (search, people) in [
      ("ann", ["ann", "ann", "anna"]), (" d2 ", ["anna"]), ("an", []), ("anna", ["anna"]),
      ("anna@example.com", ["anna"]), ("ANNA@example.com", ["anna"]),
      ("bob@example.com", ["d3"]), ("Bob Ross", ["d3"]), ("bob ross", ["d3"]), ("bob", []),
      (String(Fixture.token("d3").prefix(8)), ["d3"]), ("ann van", []),
    ] {
      #expect(await found(search, client) == people, "\(search)")
    }
    let none = await client.get(client.path("people?search=%3Cb%3E"))
    #expect(none.status == 200 && none.text.contains("“&lt;b&gt;”"))
    for tried in [
      "Tried: device ID; user ID; email, attribute contact_email; attribute first_name, attribute last_name,",
      "Not tried: push token, which needs its first 8 hex digits",
    ] {
      #expect(none.text.contains(tried), "\(tried)")
    }
    #expect(await client.get(client.path("people?search=ann")).text.contains("user ID (1 device)"))
  }

  @Test("a search finds a limited number, and says so")
  func searchLimit() async throws {
    let fixture = try await Fixture()
    for number in 1...(PersonSearch.limit + 1) {
      try await fixture.register("d\(number)") { $0.userID = .set("user-\(number)") }
    }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    #expect(await found("user-", client).count == PersonSearch.limit)
    let page = await client.get(client.path("people?search=user-")).text
    #expect(page.contains("There may be more"))
    #expect(!(await client.get(client.path("people?search=user-21")).text.contains("be more")))
  }

  @Test("the page of a person has the devices, what is known, and what was sent with its result")
  func person() async throws {
    let fixture = try await Fixture()
    for (device, plan) in [("d1", "gold"), ("d2", "silver")] {
      try await fixture.register(device) {
        $0.userID = .set("a/b ?&")
        $0.tags = .set(["news", device])
        $0.attributes = [
          "plan": Attribute(kind: .string, value: .string(plan)),
          "name": Attribute(kind: .string, value: "Ann <i>"),
        ]
      }
    }
    try await fixture.register("other")
    fixture.apple.answer { push in
      push.deviceToken == Fixture.token("d2")
        ? APNsOutcome(kind: .answered, status: 410, reason: .unregistered, apnsID: push.id)
        : APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
    }
    let both = try await fixture.complete(["alert": "To both"])
    try await fixture.register("d2")
    let alone = await fixture.send(
      ["alert": "To other"], to: [["name": "device_id", "criteria": ["other"]]])
    #expect(alone.status == 201)
    let receipt = Receipt(id: "r", send: both, device: "d1", event: .opened, at: fixture.clock.now)
    try await fixture.store.record([receipt], app: fixture.app.id, at: fixture.clock.now)
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let list = await client.get(client.path("people")).text
    let link = try #require(list.firstMatch(of: /href="([^"]+user\?id=[^"]+)"/)).1
    let page = await client.get(String(link)).text
    for text in [
      "<h1>Ann &lt;i&gt;</h1>", "people/devices/d1\"", "people/devices/d2\"",
      "Another value on another device", ">opened</span>", "To both", "not sent", "Why?",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    let device = await client.get(client.path("people/devices/d2")).text
    #expect(device.contains(">not delivered</span>") && device.contains("410 Unregistered"))
    #expect(device.contains("/user?id=a%2Fb%20%3F%26"))
    let other = await client.get(client.path("people/devices/other")).text
    #expect(!other.contains("/user?id="))
    #expect(await client.get(client.path("people/user?id=none")).status == 404)
    #expect(await client.get(client.path("people/user")).status == 404)
  }

  @Test(
    "a test device comes first in the composer and is in the audience “Test devices” until removed")
  func testDevices() async throws {
    let fixture = try await Fixture()
    for number in 1...30 { try await fixture.register("d\(number)") }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let (path, id) = (client.path("people/devices"), Identifiers.testDevices(in: fixture.app.id))
    func ids() async throws -> [String] {
      try await TestDevices.ids(app: fixture.app.id, fixture.store)
    }
    #expect(await client.get(path + "/d30").text.contains("Mark as test device"))
    for device in ["d30", "d2", "d30"] {
      let answer = await client.post(path, ["device": device, "action": "test"])
      #expect(answer.headers["Location"] == "\(path)/\(device)")
    }
    #expect(try await ids() == ["d30", "d2"])
    let page = await client.get(path + "/d30")
    #expect(page.text.contains("Remove from test devices") && page.text.contains(">test</span>"))
    let composer = await client.get(client.path("compose")).text
    let offered = composer.matches(of: /<option value="(d\d+)"/).map { String($0.1) }
    #expect(offered.prefix(3) == ["d30", "d2", "d1"] && !offered.contains("d25"))
    let audience = try #require(try await fixture.store.audience(id, app: fixture.app.id))
    #expect(audience.isTest && audience.name == "Test devices")
    let sent = await client.post(
      client.path("compose"), ["text": "Hi", "test_device": id, "action": "test"])
    #expect(sent.status == 200)
    let sends = try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 9).sends
    #expect(sends.map(\.counts.targeted) == [2])

    // Removed by the button and by erasing the device; without test devices there is no audience.
    _ = await client.post(path, ["device": "d2", "action": "no-test"])
    #expect(try await ids() == ["d30"])
    _ = await client.post(path, ["device": "d30", "action": "erase", "word": "erase"])
    #expect(try await fixture.store.audience(id, app: fixture.app.id) == nil)
    #expect(await client.post(path, ["device": "d30", "action": "test"]).status == 200)
    #expect(try await ids().isEmpty)
  }

  @Test("an app has at most a thousand test devices", arguments: [999, 1000])
  func testDeviceLimit(count: Int) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let id = Identifiers.testDevices(in: fixture.app.id)
    let others = (0..<count).map { Filter.Criterion.equals(.string("other-\($0)")) }
    var audience = Audience(
      id: id, app: fixture.app.id,
      filters: [Filter(field: .builtIn(.deviceID), criteria: others)], createdAt: fixture.clock.now)
    audience.name = "Test devices"
    try await fixture.store.save(audience)
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    _ = await client.get(client.path("people/devices/d1"))
    let answer = await client.post(
      client.path("people/devices"), ["device": "d1", "action": "test"])
    #expect(answer.status == (count < TestDevices.limit ? 303 : 422))
  }

  @Test("erasing needs confirmation, is audited, and leaves an ID that is answered 451")
  func erase() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1") { $0.userID = .set("ann") }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let path = client.path("people/devices")
    #expect(await client.get(path + "/d1").text.contains("451"))
    for word in ["", "d1", "eras"] {
      let refused = await client.post(path, ["device": "d1", "action": "erase", "word": word])
      #expect(refused.status == 422 && refused.text.contains("role=\"alert\""))
    }
    #expect(try await fixture.store.device("d1", app: fixture.app.id)?.userID == "ann")
    let none = await client.post(path, ["device": "x", "action": "erase", "word": "erase"])
    #expect(none.status == 404)

    let done = await client.post(path, ["device": "d1", "action": "erase", "word": " Erase "])
    #expect(done.headers["Location"] == path + "/d1")
    let page = await client.get(path + "/d1")
    #expect(page.text.contains("Erased at") && !page.text.contains("ann"))
    let audit = try await fixture.store.audit(app: fixture.app.id, after: nil, limit: 20).elements
    #expect(audit.contains { $0.action == "device.erase" && $0.object == "d1" })
    let update = await fixture.request(
      "PUT", "/v6/devices/d1", role: .device, body: #"{"device":{"user_id":"ann"}}"#)
    #expect(update.status == 451)
  }
}
