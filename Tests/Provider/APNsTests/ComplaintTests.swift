import APNsTestSupport
import APNsSandbox
import Foundation
import Synchronization
import TestSupport
import Testing
import _TLS

@testable import APNs

/// Problems that users report about other push libraries, one test for each kind.
@Suite("Known problems of other APNs clients", .timeLimit(.minutes(10)))
struct ComplaintTests {
  @Test("silent hang: every push has an outcome, and the same client reconnects")
  func silentHang() async throws {
    let fixture = try await SandboxFixture.start()
    let proxy = try FreezingProxy(to: fixture.port)
    defer { proxy.stop() }
    let client = try fixture.client(through: proxy)
    #expect(await client.send(push()).isSuccess)
    proxy.freeze()
    #expect(await client.send(pushes(50)).allSatisfy { !$0.isSuccess })
    #expect(await client.send(pushes(50)).allSatisfy(\.isSuccess))
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("lossy GOAWAY: 2,000 pushes arrive once each while every 83rd request causes a GOAWAY")
  func lossyGoAway() async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([.init(.goAway(), every: 83)])
    }
    let client = try fixture.client()
    #expect(await client.send(pushes(2000)).allSatisfy(\.isSuccess))
    #expect(fixture.record.counts.count == 2000)
    #expect(Set(fixture.record.counts.values) == [1])
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test(
    "dropped idle connection: the next push is maybe sent, and the one after is accepted")
  func idleDrop() async throws {
    let fixture = try await SandboxFixture.start()
    let proxy = try FreezingProxy(to: fixture.port)
    defer { proxy.stop() }
    let client = try fixture.client(through: proxy)
    #expect(await client.send(push()).isSuccess)
    proxy.freeze()
    let first = await client.send(push { $0.collapseID = "x" })
    #expect(first.kind == .maybeSent)
    #expect(first.retry(hasCollapseID: true).isAllowed, "a repeat replaces the notification")
    #expect(await client.send(push()).isSuccess)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("stream limit: limits of 1, 3 and 1000 are respected, and no stream is refused")
  func streamsLimit() async throws {
    for limit in [1, 3, 1000] {
      let fixture = try await SandboxFixture.start { $0.maxStreams = limit }
      let peak = PeakLoad()
      let client = try fixture.client {
        $0.maxConnections = 1
        $0.metrics = peak
      }
      #expect(await client.send(pushes(1500)).allSatisfy(\.isSuccess))
      #expect(1...limit ~= peak.inFlight)
      #expect(fixture.record.counts.count == 1500)
      // A refused stream would be missing, or its push have been sent on another connection.
      let streams = fixture.record.delivered.map { [$0.connection, $0.stream] }
      #expect(Set(streams) == Set((0..<1500).map { [1, 2 * $0 + 1] }))
      await client.close()
      await fixture.sandbox.stop()
    }
  }

  /// `make bench` measures the memory after a million pushes; this test finds what is not released.
  @Test("memory growth: nothing remains after success, refusal, GOAWAY and connection loss")
  func memoryGrowth() async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([
        .init(.goAway(), after: 100, every: 500),
        .init(.refuse, after: 200, every: 500),
        .init(.answer(status: 500, reason: "InternalServerError"), after: 300, every: 500),
        .init(.drop, after: 400, every: 500),
      ])
    }
    let counters = APNsCounters()
    var client: APNsClient? = try fixture.client { $0.metrics = counters }
    weak let gone = client
    for _ in 0..<5 { #expect(await client?.send(pushes(1000)).count == 1000) }
    #expect(counters.snapshot.inFlight == 0 && counters.snapshot.waiting == 0)
    await client?.close()
    let snapshot = counters.snapshot
    #expect(snapshot.connections.isEmpty && snapshot.opened == snapshot.closed.values.reduce(0, +))
    client = nil
    #expect(gone == nil)
    await fixture.sandbox.stop()
  }

