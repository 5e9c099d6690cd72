import APNsTestSupport
import APNs
import APNsSandbox
import Synchronization
import TestSupport
import Testing

@testable import APNs

@Suite("A full queue", .timeLimit(.minutes(10)))
struct FullQueueTests {
  @Test("pushes beyond the limit are shed or wait, as configured")
  func policies() async throws {
    let fixture = try await SandboxFixture.start {
      $0.maxStreams = 1
      $0.latency = .fixed(.milliseconds(1))
    }
    for policy in [APNsClient.Configuration.FullQueue.shed, .wait] {
      let gauge = WaitingGauge()
      let client = try fixture.client {
        $0.queueLimit = 5
        $0.whenQueueIsFull = policy
        $0.metrics = gauge
      }
      let endings = await client.send(pushes(20)).endings
      #expect(endings == (policy == .shed ? ["200": 5, "never": 15] : ["200": 20]))
      #expect(1...5 ~= gauge.peak)
      await client.close()
    }
    await fixture.sandbox.stop()
  }

  @Test(
    "with the policy wait, batches beyond the limit wait outside the queue",
    arguments: [4, 5, 6, 500])
  func atTheLimit(count: Int) async throws {
    let fixture = try await SandboxFixture.start { $0.maxStreams = 1 }
    let gauge = WaitingGauge()
    let client = try fixture.client {
      $0.queueLimit = 5
      $0.whenQueueIsFull = .wait
      $0.maxConnections = 1
      $0.metrics = gauge
    }
    async let first = client.send(pushes(count))
    async let second = client.send(pushes(count))
    #expect(await (first + second).allSatisfy(\.isSuccess))
    #expect(gauge.peak <= 5)
    #expect(fixture.record.counts.count == 2 * count)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a sequence with a window wider than the queue waits, and no push is shed")
  func sequence() async throws {
    let fixture = try await SandboxFixture.start { $0.maxStreams = 2 }
    let gauge = WaitingGauge()
    let client = try fixture.client {
      $0.queueLimit = 5
      $0.maxConnections = 1
      $0.metrics = gauge
    }
    var accepted = 0
    for try await sent in client.send(SequenceTests.Source(count: 300), window: 100)
    where sent.outcome.isSuccess { accepted += 1 }
    #expect(accepted == 300)
    #expect(gauge.peak <= 5)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a send that waits for room ends at its deadline or on cancellation")
  func waiting() async throws {
    let arrived = Counter()
    let fixture = try await SandboxFixture.start {
      $0.maxStreams = 1
      $0.script = FaultScript([.init(.stall, token: "ff")])
      $0.journal = { _ in _ = arrived.next() }
    }
    let client = try fixture.client {
      $0.queueLimit = 1
      $0.whenQueueIsFull = .wait
      $0.maxConnections = 1
    }
    let stalled = Task { await client.send(push("ff")) }
    try await until { arrived.count >= 1 }
    let waiting = Task { await client.send(pushes(10)) }
    waiting.cancel()
    #expect(Set(await waiting.value.map(\.message)) == ["the task was cancelled"])
    stalled.cancel()
    #expect(await stalled.value.kind == .maybeSent)
    await client.close()

    let hasty = try fixture.client {
      $0.queueLimit = 1
      $0.whenQueueIsFull = .wait
      $0.maxConnections = 1
      $0.requestTimeout = .milliseconds(300)
    }
    let outcomes = await hasty.send([push("ff")] + pushes(10))
    #expect(outcomes.dropFirst().allSatisfy { $0.kind == .neverSent })
    await hasty.close()
    await fixture.sandbox.stop()
  }
}

/// Records the highest number of waiting pushes.
private final class WaitingGauge: APNsMetrics {
  private let most = Mutex(0)
  var peak: Int { most.withLock { $0 } }

  func ended(_: APNsOutcome, topic: String, connection: Int?, duration: Duration?) {}
  func opened(connection: Int) {}
  func closed(connection: Int, reason: String) {}
  func load(inFlight: Int, waiting: Int) { most.withLock { $0 = max($0, waiting) } }
}
