import Foundation
import PushModel
import PushPayload
import Synchronization
import Testing

@testable import PushServer

@Suite("Roles and rate limits", .timeLimit(.minutes(10)))
struct RolesTests {
  static let forbidden = #"{"error":"your api client does not have the correct roles"}"#
  static let send = #"{"notification":{"to":"*","payload":{"alert":"Hi"}}}"#
  static let device = #"{"device":{"user_id":"u"}}"#

  struct Row: Sendable, CustomTestStringConvertible {
    var method: String
    var path: String
    var body = ""
    var type = "application/json"
    var allowed: Set<APIKey.Role>
    var testDescription: String { "\(method) \(path)" }
  }

  static let matrix: [Row] = [
    Row(method: "POST", path: "/v6/notifications", body: send, allowed: [.push, .admin]),
    Row(method: "POST", path: "/v4/notifications", body: send, allowed: [.push, .admin]),
    Row(method: "GET", path: "/v6/notifications", allowed: [.push, .admin]),
    Row(method: "GET", path: "/v6/notifications/none", allowed: [.push, .admin]),
    Row(
      method: "GET", path: "/v6/explain?notification=none&device=none", allowed: [.push, .admin]),
    Row(method: "PUT", path: "/v6/devices/d", body: device, allowed: [.push, .device, .admin]),
    Row(method: "PUT", path: "/v5/devices/d", body: device, allowed: [.push, .device, .admin]),
    Row(method: "GET", path: "/v6/devices/d", allowed: [.push, .admin]),
    Row(method: "GET", path: "/v6/devices/d/messages", allowed: [.push, .admin]),
    Row(
      method: "POST", path: "/v6/devices/d/messages/read", body: #"{"ids":["m"]}"#,
      allowed: [.push, .admin]),
    Row(method: "DELETE", path: "/v6/devices/d/messages/m", allowed: [.push, .admin]),
    Row(method: "POST", path: "/v6/devices/d/sync", body: device, allowed: [.device, .admin]),
    Row(
      method: "POST", path: "/v6/devices/import", body: "token,os_name\n", type: "text/csv",
      allowed: [.admin, .server]),
    Row(
      method: "POST", path: "/v6/devices/import?app=another", body: "token,os_name\n",
      type: "text/csv", allowed: [.server]),
    Row(method: "GET", path: "/v6/apps", allowed: [.server]),
    Row(method: "GET", path: "/metrics", allowed: [.server, .metrics]),
    Row(method: "POST", path: "/v6/apps", body: "{}", allowed: [.server]),
    Row(
      method: "PUT", path: "/v6/apps/:app", body: #"{"app":{"name":"Storm"}}"#,
      allowed: [.server, .admin]),
    Row(
      method: "PUT", path: "/v6/apps/another", body: #"{"app":{}}"#, allowed: [.server]),
    Row(method: "GET", path: "/v6/apps/:app/keys", allowed: [.server, .admin]),
    Row(
      method: "POST", path: "/v6/apps/:app/keys", body: #"{"key":{"role":"push"}}"#,
      allowed: [.server, .admin]),
    Row(method: "GET", path: "/v6/apps/another/keys", allowed: [.server]),
    Row(
      method: "POST", path: "/v6/activities/order-1/notifications",
      body: #"{"activity":{"event":"end"}}"#, allowed: [.push, .admin]),
    Row(method: "GET", path: "/v6/activities/order-1", allowed: [.push, .admin]),
    Row(
      method: "PUT", path: "/v6/activities/order-1",
      body: #"{"activity":{"type":"Order","content_state":{}}}"#, allowed: [.push, .admin]),
    Row(method: "PUT", path: "/v6/activities/order-1/followers/d", allowed: [.admin]),
    Row(method: "DELETE", path: "/v6/activities/order-1/followers/d", allowed: [.admin]),
    Row(method: "GET", path: "/v6/apps/:app/channels", allowed: [.push, .admin]),
    Row(method: "GET", path: "/v6/apps/another/channels", allowed: []),
    Row(
      method: "POST", path: "/v6/apps/:app/channels", body: #"{"channel":{"storage":"none"}}"#,
      allowed: [.push, .admin]),
    Row(method: "DELETE", path: "/v6/apps/:app/channels/none", allowed: [.push, .admin]),
    Row(
      method: "PUT", path: "/v6/devices/d/activities/Order/start-token", body: #"{"token":"aa"}"#,
      allowed: [.admin]),
    Row(
      method: "DELETE", path: "/v6/devices/d/activities/Order/start-token", allowed: [.admin]),
    Row(
      method: "PUT", path: "/v6/activities/order-1/tokens/d",
      body: #"{"token":"aa","type":"Order"}"#, allowed: [.admin]),
    Row(method: "DELETE", path: "/v6/activities/order-1/tokens/d", allowed: [.admin]),
    Row(
      method: "PUT", path: "/v6/devices/d/reload-tokens/controls",
      body: #"{"tokens":[{"token":"aa","kind":"lamp"}]}"#, allowed: [.admin]),
    Row(
      method: "PUT", path: "/v6/devices/d/reload-tokens/widgets",
      body: #"{"tokens":[{"token":"aa"}]}"#, allowed: [.admin]),
    Row(
      method: "POST", path: "/v6/reloads", body: #"{"reload":{"type":"widgets","targets":"*"}}"#,
      allowed: [.push, .admin]),
  ]

  @Test("a key is compared by its whole hash", arguments: [0, 1, 15, 30, 31])
  func compared(place: Int) {
    let (key, record) = APIKey.make(role: .push, app: "a", at: Timestamp(milliseconds: 0))
    let hash = Identifiers.hash(ofKey: key)
    #expect(record.has(hash: hash))
    var other = hash
    other[place] ^= 1
    #expect(!record.has(hash: other))
    #expect(!record.has(hash: Array(hash.prefix(place))))
    #expect(!record.has(hash: hash + [0]))
  }

  @Test("each role can call its routes and no others", arguments: matrix)
  func reach(_ row: Row) async throws {
    let fixture = try await Fixture()
    let path = row.path.replacing(":app", with: fixture.app.id)
    for role in APIKey.Role.allCases {
      let answer = await fixture.request(
        row.method, path, role: role, body: row.body, headers: [("Content-Type", row.type)])
      if row.allowed.contains(role) {
        #expect(![401, 403].contains(answer.status), "\(role)")
      } else {
        #expect(answer.status == 403, "\(role)")
        #expect(answer.text == Self.forbidden, "\(role)")
      }
    }
    let nobody = await fixture.request(row.method, path, role: nil, body: row.body)
    #expect(nobody.status == 401)
    #expect(nobody.text == #"{"error":"unauthorized"}"#)
    #expect(nobody.headers["WWW-Authenticate"] == "Basic")
  }

  @Test("a refused request is logged with its key, route and address")
  func logged() async throws {
    let fixture = try await Fixture()
    let lines = Mutex<[RequestLine]>([])
    let router = Router(
      Actions(store: fixture.store, secretKey: fixture.secretKey, clock: fixture.clock.serverClock),
      requests: { line in lines.withLock { $0.append(line) } })
    let key = try #require(
      try await fixture.store.keys(app: fixture.app.id).first { $0.role == .analytics })
    for (role, status) in [(APIKey.Role?.some(.analytics), 403), (nil, 401)] {
      let answer = await fixture.request(
        "GET", "/v6/notifications", role: role, from: "192.0.2.7", to: router)
      #expect(answer.status == status)
      let line = try #require(lines.withLock { $0.popLast() })
      #expect(line.status == status && line.address == "192.0.2.7")
      #expect(line.route == "/v6/notifications")
      #expect(line.key == (role == nil ? nil : key.id))
    }
  }

  @Test("health needs no key")
  func open() async throws {
    let fixture = try await Fixture()
    for path in ["/healthz", "/readyz"] {
      #expect(await fixture.request("GET", path, role: nil).status == 200)
    }
  }

  @Test("a server is not ready until the devices of every app are indexed")
  func readiness() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    fixture.router.beginPreparing()
    let early = await fixture.request("GET", "/readyz", role: nil)
    #expect(early.status == 503 && early.headers["Retry-After"] != nil)
    #expect(await fixture.request("GET", "/healthz", role: nil).status == 200)
    await fixture.router.prepareAudiences()
    #expect(await fixture.request("GET", "/readyz", role: nil).status == 200)
  }

  @Test("the key is accepted as password, as user name, and beside a user name")
  func places() async throws {
    let fixture = try await Fixture()
    let key = fixture.keys[.push] ?? ""
    for credentials in [":\(key)", "\(key):", "com.example.weather:\(key)", key, "\(key):x"] {
      let answer = await fixture.request(
        "GET", "/v6/notifications", role: nil,
        headers: [("Authorization", Fixture.basic(credentials))])
      #expect(answer.status == 200, "\(credentials.prefix(4))")
    }
  }

  @Test(
    "an invalid key is refused",
    arguments: [
      "", "Basic", "Basic !!!", "Bearer abc", Fixture.basic(":wrong"), Fixture.basic(":"),
      "Basic " + String(repeating: "A", count: 4000),
    ])
  func wrong(header: String) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request(
      "GET", "/v6/notifications", role: nil, headers: [("Authorization", header)])
    #expect(answer.status == 401)
  }

  @Test("a device key cannot set development, and reads nothing back")
  func deviceKey() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d") { $0.userEmail = .set("secret@example.com") }
    let body = #"{"device":{"development":true,"user_id":"u"}}"#
    let reduced = await fixture.request("PUT", "/v6/devices/d", role: .device, body: body)
    #expect(reduced.status == 200)
    #expect(
      reduced.json["dropped"]?.array?.map { $0["path"] } == [
        "$.device.development", "$.device.user_id",
      ])
    let device = try await fixture.store.device("d", app: fixture.app.id)
    #expect(device?.isDevelopment == false && device?.userID == nil)

    let taken = await fixture.request(
      "PUT", "/v6/devices/d", role: .device, body: #"{"device":{"locale":"de"}}"#)
    #expect(taken.text == #"{"device":{"id":"d"},"dropped":[]}"#)
    #expect(try await fixture.store.device("d", app: fixture.app.id)?.locale == "de")
  }

  @Test("a device key for development sets development, and no other key is made so")
  func developmentKey() async throws {
    let fixture = try await Fixture()
    func make(_ role: String) async -> Fixture.Answer {
      await fixture.request(
        "POST", "/v6/apps/\(fixture.app.id)/keys", role: .admin,
        body: #"{"key":{"role":"\#(role)","development":true}}"#)
    }
    for role in ["server", "metrics"] {
      let refused = await make(role)
      #expect(refused.status == 422)
      #expect(refused.error == "$.key.role must be one of push, analytics, device, admin")
    }
    for role in ["push", "analytics", "admin"] {
      let refused = await make(role)
      #expect(refused.status == 422)
      #expect(refused.error == "$.key.development is for a key of the role device only")
    }
    let made = await make("device").json["key"]
    #expect(made?["development"] == true)
    let key = try #require(made?["key"]?.string)
    let keys = await fixture.request("GET", "/v6/apps/\(fixture.app.id)/keys", role: .admin)
    let marks = keys.json["keys"]?.array?.map { $0["development"]?.bool ?? false } ?? []
    #expect(marks.count(where: \.self) == 1 && marks.count == 5)
    for (method, path) in [("PUT", "/v6/devices/d"), ("POST", "/v6/devices/e/sync")] {
      let answer = await fixture.request(
        method, path, role: nil, body: #"{"device":{"development":true,"user_id":"u"}}"#,
        headers: [
          ("Content-Type", "application/json"), ("Authorization", Fixture.basic(":" + key)),
        ])
      #expect(answer.status == 200)
      // It is a device key in all else.
      #expect(answer.json["dropped"]?.array?.map { $0["path"] } == ["$.device.user_id"])
      let id = String(path.split(separator: "/")[2])
      #expect(try await fixture.store.device(id, app: fixture.app.id)?.isDevelopment == true)
    }
  }

  @Test("a device key is limited for each address, other keys are not")
  func limited() async throws {
    let fixture = try await Fixture()
    var statuses: [Int] = []
    for _ in 0...RateLimiterProbe.burst {
      statuses.append(
        await fixture.request("PUT", "/v6/devices/d", role: .device, body: Self.device).status)
    }
    #expect(statuses.dropLast().allSatisfy { $0 == 200 })
    #expect(statuses.last == 429)
    let refused = await fixture.request("PUT", "/v6/devices/d", role: .device, body: Self.device)
    #expect(refused.headers["Retry-After"] == "1")
    #expect(await fixture.request("PUT", "/v6/devices/d", body: Self.device).status == 200)
    fixture.clock.advance(by: .seconds(1))
    let again = await fixture.request("PUT", "/v6/devices/d", role: .device, body: Self.device)
    #expect(again.status == 200)
  }
}
