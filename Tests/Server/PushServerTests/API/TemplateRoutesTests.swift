import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Templates over the API", .timeLimit(.minutes(10)))
struct TemplateRoutesTests {
  private func put(
    _ name: String, _ payload: JSONValue, headers: [(String, String)] = [], _ fixture: Fixture
  ) async -> Fixture.Answer {
    let body: JSONValue = ["template": ["payload": payload]]
    return await fixture.request(
      "PUT", "/v6/templates/\(name)", body: body.text,
      headers: [("Content-Type", "application/json")] + headers)
  }

  @Test("a save is a version, and old ones stay readable")
  func versions() async throws {
    let fixture = try await Fixture()
    for number in 1...3 {
      let saved = await put("welcome", ["alert": .string("Text \(number)")], fixture)
      #expect(saved.status == 200 && saved.headers["ETag"] == "\"\(number)\"", "\(saved.text)")
    }
    let newest = await fixture.request("GET", "/v6/templates/welcome").json["template"]
    #expect(newest?["version"] == 3 && newest?["payload"]?["alert"] == "Text 3")
    let keys = try await fixture.store.keys(app: fixture.app.id)
    #expect(newest?["saved_by"]?.string == keys.first { $0.role == .push }?.id)
    let old = await fixture.request("GET", "/v6/templates/welcome/versions/1")
    #expect(old.json["template"]?["payload"]?["alert"] == "Text 1")
    let list = await fixture.request("GET", "/v6/templates/welcome/versions").json["versions"]
    #expect(list?.array?.compactMap { $0["version"]?.integer } == [3, 2, 1])
    #expect(list?.array?.first?["payload"] == nil)
    for path in ["versions/4", "versions/0", "versions/x"] {
      #expect(await fixture.request("GET", "/v6/templates/welcome/\(path)").status == 404)
    }
    #expect(await fixture.request("DELETE", "/v6/templates/welcome").status == 200)
    #expect(await fixture.request("GET", "/v6/templates/welcome").status == 404)
    #expect(await fixture.request("DELETE", "/v6/templates/welcome").status == 404)
    #expect(await fixture.request("GET", "/v6/templates/welcome/versions/3").status == 200)
    #expect(await put("welcome", ["alert": "Again"], fixture).headers["ETag"] == "\"4\"")
  }

  @Test(
    "a save after an older version than the newest one is refused",
    arguments: [
      ("If-Match", "\"1\"", 412), ("If-Match", "\"2\"", 200), ("If-Match", "*", 200),
      ("If-None-Match", "*", 412), ("If-Match", "\"3\"", 412), ("If-Match", "2", 422),
      ("If-Match", "W/\"2\"", 422), ("If-None-Match", "\"2\"", 422), ("If-Match", "\"\"", 422),
    ])
  func conditions(header: String, value: String, status: Int) async throws {
    let fixture = try await Fixture()
    for number in 1...2 { _ = await put("welcome", ["alert": .string("\(number)")], fixture) }
    let answer = await put("welcome", ["alert": "New"], headers: [(header, value)], fixture)
    #expect(answer.status == status, "\(answer.text)")
    let newest = await fixture.request("GET", "/v6/templates/welcome").json["template"]
    #expect(newest?["version"] == (status == 200 ? 3 : 2))
    if header == "If-Match", status == 412 {
      let deleted = await fixture.request(
        "DELETE", "/v6/templates/welcome", headers: [(header, value)])
      #expect(deleted.status == 412)
    }
  }

  @Test(
    "the first save can demand that there is no such template, and a read knows what is unchanged")
  func first() async throws {
    let fixture = try await Fixture()
    let headers = [("If-None-Match", "*")]
    #expect(await put("welcome", ["alert": "Hi"], headers: headers, fixture).status == 200)
    #expect(await put("welcome", ["alert": "Hi"], headers: headers, fixture).status == 412)
    let missing = await put("other", ["alert": "Hi"], headers: [("If-Match", "\"1\"")], fixture)
    #expect(missing.status == 412 && missing.error == "there is no template other")
    let same = await fixture.request(
      "GET", "/v6/templates/welcome", headers: [("If-None-Match", "\"1\"")])
    #expect(same.status == 304 && same.headers["ETag"] == "\"1\"")
  }

  @Test(
    "a name is 1 to 64 letters, digits and marks that stand in a path and before a version",
    arguments: [
      ("a", 200), ("A.b_c-9", 200), (String(repeating: "a", count: 64), 200),
      (String(repeating: "a", count: 65), 422), (".a", 422), ("a@1", 422), ("a%20b", 422),
      ("%C3%A9", 422), ("a%2Fb", 422),
    ])
  func names(name: String, status: Int) async throws {
    let fixture = try await Fixture()
    #expect(await put(name, ["alert": "Hi"], fixture).status == status)
  }

