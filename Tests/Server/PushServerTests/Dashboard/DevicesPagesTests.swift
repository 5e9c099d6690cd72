import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The pages of devices", .timeLimit(.minutes(10)))
struct DevicesPagesTests {
  @Test("the empty list says how devices are registered")
  func empty() async throws {
    let client = try await DashboardClient.signedIn(Fixture(), as: .push)
    let page = await client.get(client.path("devices"))
    #expect(page.text.contains("No devices yet") && page.text.contains("PUT /v6/devices/"))
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
    let page = await client.get(client.path("devices/d1"))
    for text in ["&lt;b&gt;ann", "&lt;i&gt;x", "&lt;u&gt;gold", "development", "news"] {
      #expect(page.text.contains(text))
    }
    let token = Fixture.token("d1")
    #expect(page.text.contains("…" + token.suffix(8)))
    for secret in [token, String(token.suffix(9)), String(token.prefix(9)), "c2VjcmV0", "<b>ann"] {
      #expect(!page.text.contains(secret))
    }
    let list = await client.get(client.path("devices"))
    #expect(list.text.contains("&lt;b&gt;ann") && !list.text.contains(token.suffix(8)))
    for path in ["devices/none", "devices/a%20b", "devices/\(String(repeating: "a", count: 65))"] {
      #expect(await client.get(client.path(path)).status == 404)
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
      let page = await client.get(client.path("devices?search=\(search)"))
      #expect(page.status == 200)
      #expect(page.text.contains("<code>d1</code>") == isFound, "\(search)")
      #expect(!page.text.contains("<code>d2</code>"))
    }
  }

  @Test("each device is on exactly one page of the list", arguments: [50, 51, 120])
  func pages(count: Int) async throws {
    let fixture = try await Fixture()
    for number in 1...count {
      try await fixture.register("d\(number)") { $0.userID = .set("ann &") }
    }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    for start in ["devices", "devices?search=ann%20%26"] {
      var (path, seen): (String?, [String]) = (client.path(start), [])
      while let next = path {
        let page = await client.get(next)
        let ids = page.text.matches(of: /<code>(d\d+)<\/code>/).map { String($0.1) }
        #expect((1...50).contains(ids.count))
        seen += ids
        path = page.text.firstMatch(of: /href="([^"]+above=[^"]+)"/)
          .map { String($0.1.replacing("&amp;", with: "&")) }
      }
      #expect(seen == (1...count).map { "d\($0)" })
    }
    let past = await client.get(client.path("devices?above=4000000000"))
    #expect(past.status == 200 && past.text.contains("First page"))
  }

  @Test("a search finds the device with the ID and the devices of the user with it")
  func search() async throws {
    let fixture = try await Fixture()
    try await fixture.register("ann")
    try await fixture.register("d1") { $0.userID = .set("ann") }
    try await fixture.register("d2") { $0.userID = .set("anna") }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    func found(_ search: String) async -> [String] {
      await client.get(client.path("devices?search=" + URLEncoded.encode(search))).text
        .matches(of: /<th scope="row"><a href="[^"]+"><code>([^<]+)</).map { String($0.1) }
    }
    #expect(await found("ann") == ["ann", "d1"])
    #expect(await found(" d2 ") == ["d2"])
    #expect(await found("an") == [])
    let none = await client.get(client.path("devices?search=%3Cb%3E"))
    #expect(none.status == 200 && none.text.contains("<code>&lt;b&gt;</code>"))
  }

  @Test(
    "a test device comes first in the composer and is in the audience “Test devices” until removed")
  func testDevices() async throws {
    let fixture = try await Fixture()
    for number in 1...30 { try await fixture.register("d\(number)") }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let (path, id) = (client.path("devices"), Identifiers.testDevices(in: fixture.app.id))
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
    _ = await client.get(client.path("devices/d1"))
    let answer = await client.post(client.path("devices"), ["device": "d1", "action": "test"])
    #expect(answer.status == (count < TestDevices.limit ? 303 : 422))
  }

  @Test("erasing needs confirmation, is audited, and leaves an ID that is answered 451")
  func erase() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1") { $0.userID = .set("ann") }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let path = client.path("devices")
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
