import Foundation
import Markup
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The page that says why a notification was not shown", .timeLimit(.minutes(10)))
struct WhyPagesTests {
  /// The page of a question, and its text as it is read.
  private func page(
    _ query: String, _ client: DashboardClient
  ) async -> (status: Int, html: String, text: String) {
    let answer = await client.get(client.path("sends/why?\(query)"))
    return (answer.status, answer.text, answer.text.asRead)
  }

  @Test(
    "it says what the API says, step by step", arguments: DeliveryFaultTests.faults)
  func agrees(_ fault: DeliveryFault) async throws {
    let world = try await fault.happen()
    let answer = await world.explain()
    let client = try await DashboardClient.signedIn(world.fixture, as: .push)
    let page = await page(world.query ?? "notification=\(world.id)&device=d", client)
    #expect(page.status == 200, "\(page.html)")
    #expect(page.html.contains("<code>\(fault.code)</code>"))
    for said in [answer["verdict"]?["text"], answer["verdict"]?["advice"]].compactMap(\.?.string) {
      #expect(page.text.contains(said), "\(said)")
    }
    let steps = try #require(answer["steps"]?.array)
    let main = page.html.split(separator: "<main", maxSplits: 1)[1]
    let list = try #require(main.split(separator: "<ol class=\"trace\">", maxSplits: 1).last)
      .split(separator: "</ol>", maxSplits: 1)[0]
    let items = list.matches(
      of: /<li class="(passed|bad|waits|unknown)">.*?<\/li>/.dotMatchesNewlines())
    #expect(items.count == steps.count)
    for (item, step) in zip(items, steps) {
      let text = String(item.0).asRead
      #expect(
        text.contains(step["title"]?.string ?? "-") && text.contains(step["text"]?.string ?? "-"))
      if let time = step["at"]?.string { #expect(text.contains(time.prefix(19))) }
      let mark = step["cause"] == true ? "bad" : step["known"] == true ? "passed" : "unknown"
      #expect(item.1 == mark || mark == "bad" && item.1 == "waits")
      // Colours alone would say nothing to some.
      #expect(text.contains(item.1 == "waits" ? "Not yet" : "Cause") || mark != "bad")
      #expect(text.contains("Not known") == (mark == "unknown"))
    }
    #expect(!page.html.contains("/v6/"), "links lead to pages")
    for link in main.matches(of: /href="(\/apps\/[^"#]+)/) {
      let path = String(link.1).replacing("&amp;", with: "&")
      #expect(await client.get(path).status == 200, "\(path)")
    }
  }

  @Test("a verdict without a cause is shown, received or not known")
  func healthy() async throws {
    var world = try await DeliveryWorld()
    await world.register(["user_id": "ada"])
    await world.send()
    try await world.deliver()
    let client = try await DashboardClient.signedIn(world.fixture, as: .push)
    let query = "notification=\(world.id)&device=d"
    let received = await page(query, client)
    #expect(received.html.contains("<span class=\"tag good\">Received</span>"))
    #expect(received.html.contains("&amp;user=ada\">All devices of"))
    let opened = Receipt(
      id: "r", send: world.id, device: "d", event: .opened, at: world.fixture.clock.now)
    let app = world.fixture.app.id
    try await world.fixture.store.record([opened], app: app, at: world.fixture.clock.now)
    #expect(await page(query, client).html.contains("<span class=\"tag good\">Shown</span>"))
    world.reachesPhone = false
    await world.send()
    try await world.deliver()
    let unknown = await page("notification=\(world.id)&device=d", client)
    #expect(unknown.html.contains("<span class=\"tag unknown\">Not known</span></h2>"))
    #expect(unknown.text.contains("Apple's Push Notifications Console"))
  }

