import PushModel
import PushPayload
import PushServer
import Testing

@Suite("Apps and keys over the API", .timeLimit(.minutes(10)))
struct AppRoutesTests {
  private func body(_ edit: (inout [String: JSONValue]) -> Void = { _ in }) -> String {
    let app = Fixture.newApp("com.example.new")
    var members: [String: JSONValue] = [
      "bundle_id": .string(app.bundleID), "team_id": .string(app.teamID),
      "key_id": .string(app.keyID), "private_key": .string(app.privateKey),
    ]
    edit(&members)
    return JSONValue.object(["app": .object(members)]).text
  }

  @Test("an app created over HTTP has a working key for each role, and its p8 is never shown")
  func create() async throws {
    let fixture = try await Fixture()
    let created = await fixture.request("POST", "/v6/apps", role: .server, body: body())
    #expect(created.status == 201)
    let keys = try #require(created.json["keys"]?.object)
    #expect(Set(keys.keys) == ["push", "analytics", "device", "admin"])
    for (role, key) in keys {
      let answer = await fixture.request(
        "GET", "/v6/notifications", role: nil,
        headers: [("Authorization", Fixture.basic(":" + (key.string ?? "")))])
      #expect(answer.status == (["push", "admin"].contains(role) ? 200 : 403))
    }
    let list = await fixture.request("GET", "/v6/apps", role: .server)
    #expect(list.json["apps"]?.array?.count == 2)
    let ids = list.json["apps"]?.array?.compactMap { $0["id"] } ?? []
    #expect(created.json["id"].map(ids.contains) == true)
    #expect(!list.text.contains("PRIVATE KEY"))
    for key in keys.values { #expect(!list.text.contains(key.string ?? "?")) }
  }

  @Test("a revoked key is refused, and a deleted app does not exist")
  func removal() async throws {
    let fixture = try await Fixture()
    let path = "/v6/apps/\(fixture.app.id)"
    let made = await fixture.request(
      "POST", path + "/keys", role: .admin, body: #"{"key":{"role":"push"}}"#
    ).json["key"]
    let header = [("Authorization", Fixture.basic(":" + (made?["key"]?.string ?? "")))]
    func list() async -> Int {
      await fixture.request("GET", "/v6/notifications", role: nil, headers: header).status
    }
    #expect(await list() == 200)
    let keyPath = path + "/keys/\(made?["id"]?.string ?? "")"
    let revoked = await fixture.request("DELETE", keyPath, role: .admin)
    #expect(revoked.status == 200 && revoked.json["key"]?["id"] == made?["id"])
    #expect(revoked.json["key"]?["key"] == nil)
    #expect(await list() == 401)
    #expect(await fixture.request("DELETE", keyPath, role: .admin).status == 404)

    let log = await fixture.request("GET", "/v6/audit", role: .admin).json
    #expect(log["entries"]?.array?.map { $0["action"] } == ["key.revoke", "key.create"])
    #expect(log["meta"] == ["cursor": .null, "total": 2])

    #expect(await fixture.request("DELETE", path, role: .admin).status == 403)
    let deleted = await fixture.request("DELETE", path, role: .server)
    #expect(deleted.json["app"]?["id"] == .string(fixture.app.id))
    #expect(await fixture.request("DELETE", path, role: .server).status == 404)
    #expect(await fixture.request("GET", "/v6/notifications").status == 401)
    let own = await fixture.request("GET", "/v6/audit", role: .server).json
    let actions = own["entries"]?.array?.map { $0["action"] ?? .null } ?? []
    #expect(actions.first { $0 != "key.refused" } == "app.delete")
    // The request with the key of the deleted app.
    #expect(actions.first == "key.refused")
  }

  @Test("an app that could not push is refused, naming the field")
  func refusals() async throws {
    let fixture = try await Fixture()
    let table: [(String, JSONValue?, Int, String)] = [
      ("bundle_id", nil, 422, "$.app.bundle_id is missing"),
      ("bundle_id", "a b", 422, "$.app.bundle_id must be a bundle id such as com.example.app"),
      ("team_id", 5, 400, "$.app.team_id must be a string, not a number"),
      ("key_id", "", 422, "$.app.key_id must be the key id of 10 capital letters and digits"),
      ("team_id", "T", 422, "$.app.team_id must be the team id of 10 capital letters and digits"),
      (
        "team_id", "TEAM12345", 422,
        "$.app.team_id must be the team id of 10 capital letters and digits"
      ),
      (
        "team_id", "TEAM1234567", 422,
        "$.app.team_id must be the team id of 10 capital letters and digits"
      ),
      (
        "key_id", "key1234567", 422,
        "$.app.key_id must be the key id of 10 capital letters and digits"
      ),
      ("name", "", 422, "$.app.name must be 1 to 100 characters"),
    ]
    for (field, value, status, error) in table {
      let answer = await fixture.request(
        "POST", "/v6/apps", role: .server, body: body { $0[field] = value })
      #expect(answer.status == status)
      #expect(answer.error == error)
    }
    let key = await fixture.request(
      "POST", "/v6/apps", role: .server, body: body { $0["private_key"] = "secret text" })
    #expect(key.status == 422)
    #expect(key.error.hasPrefix("$.app.private_key must be the text of a p8 file"))
    #expect(!key.error.contains("secret text"))
  }

  @Test("a key is shown once and works; the list names it without it")
  func keys() async throws {
    let fixture = try await Fixture()
    let path = "/v6/apps/\(fixture.app.id)/keys"
    let created = await fixture.request(
      "POST", path, role: .admin, body: #"{"key":{"role":"push"}}"#)
    #expect(created.status == 201)
    let key = try #require(created.json["key"]?["key"]?.string)
    let used = await fixture.request(
      "GET", "/v6/notifications", role: nil,
      headers: [("Authorization", Fixture.basic("\(key):"))])
    #expect(used.status == 200)
    let list = await fixture.request("GET", path, role: .server)
    #expect(list.json["keys"]?.array?.count == 5)
    #expect(!list.text.contains(key))
    for role in ["server", "king"] {
      let refused = await fixture.request(
        "POST", path, role: .server, body: #"{"key":{"role":"\#(role)"}}"#)
      #expect(refused.error == "$.key.role must be one of push, analytics, device, admin")
    }
    #expect(await fixture.request("GET", "/v6/apps/none/keys", role: .server).status == 404)
  }
}
