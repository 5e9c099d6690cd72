import APNsTestSupport
import APNsSandbox
import Foundation
import Synchronization
import TestSupport
import Testing
import _TLS

@testable import APNs

@Suite("Connections that open, close and stall", .timeLimit(.minutes(10)))
struct TransportTests {
  @Test(
    "slow responses open connections up to the limit, fast ones do not",
    arguments: [(1, 60, 1...1), (4, 60, 2...4), (4, 0, 1...1)])
  func growth(limit: Int, milliseconds: Int, connections: ClosedRange<Int>) async throws {
    let fixture = try await SandboxFixture.start {
      $0.latency = .fixed(.milliseconds(milliseconds))
      $0.maxStreams = 20
    }
    let client = try fixture.client { $0.maxConnections = limit }
    let outcomes = await client.send(pushes(milliseconds == 0 ? 20 : 800))
    #expect(Set(outcomes.map(\.status)) == [200])
    #expect(connections.contains(fixture.connections.count))
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a silent peer is detected by PING, and the next push uses another connection")
  func halfOpen() async throws {
    let fixture = try await SandboxFixture.start()
    let proxy = try FreezingProxy(to: fixture.port)
    defer { proxy.stop() }
    var configuration = APNsClient.Configuration(
      credentials: .token(fixture.credentials),
      endpoint: .custom(host: "127.0.0.1", port: proxy.port))
    configuration.extraTrustPEM = fixture.authority.certificatePEM
    configuration.keepAlive.silence = .milliseconds(500)
    configuration.keepAlive.pingTimeout = .seconds(1)
    let client = try APNsClient(configuration: configuration)
    #expect(await client.send(push()).isSuccess)
    proxy.freeze()
    let outcome = await client.send(push())
    #expect(outcome.kind == .maybeSent)
    #expect(outcome.message?.contains("no answer to a PING") == true)
    #expect(await client.send(push()).isSuccess)
    #expect(proxy.count == 2)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a slow peer that answers a PING keeps its connection")
  func slow() async throws {
    let fixture = try await SandboxFixture.start { $0.latency = .fixed(.milliseconds(700)) }
    let client = try fixture.client {
      $0.maxConnections = 1
      $0.keepAlive.silence = .milliseconds(100)
      $0.keepAlive.pingTimeout = .seconds(5)
    }
    #expect(Set(await client.send(pushes(3)).map(\.status)) == [200])
    #expect(fixture.connections == [1])
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test(
    "on cancellation waiting pushes are never sent, and those in flight maybe sent")
  func cancellation() async throws {
    let arrived = Counter()
    let fixture = try await SandboxFixture.start {
      $0.maxStreams = 2
      $0.script = FaultScript([.init(.stall, token: "ff")])
      $0.journal = { line in if line.contains(#""token":"ff""#) { _ = arrived.next() } }
    }
    let client = try await fixture.connectedClient(requestTimeout: .seconds(30))
    let task = Task { await client.send([push("ff"), push("ff"), push(), push()]) }
    try await until { arrived.count >= 2 }
    task.cancel()
    let outcomes = await task.value
    #expect(outcomes.map(\.kind) == [.maybeSent, .maybeSent, .neverSent, .neverSent])
    #expect(Set(outcomes.map(\.message)) == ["the task was cancelled"])
    #expect(await client.send(push()).isSuccess, "its streams are free again")
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a cancelled task sends nothing")
  func cancelledBefore() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    let outcome = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await client.send(push())
    }.value
    #expect(outcome.kind == .neverSent)
    #expect(fixture.record.counts.isEmpty)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("after ExpiredProviderToken the push is sent with a new token on another connection")
  func expiredToken() async throws {
    let behind = Mutex<Int64>(25 * 60)
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([
        .init(.answer(status: 403, reason: "ExpiredProviderToken"), token: "ff", count: 1)
      ])
      let journal = $0.journal
      $0.journal = { line in
        if line.contains("ExpiredProviderToken") { behind.withLock { $0 = 0 } }
        journal?(line)
      }
    }
    let client = try fixture.client {
      $0.now = { Int64(Date().timeIntervalSince1970) - behind.withLock { $0 } }
    }
    let outcome = await client.send(push("ff"))
    #expect(outcome.isSuccess)
    #expect(fixture.record.counts == [outcome.apnsID: 1])
    #expect(fixture.connections == [2], "the push was sent on a new connection")
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a new token that APNs finds expired is not replaced: the clock is off")
  func youngToken() async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([.init(.answer(status: 403, reason: "ExpiredProviderToken"))])
    }
    let client = try fixture.client()
    let outcome = await client.send(push())
    #expect(outcome.reason == .expiredProviderToken)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("after Shutdown the push is sent once more on another connection")
  func shutdown() async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([.init(.answer(status: 503, reason: "Shutdown"), count: 2)])
    }
    let client = try fixture.client()
    #expect(await client.send(push()).reason == .shutdown)
    #expect(await client.send(push()).isSuccess)
    await client.close()
    await fixture.sandbox.stop()
  }
}

extension SandboxFixture {
  /// The numbers of the connections on which pushes were accepted.
  fileprivate var connections: Set<Int> {
    Set(
      record.journal.filter { $0.contains(#""status":200"#) }.compactMap { line in
        line.firstMatch(of: #/"connection":(\d+)/#).flatMap { Int($0.output.1) }
      })
  }
}