  /// The push server tries the other environment and keeps the token: see `DispatcherTests.environments` in
  /// PushServerTests.
  @Test("wrong environment: BadDeviceToken is reported as APNs sent it, and not retried")
  func wrongEnvironment() async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([
        .init(.answer(status: 400, reason: "BadDeviceToken"), token: "ff")
      ])
    }
    let client = try fixture.client()
    let outcome = await client.send(push("ff"))
    #expect(outcome.kind == .answered && outcome.reason == .badDeviceToken)
    #expect(outcome.timestamp == nil, "only 410 gives a time since when the token is inactive")
    #expect(!outcome.retry(hasCollapseID: true).isAllowed)
    #expect(fixture.record.journal.count == 1)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("wrong host under concurrency: two concurrent clients send to their own hosts")
  func wrongHost() async throws {
    let fixtures = [try await SandboxFixture.start(), try await SandboxFixture.start()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for fixture in fixtures {
        group.addTask {
          let client = try fixture.client()
          let outcomes = await client.send(pushes(400))
          #expect(fixture.record.counts == Dictionary(outcomes.map { ($0.apnsID, 1) }) { $0 + $1 })
          await client.close()
        }
      }
      try await group.waitForAll()
    }
    for fixture in fixtures { await fixture.sandbox.stop() }
  }

  @Test("duplicates: pushes of a lost connection are reported as maybe sent, and not retried")
  func duplicates() async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([.init(.drop, every: 150)])
    }
    let client = try fixture.client()
    let outcomes = await client.send(pushes(1000))
    #expect(outcomes.contains { $0.kind == .maybeSent })
    #expect(
      outcomes.filter { $0.kind == .maybeSent }.allSatisfy {
        !$0.retry(hasCollapseID: false).isAllowed
      })
    #expect(Set(fixture.record.counts.values) == [1])
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("token churn: all connections share one token, and get the next after fifty minutes")
  func tokenChurn() async throws {
    let server = try HostileServer(connections: 3) { wire in
      _ = try wire.begin()
      try wire.write(Frame.goAway(0))
      try wire.drain()
    }
    defer { server.stop() }
    let time = Mutex<Int64>(1_700_000_000)
    let client = try server.client { $0.now = { time.withLock { $0 } } }
    while server.count < 4, !Task.isCancelled { _ = await client.send(push()) }
    #expect(await client.send(pushes(200)).allSatisfy(\.isSuccess))
    #expect(server.authorizations.count == 1)
    time.withLock { $0 += 51 * 60 }
    #expect(await client.send(pushes(200)).allSatisfy(\.isSuccess))
    #expect(server.authorizations.count == 2)
    await client.close()
  }

  /// The sandbox answers TooManyProviderTokenUpdates to a third token within 20 minutes of the first.
  @Test(
    "token churn: a connection opened at any minute keeps working when the token is refreshed",
    arguments: [0, 29, 30, 40, 49])
  func lateConnection(minute: Int64) async throws {
    let start: Int64 = 1_700_000_000
    let time = Mutex(start)
    let fixture = try await SandboxFixture.start {
      $0.now = { time.withLock { $0 * 1000 } }
      $0.strictJWT = true
      $0.script = FaultScript([.init(.goAway(), token: "ff")])
    }
    let counters = APNsCounters()
    let client = try fixture.client {
      $0.now = { time.withLock { $0 } }
      $0.maxConnections = 1
      $0.metrics = counters
    }
    time.withLock { $0 = start + minute * 60 }
    #expect(await client.send(push("ff")).kind == .answered)
    for now in stride(from: minute, to: 200, by: 1) {
      time.withLock { $0 = start + now * 60 }
      // The clock is also set back, as an NTP daemon may do.
      for step: Int64 in [0, -120] where !Task.isCancelled {
        time.withLock { $0 += step }
        #expect(await client.send(push()).status == 200, "minute \(now)")
      }
    }
    #expect(counters.snapshot.opened == 2)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("token churn: a connection that answers TooManyProviderTokenUpdates is replaced")
  func poisoned() async throws {
    let server = try ScriptedServer { request in
      request.connection == 1 ? .refusal(429, "TooManyProviderTokenUpdates") : .init()
    }
    defer { server.stop() }
    let client = try server.client()
    #expect(await client.send(pushes(20)).allSatisfy(\.isSuccess))
    #expect(server.requests.filter { $0.connection == 1 }.count <= 20)
    #expect(server.connections == 2)
    await client.close()
  }

  @Test("slow throughput: slow responses open more connections, up to the limit")
  func slowThroughput() async throws {
    let fixture = try await SandboxFixture.start {
      $0.latency = .fixed(.milliseconds(60))
      $0.maxStreams = 20
    }
    let counters = APNsCounters()
    let client = try fixture.client { $0.metrics = counters }
    #expect(await client.send(pushes(800)).allSatisfy(\.isSuccess))
    #expect(2...4 ~= counters.snapshot.opened)
    await client.close()
    await fixture.sandbox.stop()
  }

  /// The push server stores pushes that wait: `ServeKillTests` kills it in the middle of a send.
  @Test("lost on restart: closing reports for each push whether it was sent")
  func lostOnRestart() async throws {
    let arrived = Counter()
    let fixture = try await SandboxFixture.start {
      $0.maxStreams = 10
      $0.latency = .fixed(.milliseconds(500))
      $0.journal = { _ in _ = arrived.next() }
    }
    let client = try fixture.client { $0.maxConnections = 1 }
    async let sending = client.send(pushes(500))
    while arrived.count < 10, !Task.isCancelled { await Task.yield() }
    await client.close()
    let outcomes = await sending
    let counts = fixture.record.counts
    expectAll(outcomes, "wait for the answers that are due") { $0.kind != .maybeSent }
    expectAll(outcomes, "succeed exactly where they arrived") {
      $0.isSuccess == (counts[$0.apnsID] == 1)
    }
    let retried = outcomes.filter {
      $0.kind == .neverSent && $0.retry(hasCollapseID: false).isAllowed
    }
    #expect(retried.count > 0)
    await fixture.sandbox.stop()
  }

  @Test("abandoned dependencies: the manifest has no package dependencies")
  func dependencies() throws {
    let manifest = Repository.url("Package.swift")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    #expect(!text.contains(".package("))
  }
}

/// Records the highest number of pushes in flight.
private final class PeakLoad: APNsMetrics {
  private let peak = Mutex(0)
  var inFlight: Int { peak.withLock { $0 } }

  func ended(_: APNsOutcome, topic: String, connection: Int?, duration: Duration?) {}
  func opened(connection: Int) {}
  func closed(connection: Int, reason: String) {}
  func load(inFlight: Int, waiting: Int) { peak.withLock { $0 = max($0, inFlight) } }
}

extension SandboxFixture {
  /// A client with short keep-alive intervals that connects through the proxy.
  fileprivate func client(through proxy: FreezingProxy) throws -> APNsClient {
    var configuration = APNsClient.Configuration(
      credentials: .token(credentials), endpoint: .custom(host: "127.0.0.1", port: proxy.port))
    configuration.extraTrustPEM = authority.certificatePEM
    configuration.keepAlive.silence = .milliseconds(500)
    configuration.keepAlive.pingTimeout = .seconds(1)
    return try APNsClient(configuration: configuration)
  }
}
