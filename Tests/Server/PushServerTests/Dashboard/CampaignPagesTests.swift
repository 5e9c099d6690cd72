import Markup
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The pages of campaigns", .timeLimit(.minutes(10)))
struct CampaignPagesTests {
  /// Presses a button of a campaign's page.
  private func press(
    _ client: DashboardClient, _ path: String, _ action: String,
    _ fields: KeyValuePairs<String, String> = [:]
  ) async -> Fixture.Answer {
    var all = [("action", action)] + fields.map { ($0.key, $0.value) }
    // The page names the run that is decided.
    let campaign = path.split(separator: "/").last.map(String.init) ?? ""
    let runs = try? await client.fixture.store.runs(
      ofCampaign: campaign, app: client.fixture.app.id, limit: 1)
    if action == "decide", let run = runs?.first { all.append(("run", run.id)) }
    return await client.post(path, all)
  }

  private func start(_ client: DashboardClient, _ path: String) async -> Fixture.Answer {
    await press(client, path, "start", ["version": "1", "confirm": client.fixture.app.name])
  }

  @Test("a button that is pressed twice makes one campaign")
  func pressedTwice() async throws {
    let all = try await CampaignFixture(devices: 1)
    let client = try await DashboardClient.signedIn(all.fixture, as: .push)
    let path = client.path("sends/campaigns/new")
    let form = await client.get(path).text
    let once = try #require(form.firstMatch(of: /name="once" value="([0-9a-f]+)"/))
    func save(_ name: String) async -> Fixture.Answer {
      let fields = [
        ("once", String(once.1)), ("name", name), ("to", "*"), ("mode", "all"), ("variants", "1"),
        ("v0_key", "a"), ("v0_share", "100"), ("v0_text", "Hello"),
      ]
      return await client.post(path, fields + [("action", "save")])
    }
    let (first, second) = (await save("Sale"), await save("Sale"))
    #expect(first.status == 303 && second.status == 303, "\(first.text)")
    #expect(first.headers["Location"] == second.headers["Location"])
    #expect(await save("Another").headers["Location"] != first.headers["Location"])
    #expect(await all.get("campaigns")["campaigns"]?.array?.count == 2)
  }

  @Test("a campaign is found, started, decided by hand and reported")
  func wholeWay() async throws {
    let all = try await CampaignFixture(devices: 100)
    let id = try await all.create(["test": ["sample": 50]])
    let client = try await DashboardClient.signedIn(all.fixture)
    let list = client.path("sends/campaigns")
    #expect(await client.get(list).text.contains("Autumn"))
    #expect(await client.get(list + "?q=winter").text.contains("No campaign matches."))
    let path = list + "/" + id
    #expect(await client.get(path).text.contains("Nothing is sent until it starts."))
    #expect(await start(client, path).status == 303)
    let planned = await client.get(path).text
    #expect(planned.contains("There is nothing to report yet"))
    await all.deliver()
    let tested = await client.get(path).text
    #expect(tested.contains("The test runs until you decide."))
    #expect(tested.contains("No device has reported that it was"))
    #expect(await press(client, path, "pause").status == 303)
    let refused = await press(client, path, "decide", ["variant": "b"])
    #expect(refused.status == 409 && refused.text.contains("its campaign is paused"))
    #expect(await press(client, path, "resume").status == 303)
    let nothing = await press(client, path, "decide")
    #expect(nothing.status == 422 && nothing.text.contains("<a href=\"#decide\">Choose what"))
    #expect(await press(client, path, "decide", ["variant": "b"]).status == 303)
    await all.deliver()
    let page = await client.get(path).text
    #expect(page.contains("Decided by hand, with your key"))
    #expect(page.contains("“Variant B” is sent to the rest"))
    #expect(await press(client, path, "end").status == 303)
    #expect(await press(client, path, "end").status == 303)
    #expect(await press(client, path, "resume").status == 409)
    #expect(await press(client, path, "delete").status == 422)
    #expect(await client.get(list + "/none").status == 404)
  }

