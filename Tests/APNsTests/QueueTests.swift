import APNs
import APNsSandbox
import Testing

@testable import APNs

@Suite("A full queue", .timeLimit(.minutes(1)))
struct FullQueueTests {
  @Test("it sheds what is beyond, or lets its sender wait, as configured")
  func policies() async throws {
    let fixture = try await Fixture.start {
      $0.maxStreams = 1
      $0.latency = .milliseconds(1)
    }
    for policy in [APNsClient.Configuration.FullQueue.shed, .wait] {
      let client = try fixture.client {
        $0.queueLimit = 5
        $0.whenQueueIsFull = policy
      }
      let outcomes = await client.send(pushes(20))
      #expect(outcomes.count { $0.isSuccess } == (policy == .shed ? 5 : 20))
      #expect(outcomes.count { $0.kind == .neverSent } == (policy == .shed ? 15 : 0))
      await client.close()
    }
    await fixture.sandbox.stop()
  }

  @Test("a send that waits for room ends with its deadline, and at once when it is cancelled")
  func waiting() async throws {
    let arrived = Counter()
    let fixture = try await Fixture.start {
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
    while arrived.count < 1 { await Task.yield() }
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
