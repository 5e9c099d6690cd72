import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer
@testable import _HTTPServer

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

  @Test(
    "a key that is revoked, or expires, between the head and the body does nothing",
    arguments: [true, false])
  func endsBeforeBody(isRevoked: Bool) async throws {
    let fixture = try await Fixture()
    let (app, router) = (fixture.app.id, fixture.router)
    let path = "/v6/apps/\(app)/keys"
    let end = fixture.clock.now + .seconds(60)
    let made = await fixture.request(
      "POST", path, role: .admin,
      body: #"{"key":{"role":"admin","expires_at":"\#(end.iso8601)"}}"#)
    let key = try #require(made.json["key"]?["key"]?.string)
    let id = try #require(made.json["key"]?["id"]?.string)
    func head(_ method: String, _ path: String, _ name: String, _ value: String) -> HTTPRequest {
      HTTPRequest(
        method: method, path: path,
        headers: [
          (name: "Authorization", value: Fixture.basic(":" + key)), (name: name, value: value),
        ])
    }
    let other = try #require(try await fixture.store.keys(app: app).first { $0.role == .push }).id
    var creation = head("POST", path, "Content-Type", "application/json")
    let removal = head("DELETE", path + "/" + other, "Transfer-Encoding", "chunked")
    var upload = head("POST", DeviceRoutes.importPath, "Content-Type", "text/csv")
    let pieces = IncomingBody(resume: {})
    upload.incoming = pieces
    guard case .handle(let create) = await router.admit(creation),
      case .handle(let remove) = await router.admit(removal),
      case .handle(let load) = await router.admit(upload)
    else {
      Issue.record("a head is refused")
      return
    }
    _ = pieces.append(ArraySlice("token,os_name\naa,iOS\n".utf8))
    let loading = Task { [upload] in await load(upload) }
    try await until { pieces.waitingCount == 0 }
    if isRevoked {
      #expect(try await fixture.store.revokeKey(id, app: app))
    } else {
      fixture.clock.advance(by: .seconds(60))
    }
    let before = try await fixture.store.keys(app: app).map(\.id)
    creation.body = Array(#"{"key":{"role":"admin"}}"#.utf8)
    #expect(await create(creation).status == 401)
    #expect(await remove(removal).status == 401)
    _ = pieces.append(ArraySlice("bb,iOS\n".utf8))
    pieces.end()
    #expect(await loading.value.status == 401)
    #expect(try await fixture.store.keys(app: app).map(\.id) == before)
    #expect(try await fixture.store.deviceCount(app: app) == 0)
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
