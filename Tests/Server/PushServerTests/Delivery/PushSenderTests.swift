import APNs
import APNsSandbox
import PushModel
import Synchronization
import Testing
import _OpenSSLCrypto
import _TLS

@testable import PushServer

@Suite("The sender to APNs", .timeLimit(.minutes(10)))
struct PushSenderTests {
  @Test("a changed app keeps its client, and another key only opens new connections")
  func rotation() async throws {
    let fixture = try await Fixture()
    let newKey = OpenSSLCrypto.makeP256KeyPEM()
    let teamID = fixture.app.teamID
    let apns = try await LocalAPNs(for: fixture.newApp) {
      $0.providerKeys.append(.init(teamID: teamID, keyID: "NEW1234567", pem: newKey))
    }
    let metrics = ServerMetrics()
    let sender = APNsSender(
      endpoints: .init(production: apns.endpoint, extraTrustPEM: apns.authority.certificatePEM),
      secretKey: fixture.secretKey, metrics: metrics)
    func send(_ app: App, of sendClass: SendClass = .transactional) async throws -> Int? {
      let push = APNsNotification(
        deviceToken: "0a0b", topic: app.bundleID, payload: Array(#"{"aps":{"alert":"Hi"}}"#.utf8))
      return try await sender.send([push], of: sendClass, for: app, development: false).first?
        .status
    }
    /// The number of open connections, and of those opened so far.
    func connections() -> Set<Substring> {
      let lines = MetricsPage(version: "0").text(metrics).text.split(separator: "\n")
      return Set(lines.filter { $0.hasPrefix("martlet_apns_connections") })
    }
    var app = fixture.app
    #expect(try await send(app) == 200)
    app.name = "Renamed"
    #expect(try await send(app) == 200)
    #expect(
      connections() == ["martlet_apns_connections 1", "martlet_apns_connections_opened_total 1"])

    app.keyID = "NEW1234567"
    app.sealedKey = fixture.secretKey.seal(newKey, for: app.id)
    #expect(try await send(app) == 200)
    #expect(
      connections() == ["martlet_apns_connections 1", "martlet_apns_connections_opened_total 2"])
    let text = MetricsPage(version: "0").text(metrics).text
    let label = #"{topic="\#(app.bundleID)",status="200",reason=""}"#
    #expect(text.contains("martlet_pushes_total\(label) 3\n"), "\(text)")
    #expect(text.contains("martlet_push_duration_seconds_count{status=\"200\"} 3\n"), "\(text)")

    app.sealedKey = fixture.secretKey.seal("no key", for: app.id)
    await #expect(throws: APNsError.self) { try await send(app) }
    await sender.close()
    await apns.stop()
  }

  @Test("each class of sends has connections of its own")
  func classes() async throws {
    let fixture = try await Fixture()
    let apns = try await LocalAPNs(for: fixture.newApp)
    let metrics = ServerMetrics()
    let sender = APNsSender(
      endpoints: .init(production: apns.endpoint, extraTrustPEM: apns.authority.certificatePEM),
      secretKey: fixture.secretKey, metrics: metrics)
    for sendClass in SendClass.allCases + SendClass.allCases {
      let push = APNsNotification(
        deviceToken: "0a0b", topic: fixture.app.bundleID,
        payload: Array(#"{"aps":{"alert":"Hi"}}"#.utf8))
      let outcomes = try await sender.send(
        [push], of: sendClass, for: fixture.app, development: false)
      #expect(outcomes.map(\.status) == [200])
    }
    let text = MetricsPage(version: "0").text(metrics).text
    #expect(text.contains("martlet_apns_connections_opened_total 2\n"), "\(text)")
    await sender.close()
    await apns.stop()
  }

  @Test("a changed key is taken once, though batches that were leased before have the old one")
  func staleApp() async throws {
    let fixture = try await Fixture()
    let newKey = OpenSSLCrypto.makeP256KeyPEM()
    let teamID = fixture.app.teamID
    let apns = try await LocalAPNs(for: fixture.newApp) {
      $0.providerKeys.append(.init(teamID: teamID, keyID: "NEW1234567", pem: newKey))
    }
    let metrics = ServerMetrics()
    let sender = APNsSender(
      endpoints: .init(production: apns.endpoint, extraTrustPEM: apns.authority.certificatePEM),
      secretKey: fixture.secretKey, store: fixture.store, metrics: metrics)
    func send(_ app: App) async throws {
      let push = APNsNotification(
        deviceToken: "0a0b", topic: app.bundleID, payload: Array(#"{"aps":{"alert":"Hi"}}"#.utf8))
      let outcomes = try await sender.send(
        [push], of: .transactional, for: app, development: false)
      #expect(outcomes.map(\.status) == [200])
    }
    func expectOpened(_ count: Int) {
      let text = MetricsPage(version: "0").text(metrics).text
      #expect(text.contains("martlet_apns_connections_opened_total \(count)\n"), "\(text)")
    }
    try await send(fixture.app)
    // The same key, encrypted anew as by `secret-key rotate`.
    var resealed = fixture.app
    resealed.sealedKey = fixture.secretKey.seal(
      try fixture.secretKey.privateKey(of: fixture.app), for: fixture.app.id)
    #expect(try await fixture.store.update(resealed, from: fixture.app))
    try await send(resealed)
    expectOpened(1)

    var changed = fixture.app
    changed.keyID = "NEW1234567"
    changed.sealedKey = fixture.secretKey.seal(newKey, for: changed.id)
    #expect(try await fixture.store.update(changed, from: resealed))
    for app in [changed, fixture.app, changed, fixture.app] { try await send(app) }
    expectOpened(2)
    await sender.close()
    await apns.stop()
  }

  @Test("a client that was not used for more than a day is closed when another one is made")
  func unused() async throws {
    let fixture = try await Fixture()
    let apns = try await LocalAPNs(for: fixture.newApp)
    let now = Mutex(ContinuousClock.now)
    let sender = APNsSender(
      endpoints: .init(production: apns.endpoint, extraTrustPEM: apns.authority.certificatePEM),
      secretKey: fixture.secretKey, now: { now.withLock(\.self) })
    let key = try fixture.secretKey.privateKey(of: fixture.app)
    func send(_ id: String) async throws {
      var app = fixture.app
      app.id = id
      app.sealedKey = fixture.secretKey.seal(key, for: id)
      let push = APNsNotification(
        deviceToken: "0a0b", topic: app.bundleID, payload: Array(#"{"aps":{"alert":"Hi"}}"#.utf8))
      let outcomes = try await sender.send(
        [push], of: .transactional, for: app, development: false)
      #expect(outcomes.map(\.status) == [200])
    }
    try await send("a")
    now.withLock { $0 += APNsSender.longestIdle }
    try await send("b")
    #expect(sender.clientCount == 2, "one that was used a day ago is kept")
    now.withLock { $0 += .seconds(1) }
    try await send("c")
    #expect(sender.clientCount == 2)
    await sender.close()
    await apns.stop()
  }
}
