import APNsTestSupport
import APNsSandbox
import Testing

@testable import APNs

@Suite("Growing and shrinking of the pool", .timeLimit(.minutes(10)))
struct PoolTests {
  @Test(
    "the pool grows while APNs allows one stream per connection, once connections have responded")
  func oneStream() async throws {
    let fixture = try await SandboxFixture.start {
      $0.maxStreams = 1
      $0.latency = .fixed(.milliseconds(50))
    }
    let counters = APNsCounters()
    let client = try fixture.client { $0.metrics = counters }
    #expect(await client.send(pushes(120)).allSatisfy(\.isSuccess))
    #expect(counters.snapshot.opened == 4)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a first push that is never answered does not block the others forever")
  func stalledStart() async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([.init(.stall, token: "ff", count: 1)])
    }
    let client = try fixture.client { $0.keepAlive.silence = .milliseconds(200) }
    let stalled = Task { await client.send(push("ff")) }
    while fixture.record.journal.isEmpty, !Task.isCancelled { await Task.yield() }
    #expect(await client.send(pushes(50)).allSatisfy(\.isSuccess))
    stalled.cancel()
    #expect(await stalled.value.kind == .maybeSent)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("idle connections close, and the last one stays open")
  func shrinks() async throws {
    let fixture = try await SandboxFixture.start {
      $0.maxStreams = 1
      $0.latency = .fixed(.milliseconds(50))
    }
    let counters = APNsCounters()
    let client = try fixture.client {
      $0.metrics = counters
      $0.idleLimit = .milliseconds(300)
    }
    #expect(await client.send(pushes(120)).allSatisfy(\.isSuccess))
    let opened = counters.snapshot.opened
    #expect(opened > 1)
    while counters.snapshot.connections.count > 1, !Task.isCancelled { await Task.yield() }
    #expect(counters.snapshot.closed == ["idle": opened - 1])
    #expect(await client.send(push()).isSuccess)
    #expect(counters.snapshot.opened == opened, "the last one is used")
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("an idle connection that does not answer a PING is replaced")
  func idlePing() async throws {
    let fixture = try await SandboxFixture.start()
    let proxy = try FreezingProxy(to: fixture.port)
    defer { proxy.stop() }
    let counters = APNsCounters()
    let client = try fixture.client(host: "127.0.0.1") {
      $0.endpoint = .custom(host: "127.0.0.1", port: proxy.port)
      $0.metrics = counters
      $0.keepAlive.idle = .milliseconds(200)
      $0.keepAlive.pingTimeout = .milliseconds(500)
    }
    #expect(await client.send(push()).isSuccess)
    proxy.freeze()
    while counters.snapshot.closed.isEmpty, !Task.isCancelled { await Task.yield() }
    #expect(counters.snapshot.closed.keys.first?.contains("no answer to a PING") == true)
    #expect(await client.send(push()).isSuccess)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a connection out of stream identifiers is replaced, and no push is lost")
  func usedUp() async throws {
    let fixture = try await SandboxFixture.start()
    let counters = APNsCounters()
    let client = try fixture.client {
      $0.maxConnections = 1
      $0.metrics = counters
      // Each connection has three stream identifiers left.
      $0.firstStream = .max - 4
    }
    #expect(await client.send(pushes(10)).allSatisfy(\.isSuccess))
    #expect(fixture.record.counts.count == 10)
    #expect(Set(fixture.record.counts.values) == [1])
    await client.close()
    #expect(counters.snapshot.opened == 4)
    #expect(counters.snapshot.closed["all its streams are used up"] == 3)
    await fixture.sandbox.stop()
  }

  /// The first connection's flow-control window of 65,535 bytes never grows; the second is from a good peer.
  @Test("pushes beyond a connection's flow-control window wait for another connection")
  func byBytes() async throws {
    let server = try HostileServer { wire in
      let first = try wire.begin(streams: 1000)
      try wire.write(Frame.headers(first, Block.ok))
      try wire.drain()
    }
    defer { server.stop() }
    let counters = APNsCounters()
    let client = try server.client {
      $0.metrics = counters
      // On a busy machine the second one may take longer than the silence for its first answer.
      $0.maxConnections = 2
      $0.keepAlive.silence = .milliseconds(500)
      $0.keepAlive.pingTimeout = .seconds(30)
      $0.requestTimeout = .seconds(20)
    }
    let outcomes = await client.send((0..<200).map { _ in Self.largePush() })
    // 65,535 bytes hold fifteen whole bodies, one of them answered, and the start of a sixteenth.
    let endings = outcomes.endings
    #expect(endings["200", default: 0] >= 200 - 16)
    #expect(Set(endings.keys).isSubset(of: ["200", "maybe"]), "\(endings)")
    #expect(server.count == 2)
    await client.close()
  }

  /// Fifteen bodies leave 4095 bytes of the first connection's flow-control window, which never grows.
  @Test("a push goes to the connection whose window holds its whole body")
  func wholeBodies() async throws {
    let server = try HostileServer { wire in
      try wire.write(Frame.headers(wire.begin(streams: 1000), Block.ok))
      for _ in 1..<15 { try wire.write(Frame.headers(wire.request(), Block.ok)) }
      try wire.drain()
    }
    defer { server.stop() }
    let counters = APNsCounters()
    let client = try server.client { $0.metrics = counters }
    for _ in 0..<15 { #expect(await client.send(Self.largePush()).isSuccess) }
    await client.transport.connect()
    while counters.snapshot.opened < 2, !Task.isCancelled { await Task.yield() }
    // Both connections are idle, so only the window decides.
    for _ in 0..<20 { #expect(await client.send(Self.largePush()).isSuccess) }
    #expect(counters.snapshot.connections.values.sorted() == [15, 20])
    await client.close()
  }

  /// A push of 4096 bytes.
  private static func largePush() -> APNsNotification {
    push(payload: #"{"aps":{"alert":""# + String(repeating: "x", count: 4076) + #""}}"#)
  }
}

extension HostileWire {
  /// Sends settings that allow `streams` streams, and returns the stream of the first request.
  fileprivate func begin(streams: UInt32) throws -> Int32 {
    try write(Frame.settings([(3, streams)]) + Frame.settingsAnswer)
    return try request()
  }
}
