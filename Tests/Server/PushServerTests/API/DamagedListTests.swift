import PushPayload
import Testing

@testable import PushModel
@testable import PushServer
@testable import PushStore

@Suite("A list with a damaged audience, and what a device key is told")
struct DamagedListTests {
  /// An app with the audience `one`, which is not understood, `two`, and `three`, which names the first.
  private func damagedFixture() async throws -> Fixture {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    for id in ["one", "two", "three"] {
      var audience = Audience(
        id: id, app: fixture.app.id, filters: [], createdAt: fixture.clock.now)
      audience.name = "Audience \(id)"
      if id == "three" { audience.except = [.audience("one")] }
      try await fixture.store.save(audience)
    }
    try await fixture.store.write { db in
      _ = try db.run("UPDATE audiences SET filters = '[' WHERE id = 'one'")
    }
    return fixture
  }

  private func ids(_ list: JSONValue?) -> [String] {
    (list?.array ?? []).compactMap { $0["id"]?.string }
  }

  @Test("the API lists the others, and names the damaged one until it is deleted")
  func routes() async throws {
    let fixture = try await damagedFixture()
    let answer = await fixture.request("GET", "/v6/audiences")
    #expect(answer.status == 200, "\(answer.text)")
    #expect(ids(answer.json["audiences"]) == ["two", "three"])
    #expect(ids(answer.json["damaged"]) == ["one"])
    let problem = answer.json["damaged"]?.array?.first?["error"]?.string ?? ""
    #expect(problem.hasPrefix("audiences.filters of one is not JSON"), "\(problem)")
    #expect(await fixture.request("DELETE", "/v6/audiences/one").status == 200)
    let rest = await fixture.request("GET", "/v6/audiences").json
    #expect(rest["damaged"] == nil && ids(rest["audiences"]) == ["two", "three"])
  }

  @Test("each page of a list has as many as it asks for, the damaged ones included")
  func paging() async throws {
    let fixture = try await damagedFixture()
    var listed: [String] = []
    for page in 1...4 {
      let answer = await fixture.request("GET", "/v6/audiences?per=1&page=\(page)").json
      let found = ids(answer["audiences"]) + ids(answer["damaged"])
      #expect(found.count == (page <= 3 ? 1 : 0))
      listed += found
    }
    #expect(listed.sorted() == ["one", "three", "two"])
  }

  @Test("the pages show the others, and the list has the button that deletes the damaged one")
  func pages() async throws {
    let fixture = try await damagedFixture()
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let list = await client.get(client.path("audiences"))
    #expect(list.status == 200)
    for text in ["Audience two", "Audience three", "The audience one cannot be shown"] {
      #expect(list.text.contains(text), "\(text)")
    }
    let compose = await client.get(client.path("compose"))
    #expect(compose.status == 200)
    #expect(compose.text.contains("Audience two") && compose.text.contains("Audience one"))
    #expect(await client.get(client.path("compose?to=one")).status == 200)
    let chosen = await client.post(
      client.path("compose"), ["action": "preview", "to": "one", "text": "Hello"])
    #expect(chosen.status == 200 && chosen.text.contains("is not JSON"), "\(chosen.text)")
    let campaign = await client.post(
      client.path("sends/campaigns/new"), ["action": "preview", "sent": "once", "to": "one"])
    #expect(campaign.status == 200)
    _ = await client.get(client.path("audiences"))
    let deleted = await client.post(client.path("audiences/one"), ["action": "delete"])
    #expect(deleted.status == 200, "\(deleted.text)")
    #expect(!deleted.text.contains("cannot be shown") && deleted.text.contains("Audience three"))
    #expect(try await fixture.store.audience("one", app: fixture.app.id) == nil)
  }

  @Test("a list with nothing but a damaged audience does not say that there is none")
  func alone() async throws {
    let fixture = try await damagedFixture()
    for id in ["two", "three"] {
      #expect(await fixture.request("DELETE", "/v6/audiences/\(id)").status == 200)
    }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let list = await client.get(client.path("audiences")).text
    #expect(list.contains("The audience one cannot be shown"))
    #expect(!list.contains("No audiences yet"))
    _ = await client.post(client.path("audiences/one"), ["action": "delete"])
    #expect(await client.get(client.path("audiences")).text.contains("No audiences yet"))
  }

  @Test("a device key learns neither table nor row, which the log has; other keys learn them")
  func deviceKey() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    try await fixture.store.write { db in
      _ = try db.run("UPDATE devices SET attributes = '{'")
    }
    let client = DashboardClient(fixture)
    func answer(_ role: APIKey.Role) async -> Fixture.Answer {
      await fixture.request(
        "PUT", "/v6/devices/d1", role: role, body: #"{"device":{"tags":["x"]}}"#, to: client.router)
    }
    let device = await answer(.device)
    #expect(device.status == 500)
    #expect(device.text.contains("a stored value is not understood"), "\(device.text)")
    #expect(!device.text.contains("devices.attributes"))
    #expect(client.lines.all.contains { $0.contains("devices.attributes of") })
    let push = await answer(.push)
    #expect(push.status == 500 && push.text.contains("devices.attributes of"), "\(push.text)")
  }
}
