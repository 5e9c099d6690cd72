import Foundation
import PushCrypto
import PushModel
import PushPayload
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import PushServer

@Suite("Keys that expire", .timeLimit(.minutes(10)))
struct KeyExpiryTests {
  private func makeKey(
    _ members: String, role: String = "push", in fixture: Fixture
  ) async -> Fixture.Answer {
    await fixture.request(
      "POST", "/v6/apps/\(fixture.app.id)/keys", role: .admin,
      body: #"{"key":{"role":"\#(role)",\#(members)}}"#)
  }

  private func headers(_ credentials: String) -> [(String, String)] {
    [("Authorization", Fixture.basic(credentials)), ("Content-Type", "application/json")]
  }

  @Test(
    "a key is taken until the instant at which it expires, and is 401 with a code from then on",
    arguments: ["push", "analytics", "device", "admin"])
  func instant(role: String) async throws {
    let fixture = try await Fixture()
    let end = fixture.clock.now + .seconds(60)
    let created = await makeKey(#""expires_at":"\#(end.iso8601)""#, role: role, in: fixture)
    #expect(created.status == 201)
    #expect(created.json["key"]?["expires_at"] == .string(end.iso8601))
    let key = created.json["key"]?["key"]?.string ?? ""
    let (method, path, body) =
      role == "analytics"
      ? ("GET", "/v6/stats/total_installs", "")
      : ("PUT", "/v6/devices/d", #"{"device":{"push_token":"aa"}}"#)
    func use(_ credentials: String) async -> Fixture.Answer {
      await fixture.request(method, path, role: nil, body: body, headers: headers(credentials))
    }
    fixture.clock.advance(by: .milliseconds(59_999))
    let before = await use(":" + key)
    #expect(before.status == 200, "\(before.text)")
    fixture.clock.advance(by: .milliseconds(1))
    for credentials in [":" + key, key, "x:" + key] {
      let refused = await use(credentials)
      #expect(refused.status == 401)
      #expect(refused.json == ["error": "unauthorized", "code": "key_expired"])
      #expect(refused.headers["WWW-Authenticate"] == "Basic")
    }
    fixture.clock.advance(by: .seconds(365 * 86_400))
    #expect(await use(":" + key).status == 401)
    // A valid key beside an expired one counts, and an unknown key learns nothing of this.
    let valid = try #require(fixture.keys[APIKey.Role(rawValue: role) ?? .push])
    #expect(await use("\(valid):\(key)").status == 200)
    #expect(await use(":none").text == #"{"error":"unauthorized"}"#)
  }

  @Test("the refusal of an expired key is audited with the key's id, and counted")
  func audited() async throws {
    let fixture = try await Fixture()
    let end = fixture.clock.now + .seconds(1)
    let created = await makeKey(#""expires_at":"\#(end.iso8601)""#, in: fixture)
    fixture.clock.advance(by: .seconds(1))
    let key = created.json["key"]?["key"]?.string ?? ""
    _ = await fixture.request(
      "GET", "/v6/notifications", role: nil, headers: headers(":" + key), from: "192.0.2.7")
    let entry = try #require(
      try await fixture.store.audit(app: fixture.app.id, after: nil, limit: 1).elements.first)
    #expect(entry.action == "key.refused")
    #expect(entry.key == created.json["key"]?["id"]?.string)
    #expect(entry.address == "192.0.2.7")
    let metrics = MetricsPage(version: "0").text(fixture.router.metrics).text
    #expect(metrics.contains(#"martlet_refused_credentials_total{kind="key"} 1"#))
    // The key stays in the list, where its end can be read.
    let list = await fixture.request("GET", "/v6/apps/\(fixture.app.id)/keys", role: .admin)
    #expect(
      list.json["keys"]?.array?.compactMap { $0["expires_at"]?.string } == [end.iso8601])
  }

  @Test(
    "an expiry that is no date or not in the future is refused with its JSON path",
    arguments: [
      (#""expires_at":5"#, 400, "$.key.expires_at must be a string, not a number"),
      (#""expires_at":"soon""#, 422, "$.key.expires_at must be an ISO 8601 date"),
      (#""expires_at":"NOW""#, 422, "$.key.expires_at must be in the future"),
      (#""expires_at":"1999-12-31""#, 422, "$.key.expires_at must be in the future"),
      (#""expires_at":null"#, 201, ""),
    ])
  func refusals(members: String, status: Int, error: String) async throws {
    let fixture = try await Fixture()
    let members = members.replacing("NOW", with: fixture.clock.now.iso8601)
    let answer = await makeKey(members, in: fixture)
    #expect(answer.status == status)
    #expect(answer.error == error)
    if status == 201 { #expect(answer.json["key"]?["expires_at"] == nil) }
  }

  @Test("an event stream ends when its key expires")
  func stream() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let sent = await fixture.send(["alert": "Hi"])
    let send = try #require(
      try await fixture.store.send(sent.json["id"]?.string ?? "", app: fixture.app.id))
    let (_, key) = APIKey.make(
      role: .push, app: fixture.app.id,
      limits: .init(expiresAt: fixture.clock.now + .milliseconds(1000)), at: fixture.clock.now)
    try await fixture.store.add(key)
    let isAllowed = fixture.router.isAdmitted(key)
    var watch = SendWatch(send: send, store: fixture.store, clock: fixture.clock.serverClock)
    watch.isAllowed = isAllowed
    var events = watch.events().makeAsyncIterator()
    #expect(await events.next() != nil)
    try await until { fixture.clock.sleeperCount == 1 }
    fixture.clock.advance(by: .milliseconds(999))
    #expect(try await isAllowed())
    try await until { fixture.clock.sleeperCount == 1 }
    fixture.clock.advance(by: .milliseconds(500))
    #expect(try await !isAllowed())
    #expect(await events.next() == nil)
  }

  @Test("a session of the dashboard ends with its key, which cannot sign in again")
  func session() async throws {
    let fixture = try await Fixture()
    let (key, record) = APIKey.make(
      role: .admin, app: fixture.app.id,
      limits: .init(expiresAt: fixture.clock.now + .seconds(60)), at: fixture.clock.now)
    try await fixture.store.add(record)
    let browser = DashboardClient(fixture)
    #expect(await browser.signIn(key).status == 303)
    let settings = await browser.get("/apps/\(fixture.app.id)/settings")
    #expect(settings.status == 200)
    #expect(settings.text.contains("Expires <time "))
    fixture.clock.advance(by: .milliseconds(59_999))
    #expect(await browser.get("/apps/\(fixture.app.id)/settings").status == 200)
    fixture.clock.advance(by: .milliseconds(1))
    #expect(await browser.get("/apps/\(fixture.app.id)/settings").status == 401)
    let again = DashboardClient(fixture)
    _ = await again.get("/sign-in")
    let refused = await again.post("/sign-in", ["key": key])
    #expect(refused.status == 401 && refused.text.contains("has expired"))
  }

  @Test("a key made in Settings expires at the start of a day, which must be in the future")
  func settings() async throws {
    let fixture = try await Fixture()
    let browser = try await DashboardClient.signedIn(fixture)
    let path = browser.path("settings")
    _ = await browser.get(path)
    let past = await browser.post(
      path, ["action": "make-key", "role": "push", "expires": "2023-11-14"])
    #expect(past.status == 422 && past.text.contains("must be in the future"))
    #expect(past.text.contains("value=\"2023-11-14\""))
    let made = await browser.post(
      path, ["action": "make-key", "role": "push", "expires": "2100-01-31"])
    #expect(made.status == 200)
    let ends = try await fixture.store.keys(app: fixture.app.id).compactMap(\.limits.expiresAt)
    #expect(ends.map(\.iso8601) == ["2100-01-31T00:00:00.000Z"])
    #expect(await browser.get(path).text.contains("datetime=\"2100-01-31T00:00:00"))
  }

  @Test("an identity key verifies user tokens until the instant at which it expires")
  func identity() async throws {
    let fixture = try await Fixture()
    let path = "/v6/apps/\(fixture.app.id)/identity_keys"
    let pem = OpenSSLCrypto.makeP256KeyPEM()
    let end = fixture.clock.now + .seconds(60)
    func add(_ expiry: String) async throws -> Fixture.Answer {
      let body: JSONValue = [
        "identity_key": [
          "public_key": .string(try OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: pem)),
          "expires_at": .string(expiry),
        ]
      ]
      return await fixture.request("POST", path, role: .admin, body: body.text)
    }
    let late = try await add(fixture.clock.now.iso8601)
    #expect(late.error == "$.identity_key.expires_at must be in the future")
    let added = try await add(end.iso8601)
    #expect(added.status == 201)
    #expect(added.json["identity_key"]?["expires_at"] == .string(end.iso8601))
    let claims: JSONValue = [
      "sub": "ada", "aud": .string(fixture.app.bundleID),
      "exp": .integer(end.milliseconds / 1000 + 600),
    ]
    let signed =
      Base64URL.encode(Array(#"{"alg":"ES256"}"#.utf8)) + "." + Base64URL.encode(claims.bytes)
    let signature = try OpenSSLCrypto().privateKey(pem: pem).signature(for: Array(signed.utf8))
    let token = signed + "." + Base64URL.encode(signature)
    func reason(_ device: String) async -> String? {
      let answer = await fixture.request(
        "PUT", "/v6/devices/\(device)", role: .device,
        body: #"{"device":{"push_token":"aa\#(device)","user_id":"ada"}}"#,
        headers: [("Content-Type", "application/json"), (UserProof.header, token)])
      return answer.json["dropped"]?.array?.first?["reason"]?.string
    }
    fixture.clock.advance(by: .milliseconds(59_999))
    #expect(await reason("01") == nil)
    fixture.clock.advance(by: .milliseconds(1))
    #expect(
      await reason("02")
        == "is not proven: Martlet-User-Token cannot be verified: the app's identity keys have expired"
    )
  }
}
