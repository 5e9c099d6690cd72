import APNsTestSupport
import APNs
import APNsSandbox
import Glibc
import Synchronization
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import APNs

@Suite("Rotating credentials", .timeLimit(.minutes(10)))
struct RotationTests {
  @Test("no push in flight or waiting is lost, and the new key gets its own connection")
  func rotation() async throws {
    let arrived = Counter()
    let newKey = OpenSSLCrypto.makeP256KeyPEM()
    let fixture = try await SandboxFixture.start {
      $0.latency = .fixed(.milliseconds(30))
      $0.maxStreams = 50
      $0.providerKeys.append(.init(teamID: "TEAM123456", keyID: "NEW1234567", pem: newKey))
      $0.journal = { _ in _ = arrived.next() }
    }
    let client = try fixture.client { $0.maxConnections = 1 }
    async let old = client.send(pushes(1000))
    try await until { arrived.count >= 100 }
    let credentials = ProviderTokenCredentials(
      teamID: "TEAM123456", keyID: "NEW1234567", privateKeyPEM: newKey)
    async let rotated: Void = client.rotate(to: .token(credentials))
    var late: [APNsOutcome] = []
    for _ in 0..<20 { late += await client.send(pushes(10)) }
    try await rotated
    #expect(Set(await old.map(\.status)) == [200])
    #expect(Set(late.map(\.status)) == [200])
    #expect(fixture.record.counts.count == 1200)
    #expect(Set(fixture.record.counts.values) == [1])
    #expect(await client.send(push()).isSuccess)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("new credentials are used at once, though an answer to the old ones is due")
  func used() async throws {
    let isHeld = Atomic(true)
    let first = FirstToken()
    let server = try ScriptedServer { request in
      while first.isIn(request), isHeld.load(ordering: .acquiring) { sched_yield() }
      return .init()
    }
    defer { server.stop() }
    let client = try server.client { $0.maxConnections = 1 }
    async let old = client.send(push())
    try await until { server.requests.count == 1 }
    try await client.use(.token(.made()))
    #expect(await client.send(push()).isSuccess)
    isHeld.store(false, ordering: .releasing)
    #expect(await old.isSuccess)
    await client.close()
  }

  @Test("invalid credentials are rejected, and the current ones stay in use")
  func unreadable() async throws {
    let server = try ScriptedServer()
    defer { server.stop() }
    let client = try server.client()
    var broken = ProviderTokenCredentials.made()
    broken.privateKeyPEM = "no key"
    await #expect(throws: APNsError.self) { try await client.rotate(to: .token(broken)) }
    #expect(await client.send(push()).isSuccess)
    await client.close()
    try await client.rotate(to: .token(.made()))
    #expect(await client.send(push()).message == "the client is closed")
  }

  @Test("channel requests use the new credentials, too")
  func channels() async throws {
    let server = try ScriptedServer { _ in .init(body: #"{"channels":[]}"#) }
    defer { server.stop() }
    let client = try server.client()
    let channels = client.channels(ofBundleID: "com.example.app")
    #expect(try await channels.all().isEmpty)
    try await client.rotate(to: .token(.made()))
    #expect(try await channels.all().isEmpty)
    let tokens = server.requests.map { $0.fields["authorization"] }
    #expect(tokens.count == 2 && tokens[0] != tokens[1])
    #expect(server.requests.map(\.connection) == [1, 2])
    await client.close()
  }

  @Test(
    "a refused key opens a few connections, not one per push",
    arguments: [
      "InvalidProviderToken", "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken",
      "UnrelatedKeyIdInToken", "ExpiredProviderToken", "MissingProviderToken", "BadCertificate",
      "TooManyProviderTokenUpdates",
    ])
  func refusedKey(reason: String) async throws {
    let status = reason == "TooManyProviderTokenUpdates" ? 429 : 403
    let server = try ScriptedServer { _ in .refusal(status, reason) }
    defer { server.stop() }
    let client = try server.client { $0.maxConnections = 1 }
    let outcomes = await client.send(pushes(200))
    let answered = outcomes.filter { $0.kind == .answered }
    #expect(!answered.isEmpty)
    #expect(answered.allSatisfy { $0.status == status && $0.reason?.rawValue == reason })
    #expect(answered.allSatisfy { $0.message != nil })
    for outcome in outcomes where outcome.kind != .answered {
      #expect(outcome.kind == .neverSent)
      #expect(outcome.retry(hasCollapseID: false).isAllowed, "the push itself is valid")
      #expect(outcome.message?.contains(reason) == true)
    }
    #expect(server.connections <= 5)
    await client.close()
  }

  @Test(
    "two refusals in a row fail two pushes, and a third fails all that wait",
    arguments: [(2, 18), (3, 0)])
  func fruitless(refusals: Int, accepted: Int) async throws {
    let server = try ScriptedServer { request in
      request.connection <= refusals ? .refusal(403, "InvalidProviderToken") : .init()
    }
    defer { server.stop() }
    let client = try server.client { $0.maxConnections = 1 }
    let endings = await client.send(pushes(20)).endings
    #expect(endings["403"] == refusals)
    #expect(endings["200", default: 0] == accepted)
    #expect(endings["never", default: 0] == 20 - refusals - accepted)
    #expect(server.connections == 3)
    #expect(await client.send(push()).isSuccess, "it is tried again for the next push")
    await client.close()
  }

  @Test(
    "after rotating a revoked key away, waiting pushes use the new one and none is refused twice")
  func revoked() async throws {
    let newKey = OpenSSLCrypto.makeP256KeyPEM()
    let isRevoked = Atomic(false)
    let first = FirstToken()
    let server = try ScriptedServer { request in
      guard first.isIn(request), request.token != deviceToken else { return .init() }
      // Responses to the old key are held back until it is revoked.
      while !isRevoked.load(ordering: .acquiring) { sched_yield() }
      return .refusal(403, "InvalidProviderToken")
    }
    defer { server.stop() }
    let client = try server.client { $0.maxConnections = 1 }
    #expect(await client.send(push()).isSuccess)
    async let under = client.send((0..<1500).map { _ in push("ff") })
    try await until { server.requests.count >= 2 }
    let credentials = ProviderTokenCredentials(
      teamID: "TEAM123456", keyID: "NEW1234567", privateKeyPEM: newKey)
    async let rotated: Void = client.rotate(to: .token(credentials))
    try await until { await client.transport.isChanging }
    isRevoked.store(true, ordering: .releasing)
    try await rotated
    let endings = await under.endings
    let refused = endings["403", default: 0]
    #expect((1...1000).contains(refused), "pushes sent with the old key")
    #expect(endings["200"] == 1500 - refused)
    await client.close()
  }

  @Test("after UnrelatedKeyIdInToken the push is sent once more on a new connection")
  func unrelatedKey() async throws {
    let server = try ScriptedServer { request in
      request.connection == 1 ? .refusal(403, "UnrelatedKeyIdInToken") : .init()
    }
    defer { server.stop() }
    let client = try server.client()
    #expect(await client.send(push()).isSuccess)
    #expect(server.requests.map(\.connection) == [1, 2])
    await client.close()
  }

  @Test("after IdleTimeout the push is sent once more on another connection")
  func idleTimeout() async throws {
    let server = try ScriptedServer { request in
      request.connection == 1 ? .refusal(400, "IdleTimeout") : .init()
    }
    defer { server.stop() }
    let client = try server.client()
    #expect(await client.send(push()).isSuccess)
    #expect(server.requests.map(\.connection) == [1, 2])
    await client.close()
  }

  @Test("all pushes refused with ExpiredProviderToken are sent again with the new token")
  func manyExpired() async throws {
    let isOld = Atomic(true)
    let first = FirstToken()
    let server = try ScriptedServer { request in
      first.isIn(request) && request.token == "ff" ? .refusal(403, "ExpiredProviderToken") : .init()
    }
    defer { server.stop() }
    let client = try server.client {
      $0.now = { isOld.load(ordering: .relaxed) ? 1_700_000_000 : 1_700_000_000 + 25 * 60 }
    }
    #expect(await client.send(push()).isSuccess)
    isOld.store(false, ordering: .relaxed)
    let outcomes = await client.send((0..<50).map { _ in push("ff") })
    #expect(Set(outcomes.map(\.status)) == [200])
    await client.close()
  }
}

extension Transport {
  /// Whether a rotation still waits for connections with the old credentials to close.
  fileprivate var isChanging: Bool { closing.isRotating }
}
