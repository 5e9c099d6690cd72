import APNsTestSupport
import APNsSandbox
import Synchronization
import TestSupport
import Testing
import _TLS

@testable import APNs

@Suite("Sending a sequence", .timeLimit(.minutes(10)))
struct SequenceTests {
  /// As many pushes as asked for, counted as they are asked for.
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

  @Test("no more is asked for than the window holds, until outcomes are read", arguments: [1, 7])
  func window(size: Int) async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    let source = Source(count: 50)
    var read = 0
    for try await _ in client.send(source, window: size) {
      read += 1
      // The reader holds one, and one more is in the hand of the sender.
      #expect(source.asked.count <= read + size + 1)
    }
    #expect(read == 50)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("what the sequence throws comes after the outcomes of the pushes before")
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

  @Test("a reader that stops early asks for no more")
  func early() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    let source = Source(count: 1_000_000)
    for try await _ in client.send(source, window: 10) { break }
    #expect(source.asked.count < 100)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a reader that stops early takes back what has not left")
  func takenBack() async throws {
    let fixture = try await SandboxFixture.start {
      $0.maxStreams = 2
      $0.script = FaultScript([.init(.stall, token: "ff")])
    }
    let log = OutcomeLog()
    let client = try fixture.client {
      $0.maxConnections = 1
      // More than a busy machine takes for the first answer.
      $0.requestTimeout = .seconds(20)
      $0.metrics = log
    }
    let source = AsyncStream<APNsNotification> { source in
      for push in [push()] + (1..<500).map({ _ in push("ff") }) { source.yield(push) }
      source.finish()
    }
    for try await sent in client.send(source, window: 500) {
      #expect(sent.outcome.isSuccess)
      break
    }
    // What waited is taken back behind the reader.
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

  @Test("a client that runs ends with its task, after what was handed over")
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
    "a client that runs ends when it is closed, and one whose task is cancelled already does too")
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

  @Test("a sequence keeps its client: one that nobody else holds sends to the last push")
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

  @Test("a client that is let go of with pushes under way says what became of each")
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

  @Test("a scoped client is closed after its use, also where it throws")
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

/// What became of all pushes of a client.
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
