import NetworkAddresses
import PushModel
import PushPayload
import PushStore
import TestSupport
import Testing
import _HTTPServer
import _PostgreSQL

@testable import PushServer

@Suite(
  "Keys that another node of a PostgreSQL store changes", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct RevokedKeyTests {
  /// A request with the key, which a handler would answer differently.
  struct Update: Sendable {
    var name: String
    var path = "/v6/devices/d"
    var body = #"{"device":{"locale":"de"}}"#
    var type = "application/json"
    /// The status of the answer while the key is valid.
    var status = 200
  }

  static let updates = [
    Update(name: "an update"), Update(name: "a new device", path: "/v6/devices/new"),
    Update(name: "an opening", body: #"{"device":{"opened":true}}"#),
    Update(name: "a body that is not JSON", body: "{", status: 400),
    Update(name: "an unknown member", body: #"{"device":{"lokale":"de"}}"#, status: 422),
    Update(name: "another media type", type: "text/plain", status: 415),
    Update(name: "an unknown parameter", path: "/v6/devices/d?x=1", status: 422),
    Update(name: "an id with a space", path: "/v6/devices/a%20b", status: 422),
    Update(name: "an erased device", path: "/v6/devices/erased", status: 451),
  ]

  @Test(
    "a key that another node revoked is refused at once, whatever the request, and nothing changes",
    arguments: [APIKey.Role.push, .device])
  func revoked(role: APIKey.Role) async throws {
    try await Nodes.run { nodes in
      let other = nodes.other
      let now = nodes.fixture.clock.now
      _ = try await other.update(device: "erased", app: nodes.app, DevicePatch(), at: now)
      _ = try await other.erase(device: "erased", app: nodes.app, at: now)
      for update in Self.updates {
        let (key, record) = try await nodes.makeKey(role)
        #expect(await nodes.put(Update(name: ""), key).status == 200)
        let answer = await nodes.put(update, key)
        #expect(answer.status == update.status, "\(update.name): \(answer.text)")
        #expect(try await other.revokeKey(record.id, app: nodes.app))
        let last = try await other.lastChange(app: nodes.app)
        for _ in 0..<2 {
          let refused = await nodes.put(update, key)
          #expect(refused.status == 401, "\(update.name): \(refused.text)")
        }
        #expect(try await other.lastChange(app: nodes.app) == last)
      }
      // Each refusal is counted once.
      let metrics = MetricsPage(version: "0").text(nodes.router.metrics).text
      let refusals = 2 * Self.updates.count
      #expect(metrics.contains("martlet_refused_credentials_total{kind=\"key\"} \(refusals)\n"))
    }
  }

  @Test("a key that has another role, address or end by now counts as it is stored")
  func changed() async throws {
    let changes = [
      ("role = 'analytics'", 403), ("allow = '[\"192.0.2.1\"]'", 403), ("expires_at = 1", 401),
      ("role = 'admin'", 200), ("app = 'other'", 200),
    ]
    try await Nodes.run { nodes in
      var other = nodes.created.app
      other.id = "other"
      try await nodes.other.add(other, keys: [])
      for (change, status) in changes {
        let (key, record) = try await nodes.makeKey(.push)
        #expect(await nodes.put(Update(name: ""), key).status == 200)
        let last = try await nodes.other.lastChange(app: nodes.app)
        _ = try await nodes.cluster.query(
          "UPDATE keys SET \(change) WHERE id = '\(record.id)' RETURNING id")
        let answer = await nodes.put(Update(name: ""), key)
        #expect(answer.status == status, "\(change): \(answer.text)")
        let isOwn = status == 200 && !change.hasPrefix("app")
        #expect(try await nodes.other.lastChange(app: nodes.app) == last + (isOwn ? 1 : 0))
      }
      #expect(try await nodes.other.deviceCount(app: "other") == 1)
    }
  }

  @Test("a key is refused from its end on, and to addresses that it does not allow")
  func limits() async throws {
    try await Nodes.run { nodes in
      let (key, _) = try await nodes.makeKey(.push) { limits, now in
        limits.expiresAt = now + .seconds(60)
        limits.allow = ["127.0.0.0/8"].compactMap { .init($0) }
      }
      #expect(await nodes.put(Update(name: ""), key).status == 200)
      #expect(await nodes.put(Update(name: ""), key, from: "192.0.2.1").status == 403)
      nodes.fixture.clock.advance(by: .milliseconds(59_999))
      #expect(await nodes.put(Update(name: ""), key).status == 200)
      nodes.fixture.clock.advance(by: .milliseconds(1))
      let expired = await nodes.put(Update(name: ""), key)
      #expect(expired.status == 401 && expired.json["code"] == "key_expired")
    }
  }

  @Test("a password that is a key counts before a user name that is one, and a wrong one does not")
  func credentials() async throws {
    try await Nodes.run { nodes in
      let (push, _) = try await nodes.makeKey(.push)
      let (analytics, _) = try await nodes.makeKey(.analytics)
      #expect(await nodes.put(Update(name: ""), push).status == 200)
      #expect(await nodes.put(Update(name: ""), credentials: "\(push):\(analytics)").status == 403)
      #expect(await nodes.put(Update(name: ""), credentials: "\(analytics):\(push)").status == 200)
      #expect(await nodes.put(Update(name: ""), credentials: "\(push):wrong").status == 200)
      #expect(await nodes.put(Update(name: ""), credentials: push).status == 200)
      #expect(await nodes.put(Update(name: ""), credentials: "x:wrong").status == 401)
      let (revoked, record) = try await nodes.makeKey(.push)
      #expect(await nodes.put(Update(name: ""), revoked).status == 200)
      #expect(try await nodes.other.revokeKey(record.id, app: nodes.app))
      #expect(await nodes.put(Update(name: ""), credentials: "\(push):\(revoked)").status == 200)
      #expect(await nodes.put(Update(name: ""), credentials: "x:\(revoked)").status == 401)
    }
  }
}

/// A node whose API is called, and the store of another one in the same database.
private struct Nodes {
  let fixture: Fixture
  let cluster: PostgreSQLCluster
  let store: PostgreSQLPushStore
  let other: PostgreSQLPushStore
  let created: CreatedApp
  let router: Router

  var app: String { created.app.id }

  static func run(_ body: (Nodes) async throws -> Void) async throws {
    try await PostgreSQLCluster().use { cluster in try await body(Nodes(cluster)) }
  }

  private init(_ cluster: PostgreSQLCluster) async throws {
    self.cluster = cluster
    fixture = try await Fixture()
    store = try await PostgreSQLPushStore(url: cluster.url, patience: .zero)
    other = try await PostgreSQLPushStore(url: cluster.url)
    created = try Fixture.newApp().make(at: fixture.clock.now, sealedWith: fixture.secretKey)
    try await other.add(created.app, keys: [])
    router = Router(
      Actions(store: store, secretKey: fixture.secretKey, clock: fixture.clock.serverClock))
  }

  func makeKey(
    _ role: APIKey.Role, _ limit: (inout APIKey.Limits, Timestamp) -> Void = { _, _ in }
  ) async throws -> (key: String, record: APIKey) {
    var limits = APIKey.Limits()
    limit(&limits, fixture.clock.now)
    let made = APIKey.make(role: role, app: app, limits: limits, at: fixture.clock.now)
    try await other.add(made.record)
    return made
  }

  func put(
    _ update: RevokedKeyTests.Update, _ key: String, from address: String = "127.0.0.1"
  ) async -> Fixture.Answer {
    await put(update, credentials: ":" + key, from: address)
  }

  func put(
    _ update: RevokedKeyTests.Update, credentials: String, from address: String = "127.0.0.1"
  ) async -> Fixture.Answer {
    let headers = [("Authorization", Fixture.basic(credentials)), ("Content-Type", update.type)]
    return await fixture.request(
      "PUT", update.path, role: nil, body: update.body, headers: headers, from: address, to: router)
  }
}
