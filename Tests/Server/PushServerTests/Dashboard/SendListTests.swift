import Foundation
import Markup
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The lists of messages", .timeLimit(.minutes(10)))
struct SendListTests {
  @Test("the variants of a test and the rest are one row, which unfolds to them")
  func folded() async throws {
    let all = try await CampaignFixture(devices: 200)
    let run = try await all.start(["name": "Coats", "test": CampaignFixture.test])
    await all.deliver()
    try await all.open(15, of: "b", run: run.run)
    all.fixture.clock.advance(by: .seconds(4 * 3600 + 1))
    try await all.runner.runDue()
    await all.deliver()
    _ = await all.fixture.send(["alert": "Alone"])
    let sends = try await all.fixture.store.sends(ofRun: run.run, app: all.fixture.app.id)
    #expect(sends.count == 3)
    let client = try await DashboardClient.signedIn(all.fixture, as: .push)
    let page = await client.get(client.path("sends")).text
    #expect(page.contains("2 of 2 sends") && page.contains("<summary>3 sends</summary>"))
    #expect(page.contains(">Coats</a> <span class=\"tag\">campaign</span>"))
    for send in sends { #expect(page.contains(client.path("sends/\(send.id)\""))) }
    #expect(page.contains("a, test: Variant A") && page.contains("b: Variant B"))
    let counts = SendRow(lead: sends[0], sends: sends).counts
    #expect(counts.opened == 15 && counts.sent == sends.reduce(0) { $0 + $1.counts.sent })
    let rate: HTML = "<td class=\"number wide\">\(counts.openRate)</td>"
    #expect(page.contains(String(decoding: rate.bytes, as: UTF8.self)))
    // A search that one variant matches has the row too.
    let found = await client.get(client.path("sends?q=variant")).text
    #expect(found.contains("1 of 1 send") && found.contains(">Coats</a>"))
    #expect(await client.get(client.path("sends?triggered=1")).text.contains("4 of 4 sends"))
    let campaigns = await client.get(client.path("sends/campaigns")).text
    #expect(campaigns.contains("<td class=\"number wide\">\(counts.sent)</td>"))
  }

  @Test("an order, a label and a status stay in the address of the next page")
  func pages() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    for number in 0..<51 {
      let time = (fixture.clock.now + .seconds(86_400 - Int64(number) * 60)).iso8601
      let body = """
        {"notification": {"to": "*", "payload": {"alert": "Hi"}, "name": "s\(number)", "labels": ["a & b"],
        "scheduled_at": "\(time)"}}
        """
      #expect(await fixture.request("POST", "/v6/notifications", body: body).status == 201)
    }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let query = "sort=oldest&state=scheduled&label=a+%26+b"
    let first = await client.get(client.path("sends?" + query)).text
    #expect(
      first.contains("50 of 51 sends") && first.contains(">s0</a>") && !first.contains(">s50</a>"))
    #expect(first.contains("Label: a &amp; b"))
    let link = try #require(first.firstMatch(of: /href="([^"]*after=[^"]*)">Next page/)?.1)
    let second = await client.get(String(link).replacing("&amp;", with: "&")).text
    #expect(second.contains("1 of 51 send") && second.contains(">s50</a>"))
    #expect(second.contains("First page") && !second.contains("Next page"))
    let next = await client.get(client.path("sends?sort=next")).text
    let places = try [">s50</a>", ">s49</a>"].map { try #require(next.range(of: $0)).lowerBound }
    #expect(places[0] < places[1] && !next.contains(">s0</a>"))
    #expect(await client.get(client.path("sends?sort=worst&state=odd")).text.contains(">s50</a>"))
    // A page that is just full is the last one.
    let last = try await fixture.store.sends(
      app: fixture.app.id, matching: SendQuery(), after: nil, limit: 1
    ).sends[0]
    _ = try await fixture.store.order(
      .cancel, send: last.id, app: fixture.app.id, at: fixture.clock.now)
    let full = await client.get(client.path("sends?state=scheduled")).text
    #expect(full.contains("50 sends") && !full.contains("Next page"))
  }