  @Test("a person may decide that the rest gets nothing")
  func noVariant() async throws {
    let all = try await CampaignFixture(devices: 40)
    let (id, _) = try await all.start(["test": ["sample": 50]])
    await all.deliver()
    let client = try await DashboardClient.signedIn(all.fixture)
    let path = client.path("sends/campaigns/\(id)")
    #expect(await client.get(path).text.contains("Nothing: only the devices of the test got it"))
    let pushes = all.fixture.apple.taken.count
    #expect(
      await press(client, path, "decide", ["variant": CampaignPages.noVariant]).status == 303)
    await all.deliver()
    #expect(await client.get(path).text.contains("nothing more is sent"))
    #expect(all.fixture.apple.taken.count == pushes)
  }

  @Test("a draft shows who would get what, by reason and by variant, and each variant's picture")
  func review() async throws {
    let all = try await CampaignFixture(devices: 200)
    try await all.fixture.register("off") { $0.isPushEnabled = .set(false) }
    var limits = AppLimits()
    limits.holdout = Holdout(percent: 10, salt: "salt", since: all.fixture.clock.now)
    limits.quiet = QuietHours(from: 22 * 60, to: 8 * 60, otherwise: .wait)
    limits.caps = [FrequencyCap(most: 3, within: .seconds(7 * 86_400))]
    try await all.fixture.store.setLimits(limits, app: all.fixture.app.id)
    let id = try await all.create([
      "test": CampaignFixture.test, "goals": [["event": "bought"]],
      "limits": ["per_second": 50],
    ])
    let client = try await DashboardClient.signedIn(all.fixture, as: .push)
    let path = client.path("sends/campaigns/\(id)")
    let page = await client.get(path)
    for words in [
      "All devices of \(all.fixture.app.name): 200 of 201 devices can receive pushes.",
      "Left out: 1 opted out.",
      "From 22:00 to 08:00 on each device&#39;s clock it waits for their end.",
      "At most 3 pushes in 7 days. What is more is not sent. 0 devices had as many already.",
      "10 % of the app&#39;s people are left out",
      "50 % of the audience get the variants first, compared by openings. After 4 hours the clock decides",
      "“bought” within 3 days after it is sent", "50 per second", "Variant A", "Variant B",
      "wait for the winner of the test", "The texts of 2 devices of Variant A",
      "when you start it",
    ] { #expect(page.text.contains(words), "\(words)") }
    // The parts are all devices that a push reaches.
    let rows = page.text.matches(of: /<\/td><td class="number">(\d+)<\/td><td>(get|wait)/)
    #expect(rows.count == 5)
    #expect(rows.compactMap { Int($0.1) }.reduce(0, +) == 200)
    let card = await client.get(path + "/variants/a/card.png?version=1")
    #expect(card.status == 200 && card.headers["Content-Type"] == "image/png")
    #expect(card.headers["Cache-Control"] == "private, max-age=3600")
    let old = await client.get(path + "/variants/a/card.png?version=9")
    #expect(old.headers["Cache-Control"] == "no-store")
    #expect(await client.get(path + "/variants/z/card.png").status == 404)
  }

  @Test("a start needs the app's name, the version that was shown, and devices")
  func startConditions() async throws {
    let all = try await CampaignFixture(devices: 3)
    let id = try await all.create()
    let client = try await DashboardClient.signedIn(all.fixture, as: .push)
    let path = client.path("sends/campaigns/\(id)")
    _ = await client.get(path)
    let unnamed = await press(client, path, "start", ["version": "1", "confirm": "everyone"])
    #expect(unnamed.status == 422 && unnamed.text.contains("<a href=\"#confirm\">Type the app"))
    #expect(unnamed.text.contains("name=\"confirm\" value=\"everyone\""))
    let stale = await press(
      client, path, "start", ["version": "2", "confirm": all.fixture.app.name])
    #expect(stale.status == 409 && stale.text.contains("shown as it is now"))
    #expect(all.fixture.apple.taken.isEmpty)
    #expect(await start(client, path).status == 303)
    // The button pressed twice.
    #expect(await start(client, path).status == 303)

    let nobody = try await all.create(["to": [["name": "tags", "criteria": ["nobody"]]]])
    let empty = await client.get(client.path("sends/campaigns/\(nobody)"))
    #expect(empty.text.contains("No device of this audience can receive pushes."))
    #expect(!empty.text.contains("value=\"start\""))
    let late = try await all.create(["when": ["at": "2023-11-14T23:00:00Z"]])
    all.fixture.clock.advance(by: .seconds(7200))
    let over = await client.get(client.path("sends/campaigns/\(late)"))
    #expect(over.text.contains("Send at is in the past") && !over.text.contains("value=\"start\""))
  }

  @Test("a variant is tested on one device, and a test that would not arrive is refused")
  func test() async throws {
    let all = try await CampaignFixture(devices: 3)
    let id = try await all.create()
    let client = try await DashboardClient.signedIn(all.fixture, as: .push)
    let path = client.path("sends/campaigns/\(id)")
    _ = await client.get(path)
    let refused = await press(client, path, "test", ["variant": "1/b", "test_device": "none"])
    #expect(refused.status == 422)
    #expect(refused.text.contains("<a href=\"#test_device\">No test audience and no device"))
    #expect(refused.text.contains("value=\"none\""))
    let fields: KeyValuePairs = ["variant": "1/b", "test_device": "d1", "once": "0123456789"]
    let sent = await press(client, path, "test", fields)
    let location = try #require(sent.headers["Location"])
    #expect(sent.status == 303 && location.hasPrefix(path + "?tested="))
    #expect(await press(client, path, "test", fields).headers["Location"] == location)
    #expect(await client.get(location).text.contains("Test sent."))
    await all.deliver()
    #expect(all.received == [Fixture.token("d1"): ["Variant B"]])
    #expect(try await all.fixture.store.campaign(id, app: all.fixture.app.id)?.state == .draft)
  }

  @Test("the report says in words what the numbers say, also to an analytics key")
  func report() async throws {
    let all = try await CampaignFixture(devices: 600)
    let (id, run) = try await all.start([
      "goals": [["event": "bought"]],
      "variants": [
        ["key": "a", "name": "Short", "share": 45, "payload": ["alert": "A"]],
        ["key": "b", "share": 45, "payload": ["alert": "B"]], ["key": "control", "share": 10],
      ],
    ])
    let client = try await DashboardClient.signedIn(all.fixture, as: .analytics)
    let path = client.path("reports/campaigns/\(id)")
    #expect(await client.get(path).text.contains("There is nothing to report yet"))
    await all.deliver()
    try await all.open(20, of: "a", run: run)
    try await all.open(24, of: "b", run: run)
    #expect(await client.get(path).text.contains("the difference may be chance"))
    try await all.open(120, of: "a", run: run)
    let text = await client.get(path).text
    #expect(text.contains("“Short” did better than the others"))
    #expect(text.contains("“Short” was opened by") && text.contains("more than “Variant B”"))
    #expect(text.contains("Nothing yet: it is measured at"))
    #expect(text.contains("gets nothing"))
    #expect(await client.get(client.path("reports")).text.contains(path))
    #expect(await client.get(client.path("sends/campaigns/\(id)")).status == 403)
  }

  @Test("the report says what a variant changed against the control, once the goal's time is over")
  func uplift() async throws {
    let all = try await CampaignFixture(devices: 300)
    let (id, _) = try await all.start(["goals": [["event": "bought", "within": "P1D"]]])
    await all.deliver()
    let got = Set(all.received.filter { $0.value == ["Variant A"] }.keys)
    all.fixture.clock.advance(by: .seconds(60))
    let buyers = (0..<300).filter { got.contains(Fixture.token("d\($0)")) }.prefix(60)
    for number in buyers {
      _ = try await all.fixture.store.record(
        [DeviceEvent(name: "bought")], device: "d\(number)", app: all.fixture.app.id,
        at: all.fixture.clock.now)
    }
    all.fixture.clock.advance(by: .seconds(86_400))
    try await all.runner.runDue()
    let client = try await DashboardClient.signedIn(all.fixture, as: .analytics)
    let text = await client.get(client.path("reports/campaigns/\(id)")).text
    #expect(text.contains("Uplift against the control, which got nothing"))
    #expect(text.contains("<th scope=\"row\">Control</th>"))
    let plain = text.withPlainNumbers
    let own = plain.firstMatch(of: /“Variant A”: (\d+\.\d) points against the control \(/)
    #expect(own.flatMap { Double($0.1) } ?? 0 > 10 && text.contains("Hardly chance."))
    #expect(plain.contains("“Variant B”: 0.0 points against the control ("))
    #expect(text.contains("It may be chance."))
  }

  @Test("the report says that the clock decided, and on which counts")
  func clock() async throws {
    let all = try await CampaignFixture(devices: 200)
    let (id, run) = try await all.start(["test": CampaignFixture.test])
    await all.deliver()
    try await all.open(20, of: "b", run: run)
    all.fixture.clock.advance(by: .seconds(4 * 3600))
    try await all.runner.runDue()
    let client = try await DashboardClient.signedIn(all.fixture, as: .analytics)
    let text = await client.get(client.path("reports/campaigns/\(id)")).text
    #expect(
      text.contains("Decided by the clock") && text.contains("“Variant B” is sent to the rest"))
    #expect(text.contains("since it did better by more than chance. "))
    #expect(text.contains("Variant B 20 of ") && text.contains("Variant A 0 of "))
  }

  @Test(
    "rates and differences are written in percent and points",
    arguments: [
      (0.1234, "12.3 %", "12.3 points"), (0, "0.0 %", "0.0 points"), (1, "100.0 %", "100.0 points"),
      (-0.0123, "−1.2 %", "−1.2 points"), (-0.0001, "0.0 %", "0.0 points"),
    ])
  func percent(_ value: Double, _ percent: String, _ points: String) {
    #expect(Proportion.percent(value) == percent)
    let number = percent.dropLast(2)
    #expect(
      HTML.points(value).markup.withPlainNumbers == points
        && HTML.percent(value).markup.contains(">\(number)</data> %"))
  }

  @Test("a form of several audiences becomes one target")
  func target() throws {
    func target(_ fields: [(name: String, value: String)]) -> JSONValue {
      ComposeForm(Form(fields)).target
    }
    #expect(target([]) == .null)
    #expect(target([("to", "*")]) == "*")
    #expect(target([("to", "a")]) == "a")
    #expect(target([("to", "a"), ("also", "b"), ("also", "a")]) == ["any": ["a", "b"]])
    #expect(target([("to", "*"), ("also", "b")]) == "*")
    #expect(target([("to", "*"), ("except", "b")]) == ["except": ["b"]])
    #expect(
      target([("to", "a"), ("except", "b"), ("received", "s")])
        == ["any": ["a"], "except": ["b", ["received": "s"]]])
    #expect(target([("to", "unopened:s")]) == ["any": [["received": "s", "opened": false]]])
  }
}
