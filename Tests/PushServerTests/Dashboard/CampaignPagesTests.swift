import PushPayload
import PushStore
import Testing

@testable import PushServer

@Suite("The pages of campaigns", .timeLimit(.minutes(10)))
struct CampaignPagesTests {
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
    #expect(await client.post(path, ["action": "start"]).status == 303)
    await all.deliver()
    #expect(await client.get(path).text.contains("The test runs until you decide."))
    #expect(await client.post(path, ["action": "pause"]).status == 303)
    let refused = await client.post(path, ["action": "decide", "variant": "b"])
    #expect(refused.status == 409 && refused.text.contains("its campaign is paused"))
    #expect(await client.post(path, ["action": "resume"]).status == 303)
    #expect(await client.post(path, ["action": "decide", "variant": "b"]).status == 303)
    await all.deliver()
    let page = await client.get(path).text
    #expect(page.contains("Decided by hand") && page.contains("“b” is sent to the rest"))
    #expect(await client.post(path, ["action": "end"]).status == 303)
    #expect(await client.post(path, ["action": "end"]).status == 303)
    #expect(await client.post(path, ["action": "resume"]).status == 409)
    #expect(await client.post(path, ["action": "delete"]).status == 422)
    #expect(await client.get(list + "/none").status == 404)
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