  @Test(
    "each list is searched, sorted and empty in words",
    arguments: [
      ("sends", "No sends yet"), ("sends/campaigns", "No campaigns yet"),
      ("sends/messages", "No in-app messages yet"), ("compose/templates", "No templates yet"),
      ("audiences", "No audiences yet"),
      ("sends/activities", "Nothing was sent to a Live Activity"),
      ("sends/calendar", "Nothing is planned here"),
    ])
  func empty(path: String, words: String) async throws {
    let client = try await DashboardClient.signedIn(Fixture(), as: .push)
    let page = await client.get(client.path(path))
    #expect(page.status == 200 && page.text.contains(words))
    guard !path.contains("activities"), !path.contains("calendar") else { return }
    let searched = await client.get(client.path(path + "?q=%3Cnothing")).text
    #expect(searched.contains(" matches. <a href=\"\(client.path(path))\">Show all"))
    #expect(searched.contains("value=\"&lt;nothing\""))
    for query in [
      "?sort=oldest", "?sort=name", "?sort=saved", "?sort=next", "?after=none", "?q=x&after=1",
    ] {
      #expect([200, 303].contains(await client.get(client.path(path + query)).status), "\(query)")
    }
  }

  @Test("audiences are filtered by their use, sorted by name, and paged")
  func audiences() async throws {
    let fixture = try await Fixture()
    for number in 0..<51 {
      var audience = Audience(
        id: "a\(number)", app: fixture.app.id, filters: [],
        createdAt: fixture.clock.now + .seconds(Int64(number)))
      (audience.name, audience.isTest) = ("Group \(100 - number)", number == 7)
      try await fixture.store.save(audience)
    }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let tests = await client.get(client.path("audiences?test=1")).text
    #expect(tests.contains("1 of 1 audience") && tests.contains(">Group 93</a>"))
    let named = await client.get(client.path("audiences?sort=name&test=0")).text
    #expect(named.contains("50 of 50 audiences") && !named.contains("Group 93"))
    let first = await client.get(client.path("audiences?sort=name")).text
    let link = try #require(first.firstMatch(of: /href="([^"]*after=[^"]*)">Next page/)?.1)
    let second = await client.get(String(link).replacing("&amp;", with: "&")).text
    #expect(second.contains("1 of 51 audiences") && second.contains(">Group 99</a>"))
  }

  @Test("a send to an audience that was deleted says so, in the list and on its page")
  func deletedAudience() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1") { $0.tags = .set(["gold"]) }
    let gold: JSONValue = [["name": "tags", "criteria": ["gold"]]]
    let body: JSONValue = ["audience": ["name": "Gold", "to": gold]]
    let created = await fixture.request("POST", "/v6/audiences", body: body.text)
    let audience = try #require(created.json["audience"]?["id"]?.string, "\(created.text)")
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    var pages = [client.path("sends")]
    let targets: [(JSONValue, String)] = [(.string(audience), "Gold"), (gold, "Filters")]
    for (target, name) in targets {
      let sent = await fixture.send(["alert": "Hi"], to: target)
      let id = try #require(sent.json["notification"]?["id"]?.string, "\(sent.text)")
      let page = client.path("sends/\(id)")
      #expect(await client.get(page).text.contains("<dt>Audience</dt><dd>\(name)</dd>"))
      if name == "Gold" { pages.append(page) }
    }
    #expect(try await fixture.store.deleteAudience(audience, app: fixture.app.id))
    for page in pages {
      #expect(await client.get(page).text.contains("An audience that was deleted"), "\(page)")
    }
    let list = await client.get(client.path("sends")).text
    #expect(list.contains("<td class=\"wide\">Filters</td>"))
  }

  @Test("in-app messages are found by title and by state")
  func messages() async throws {
    let fixture = try await Fixture()
    for (number, title) in ["Old", "New", "Now 100%"].enumerated() {
      var message = Message(
        id: "m\(number)", app: fixture.app.id, audience: "a", title: title, content: [:],
        createdAt: fixture.clock.now, unpublishAt: fixture.clock.now + .seconds(9000))
      if number == 0 { message.unpublishAt = fixture.clock.now + .seconds(3600) }
      if number == 1 { message.publishAt = fixture.clock.now + .seconds(3601) }
      try await fixture.store.add(message)
    }
    fixture.clock.advance(by: .seconds(3600))
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    for (query, titles) in [
      ("state=ended", ["Old"]), ("state=planned", ["New"]), ("state=published", ["Now 100%"]),
      ("q=100%25", ["Now 100%"]), ("q=ne", ["New"]), ("sort=oldest", ["Old", "New", "Now 100%"]),
    ] {
      let page = await client.get(client.path("sends/messages?" + query)).text
      let found = page.matches(of: /<th scope="row"><a [^>]*>([^<]*)</).map { String($0.1) }
      #expect(found == titles, "\(query)")
    }
  }
}