  @Test("a payload that cannot be sent is no template")
  func payloads() async throws {
    let fixture = try await Fixture()
    let refused = await put("welcome", ["alert": "{{ oops", "badge": "x"], fixture)
    #expect(refused.status == 422 || refused.status == 400)
    #expect(refused.error.contains("$.template.payload"))
    #expect(await fixture.request("GET", "/v6/templates").json["meta"]?["total"] == 0)
  }

  @Test("templates are listed by name in pages, and found by a part of it")
  func list() async throws {
    let fixture = try await Fixture()
    for number in 0..<(TemplateRoutes.pageSize + 2) {
      let name = "t\(String(repeating: "0", count: 3 - "\(number)".count))\(number)"
      _ = try await fixture.store.save(
        StoredTemplate(
          app: fixture.app.id, name: name, version: 0, payload: ["alert": "Hi"],
          savedAt: fixture.clock.now), after: nil)
    }
    let first = await fixture.request("GET", "/v6/templates").json
    #expect(first["templates"]?.array?.count == TemplateRoutes.pageSize)
    let cursor = try #require(first["meta"]?["cursor"]?.string)
    let second = await fixture.request("GET", "/v6/templates?cursor=\(cursor)").json
    #expect(second["templates"]?.array?.compactMap { $0["name"]?.string } == ["t100", "t101"])
    #expect(second["meta"]?["cursor"] == .null && second["meta"]?["total"] == 102)
    let found = await fixture.request("GET", "/v6/templates?q=T10").json["templates"]
    #expect(found?.array?.count == 2)
    // The cursor is one of the list of all templates.
    #expect(await fixture.request("GET", "/v6/templates?q=t&cursor=\(cursor)").status == 404)
  }

  // MARK: Campaigns

  private static func variants(_ template: JSONValue, _ more: [String: JSONValue] = [:])
    -> JSONValue
  {
    [.object(["key": "a", "template": template].merging(more) { $1 })]
  }

  @Test("a campaign sends the version that it was saved with, whatever becomes of the template")
  func campaign() async throws {
    let all = try await CampaignFixture(devices: 1)
    _ = await put("welcome", ["alert": "One"], all.fixture)
    let id = try await all.create(["variants": Self.variants("welcome")])
    let stored = await all.get("campaigns/\(id)")["campaign"]?["variants"]?.array?[0]
    #expect(stored?["template"] == "welcome@1" && stored?["payload"]?["alert"] == "One")
    _ = await put("welcome", ["alert": "Two"], all.fixture)
    _ = await all.fixture.request("DELETE", "/v6/templates/welcome")
    // What was read can be sent back, and names the version that it has.
    let again = CampaignFixture.document(["variants": .array([stored ?? .null])])
    let saved = await all.fixture.request("PUT", "/v6/campaigns/\(id)", body: again.text)
    #expect(saved.status == 200, "\(saved.text)")
    #expect(await all.post("campaigns/\(id)/start").status == 200)
    await all.deliver()
    #expect(Array(all.received.values) == [["One"]])
    // An old version is named although the template is no longer listed.
    let old = try await all.create(["variants": Self.variants("welcome@2")])
    _ = await all.post("campaigns/\(old)/test", ["to": "d0"])
    await all.deliver()
    #expect(Array(all.received.values) == [["One", "Two"]])
  }

  @Test("the messages of a triggered campaign come from templates too")
  func steps() async throws {
    let all = try await CampaignFixture(devices: 1)
    _ = await put("first", ["alert": "One"], all.fixture)
    let body: JSONValue = [
      "campaign": [
        "name": "Cart", "to": "*", "when": ["trigger": "api"],
        "steps": [["variants": Self.variants("first")]],
      ]
    ]
    let answer = await all.post("campaigns", body)
    let variant = answer.json["campaign"]?["steps"]?.array?[0]["variants"]?.array?[0]
    #expect(variant?["template"] == "first@1", "\(answer.text)")
  }

  @Test(
    "a template that is not there, or is not what the variant says, is refused",
    arguments: [
      (variants("none"), 404, "template none"), (variants("welcome@2"), 404, "template welcome@2"),
      (variants("welcome@0"), 422, "[0].template must be the name of a template"),
      (variants("wel come"), 422, "[0].template must be the name of a template"),
      (variants(5), 400, "[0].template must be a string"),
      (
        variants("welcome", ["payload": ["alert": "Other"]]), 422,
        "[0].payload differs from the template welcome@1"
      ),
      (
        [
          ["key": "a", "share": 50, "payload": ["alert": "A"]],
          ["key": "control", "share": 50, "template": "welcome"],
        ],
        422, "must not be: the control is sent nothing"
      ),
    ] as [(JSONValue, Int, String)])
  func refused(variants: JSONValue, status: Int, words: String) async throws {
    let all = try await CampaignFixture(devices: 1)
    _ = await put("welcome", ["alert": "One"], all.fixture)
    let answer = await all.post("campaigns", CampaignFixture.document(["variants": variants]))
    #expect(answer.status == status && answer.error.contains(words), "\(answer.text)")
  }
}