  @Test("of a person with three devices each has its verdict, and the furthest is told whole")
  func devices() async throws {
    var world = try await DeliveryWorld()
    await world.register(["user_id": "ada", "push_enabled": false], as: "old")
    await world.register(["user_id": "ada"])
    await world.register(["user_id": "ada", "tags": ["x"]], as: "tablet")
    world.members["to"] = ["except": [[["name": "tags", "criteria": ["x"]]]]]
    await world.send()
    try await world.deliver()
    let client = try await DashboardClient.signedIn(world.fixture, as: .push)
    let answer = await page("notification=\(world.id)&user=ada", client)
    #expect(
      answer.html.contains("<code>received</code>") && answer.text.contains("To ada, device d"))
    #expect(answer.text.contains("3 devices. It got"))
    for device in ["old", "tablet"] {
      let link = client.path("sends/why?notification=\(world.id)&amp;device=\(device)")
      #expect(answer.html.contains("<a href=\"\(link)\"><code>\(device)</code></a>"))
    }
    #expect(answer.text.contains("The user does not allow pushes."))
    let old = await page("notification=\(world.id)&device=old", client)
    #expect(
      old.html.contains("<code>opted_out</code>") && !old.html.contains("The devices of the person")
    )
  }

  @Test(
    "as many devices are told as the API tells, and the page says that there may be more",
    arguments: [99, 100, 101])
  func deviceLimit(count: Int) async throws {
    let fixture = try await Fixture()
    for number in 1...count {
      try await fixture.register("d\(number)") { $0.userID = .set("ada") }
    }
    let id = try await fixture.complete(["alert": "Hi"])
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let page = await page("notification=\(id)&user=ada", client)
    let shown = min(count, Actions.timelineDeviceLimit)
    #expect(page.html.matches(of: /<p class="under">Never opened/).count == shown)
    #expect(page.text.contains(count < 100 ? "\n99 devices." : "The first 100 devices."))
  }

  @Test("an address without a device asks for one; an unknown one is said, and each in its words")
  func questions() async throws {
    var world = try await DeliveryWorld()
    await world.register([:])
    await world.send()
    let client = try await DashboardClient.signedIn(world.fixture, as: .push)
    for (query, status, words) in [
      ("notification=ID", 200, "Find out why"), ("notification=ID&who=+", 200, "Find out why"),
      ("notification=ID&device=none", 404, "There is no device with the ID “none” in this app."),
      ("notification=ID&user=%3Ci%3E", 404, "No device of this app has the user ID “<i>”."),
      ("notification=ID&who=%3Ci%3E", 200, "Nobody is found by “<i>”."),
      ("notification=ID&device=d&user=u", 422, "one of device, user"),
      ("notification=none&device=d", 404, "there is no notification with this id"),
      ("campaign=none&who=d", 404, "there is no campaign with this id"),
      ("run=none", 404, "there is no run with this id"), ("device=d", 422, "one of notification"),
      ("notification=ID&run=r&device=d", 422, "one of notification, run, campaign"),
    ] {
      let page = await page(query.replacing("ID", with: world.id), client)
      #expect(page.status == status && page.text.contains(words), "\(query): \(page.text)")
      #expect(page.html.contains("name=\"who\"") == (words.first?.isUppercase == true), "\(query)")
    }
    let token = "ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]"
    let foreign = await page("notification=\(world.id)&who=\(URLEncoded.encode(token))", client)
    #expect(foreign.text.contains("The text is a push token of Expo"))
  }

  @Test("who may see a send may see it; others and other apps may not")
  func roles() async throws {
    var world = try await DeliveryWorld()
    await world.register([:])
    await world.send()
    let (fixture, query) = (world.fixture, "notification=\(world.id)&device=d")
    for role in Account.Role.allCases {
      let person = try await DashboardClient.person("\(role)@example.com", role, fixture)
      #expect(await page(query, person).status == 200, "\(role)")
    }
    for (role, status) in [(APIKey.Role.push, 200), (.admin, 200), (.analytics, 403)] {
      let client = try await DashboardClient.signedIn(fixture, as: role)
      #expect(await page(query, client).status == status, "\(role)")
    }
    let other = try await fixture.makeOtherApp()
    let stranger = DashboardClient(fixture)
    await stranger.signIn(other.keys.first { $0.role == .admin }?.key ?? "")
    #expect(await page(query, stranger).status == 401)
    let foreign = await stranger.get("/apps/\(other.app.id)/sends/why?\(query)")
    #expect(foreign.status == 404 && !foreign.text.contains("Rain"))
  }

  @Test("the search finds a person or a device by any name, and says who is not found")
  func search() async throws {
    let fixture = try await Fixture()
    for device in ["d1", "d2"] { try await fixture.register(device) { $0.userID = .set("ann") } }
    try await fixture.register("d3") {
      $0.userEmail = .set("bob@example.com")
      $0.isPushEnabled = .set(false)
    }
    let id = try await fixture.complete(["alert": "Hi"])
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    /// The page that the form leads to, and its address behind the id.
    func ask(_ text: String) async -> (page: String, address: String) {
      let path = client.path("sends/why?notification=\(id)")
      let answer = await client.get(path + "&who=" + URLEncoded.encode(text))
      guard let address = answer.headers["Location"] else { return (answer.text, "") }
      return (await client.get(address).text, String(address.dropFirst(path.count)))
    }
    for (text, address) in [
      ("d1", "&device=d1"), ("ann", "&user=ann"), ("bob@example.com", "&device=d3"),
      (String(Fixture.token("d2").prefix(12)), "&device=d2"), ("an", ""), ("nobody", ""),
    ] {
      #expect(await ask(text).address == address, "\(text)")
    }
    #expect(await ask("ann").page.contains("The devices of the person"))
    let optedOut = await ask("bob@example.com").page
    #expect(optedOut.contains("<code>opted_out</code>"))
    #expect(await ask("nobody").page.contains("Nobody is found by “nobody”"))
    try await fixture.register("d4") { $0.userID = .set("anna") }
    #expect(await ask("ann").address == "&user=ann", "a whole ID counts for more")
    #expect(await ask("d4").address == "&device=d4")
    try await fixture.register("d5") { $0.userID = .set("annabel") }
    let several = await ask("anna").page
    #expect(await ask("anna").address == "&user=anna" && several.contains("d4"))
    let two = await ask("annab").address
    #expect(two == "&user=annabel")
    try await fixture.register("d6") { $0.userID = .set("annabella") }
    let choice = await ask("annab").page
    #expect(choice.contains("finds 2 people") && choice.contains("&amp;user=annabella\""))
    // A text that is the ID of one device and the user ID of another names two.
    try await fixture.register("ann")
    let both = await ask("ann")
    #expect(both.address.isEmpty && both.page.contains("&amp;user=ann\""))
    #expect(both.page.contains("&amp;device=ann\""))
  }

  // MARK: The ways to it

  @Test("the page of a send, of a person, of a device, and a search for one person lead to it")
  func ways() async throws {
    var world = try await DeliveryWorld()
    await world.register(["user_id": "a b&"])
    await world.register(["push_enabled": false], as: "alone")
    await world.send()
    try await world.deliver()
    let client = try await DashboardClient.signedIn(world.fixture, as: .push)
    let why = client.path("sends/why?notification=\(world.id)")
    let send = await client.get(client.path("sends/\(world.id)")).text
    #expect(send.contains("action=\"\(client.path("sends/why"))\""))
    #expect(send.contains("<input type=\"hidden\" name=\"notification\" value=\"\(world.id)\">"))
    for (place, recipient) in [
      ("people/user?id=a%20b%26", "user=a%20b%26"), ("people/devices/d", "device=d"),
      ("people/devices/alone", "device=alone"), ("people?search=a+b%26", "user=a%20b%26"),
      ("people?search=alone", "device=alone"),
    ] {
      let page = await client.get(client.path(place)).text
      #expect(page.contains("href=\"\(why)&amp;\(recipient)\">Why?"), "\(place)")
      #expect(await client.get("\(why)&\(recipient)").status == 200, "\(place)")
    }
    await world.register(["user_id": "a b& c"], as: "second")
    let two = await client.get(client.path("people?search=a+b%26")).text
    #expect(!two.contains("Why?"), "a search that finds several people has no history")
  }

  @Test("a campaign asks about its last run that has begun, and each day of it about itself")
  func campaign() async throws {
    let all = try await CampaignFixture(devices: 2)
    let id = try await all.create([
      "when": ["every": ["unit": "day", "time": "09:00", "zone": "UTC"]],
      "variants": [["key": "a", "payload": ["alert": "Good morning"]]],
    ])
    let client = try await DashboardClient.signedIn(all.fixture)
    let path = client.path("sends/campaigns/\(id)")
    let form = "<input type=\"hidden\" name=\"campaign\" value=\"\(id)\">"
    #expect(!(await client.get(path).text.contains(form)), "nobody asks about a draft")
    #expect(await all.post("campaigns/\(id)/start").status == 200)
    let query = "campaign=\(id)&device=d1"
    #expect(await page(query, client).html.contains("<code>planned</code>"))
    all.fixture.clock.advance(by: .seconds(10 * 3600 + 46 * 60 + 40))
    try await all.runner.runDue()
    await all.deliver()
    let days = await client.get(path).text
    #expect(days.contains(form))
    // The next day is planned, and the last one is asked about.
    #expect(await page(query, client).html.contains("<code>not_known</code>"))
    let runs = days.matches(of: /sends\/why\?run=([^"]+)">Why not\?/).map { String($0.1) }
    #expect(runs.count == 2)
    for (run, code) in zip(runs, ["planned", "not_known"]) {
      let question = await page("run=\(run)", client)
      #expect(question.html.contains("name=\"run\" value=\"\(run)\""))
      #expect(question.text.contains("Autumn, 2023-11-1"))
      let answer = await page("run=\(run)&device=d1", client)
      #expect(answer.html.contains("<code>\(code)</code>"), "\(answer.text)")
    }
  }

  @Test("times in a sentence are those of the viewer, and the rest is text")
  func times() {
    let time = "2026-11-29T08:00:00.000Z"
    #expect(
      HTML.withTimes("<At> \(time), not 2026-11-29 or 2026-13-29T08:00:00.000Z.").markup
        == "&lt;At&gt; <time datetime=\"\(time)\" data-seconds>2026-11-29 08:00:00 UTC</time>,"
        + " not 2026-11-29 or 2026-13-29T08:00:00.000Z.")
    #expect(HTML.withTimes("").markup.isEmpty)
  }
}

extension String {
  /// The text of markup as it is read, with each time as the markup has it.
  fileprivate var asRead: String {
    let times = replacing(/<time datetime="([^"]+)"[^>]*>[^<]*<\/time>/) { String($0.1) }
    return times.replacing(/<[^>]+>/, with: "").replacing("&lt;", with: "<")
      .replacing("&gt;", with: ">").replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
      .replacing("&amp;", with: "&")
  }
}
