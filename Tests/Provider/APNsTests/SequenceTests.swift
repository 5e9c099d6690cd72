import APNsTestSupport
import APNsSandbox
import Synchronization
import TestSupport
import Testing
import _TLS

@testable import APNs

@Suite("Sending an async sequence", .timeLimit(.minutes(10)))
struct SequenceTests {
  /// A sequence of `count` pushes that counts how many were requested.
  struct Source: AsyncSequence, Sendable {
    let count: Int
    let asked = Counter()
    var failure: APNsError?

    struct Iterator: AsyncIteratorProtocol {
      let source: Source
      mutating func next() async throws -> APNsNotification? {
        let number = source.asked.next()
        if number > source.count, let failure = source.failure { throw failure }
        return number > source.count ? nil : push()
      }
    }
    func makeAsyncIterator() -> Iterator { Iterator(source: self) }
  }

  @Test("every push has one outcome, and the sequence ends")
  func whole() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    var ids: Set<String> = []
    for try await sent in client.send(Source(count: 5000)) {
      #expect(sent.outcome.isSuccess)
      ids.insert(sent.notification.id)
    }
    #expect(ids.count == 5000)
    #expect(Set(fixture.record.counts.keys) == ids)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test(
    "at most a window of pushes is requested ahead of the outcomes that were read",
    arguments: [1, 7])
  func window(size: Int) async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    let source = Source(count: 50)
    var read = 0
    for try await _ in client.send(source, window: size) {
      read += 1
      // The reader holds one push, and the sender one more.
      #expect(source.asked.count <= read + size + 1)
    }
    #expect(read == 50)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("an error of the sequence is thrown after the outcomes of the pushes before it")
  func failure() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    var source = Source(count: 20)
    source.failure = APNsError(.badEndpoint, "the source failed")
    var read = 0
    do {
      for try await _ in client.send(source) { read += 1 }
      Issue.record("the error is lost")
    } catch { #expect((error as? APNsError)?.message == "the source failed") }
    #expect(read == 20)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("an empty sequence ends at once")
  func empty() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    for try await _ in client.send(Source(count: 0)) { Issue.record("there is none") }
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("breaking out of the loop requests no more pushes")
  func early() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    let source = Source(count: 1_000_000)
    for try await _ in client.send(source, window: 10) { break }
    #expect(source.asked.count < 100)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("breaking out of the loop withdraws the pushes that were not sent")
  func takenBack() async throws {
    let fixture = try await SandboxFixture.start {
      $0.maxStreams = 2
      $0.script = FaultScript([.init(.stall, token: "ff")])
    }
    let log = OutcomeLog()
    let client = try fixture.client {
      $0.maxConnections = 1
      // Long enough for the first response on a busy machine.
      $0.requestTimeout = .seconds(20)
      $0.metrics = log
    }
    let asked = Counter()
    let source = AsyncStream<APNsNotification> {
      let number = asked.next()
      return number > 500 ? nil : number == 1 ? push() : push("ff")
    }
    for try await sent in client.send(source, window: 500) {
      #expect(sent.outcome.isSuccess)
      // Two of them have a stream, so that the others wait in the queue.
      try await until { asked.count >= 100 }
      break
    }
    // Waiting pushes are withdrawn after the loop has ended.
    try await until { log.outcomes.contains { $0.kind == .neverSent } }
    await client.close()
    #expect(fixture.record.journal.count <= 3)
    let outcomes = log.outcomes
    let endings = outcomes.endings
    let messages = Set(outcomes.filter { $0.kind == .neverSent }.map(\.message))
    #expect(messages == ["its sequence was left"])
    #expect(endings["never", default: 0] >= outcomes.count - 3)
    await fixture.sandbox.stop()
  }

  @Test("run() ends when its task is cancelled, after the pushes in the queue were sent")
  func running() async throws {
    let arrived = Counter()
    let fixture = try await SandboxFixture.start {
      $0.maxStreams = 2
      $0.latency = .fixed(.milliseconds(5))
      $0.journal = { _ in _ = arrived.next() }
    }
    let client = try fixture.client { $0.maxConnections = 1 }
    let service = Task { await client.run() }
    async let sending = client.send(pushes(50))
    while arrived.count < 3, !Task.isCancelled { await Task.yield() }
    service.cancel()
    await service.value
    #expect(await sending.allSatisfy(\.isSuccess), "what waited was sent")
    #expect(await client.send(push()).message == "the client is closed")
    await client.run()
    await fixture.sandbox.stop()
  }

  @Test(
    "run() ends when the client is closed, and at once in a cancelled task")
  func runningUntilClosed() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    async let running: Void = client.run()
    #expect(await client.send(push()).isSuccess)
    await client.close()
    await running
    let other = try fixture.client()
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await other.run()
    }.value
    #expect(await other.send(push()).message == "the client is closed")
    await fixture.sandbox.stop()
  }

  @Test("a sequence retains its client until the last push is sent")
  func clientOfNobody() async throws {
    let fixture = try await SandboxFixture.start { $0.latency = .fixed(.milliseconds(50)) }
    var read = 0
    for try await sent in try fixture.client().send(Source(count: 3000), window: 1000) {
      #expect(sent.outcome.isSuccess)
      read += 1
    }
    #expect(read == 3000)
    #expect(fixture.record.counts.count == 3000)
    await fixture.sandbox.stop()
  }

  @Test("a deallocated client reports an outcome for each unfinished push")
  func letGo() async throws {
    let arrived = Counter()
    let fixture = try await SandboxFixture.start {
      $0.maxStreams = 2
      $0.script = FaultScript([.init(.stall, token: "ff")])
      $0.journal = { line in if line.contains(#""token":"ff""#) { _ = arrived.next() } }
    }
    let counters = APNsCounters()
    let (outcomes, ends) = AsyncStream<APNsOutcome>.makeStream()
    do {
      let client = try fixture.client {
        $0.metrics = counters
        $0.maxConnections = 1
      }
      #expect(await client.send(push()).isSuccess)
      for _ in 0..<3 { client.transport.post(push("ff")) { ends.yield($0) } }
      while arrived.count < 2, !Task.isCancelled { await Task.yield() }
    }
    var kinds: [APNsOutcome.Kind] = []
    for await outcome in outcomes.prefix(3) { kinds.append(outcome.kind) }
    #expect(kinds == [.maybeSent, .maybeSent, .neverSent])
    while counters.snapshot.closed.isEmpty, !Task.isCancelled { await Task.yield() }
    #expect(counters.snapshot.connections.isEmpty)
    await fixture.sandbox.stop()
  }

  @Test("with(_:_:) closes the client after the body returns or throws")
  func scoped() async throws {
    let fixture = try await SandboxFixture.start()
    var configuration = APNsClient.Configuration(
      credentials: .token(fixture.credentials),
      endpoint: .custom(host: "localhost", port: fixture.port))
    configuration.extraTrustPEM = fixture.authority.certificatePEM
    let kept = try await APNsClient.with(configuration) { client in
      #expect(await client.send(push()).isSuccess)
      return client
    }
    #expect(await kept.send(push()).message == "the client is closed")
    await #expect(throws: APNsError.self) {
      try await APNsClient.with(configuration) { _ in throw APNsError(.badEndpoint, "x") }
    }
    await fixture.sandbox.stop()
  }
}

/// The outcomes of all pushes of a client.
private final class OutcomeLog: APNsMetrics {
  private let all = Mutex<[APNsOutcome]>([])
  var outcomes: [APNsOutcome] { all.withLock { $0 } }

  func ended(_ outcome: APNsOutcome, topic: String, connection: Int?, duration: Duration?) {
    all.withLock { $0.append(outcome) }
  }
  func opened(connection: Int) {}
  func closed(connection: Int, reason: String) {}
  func load(inFlight: Int, waiting: Int) {}
}
