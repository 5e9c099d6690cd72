import APNs
import APNsSandbox
import APNsTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ServerAdapters

@Suite("Adapters for swift-metrics, swift-log and ServiceLifecycle", .timeLimit(.minutes(5)))
struct ServerAdaptersTests {
  @Test("pushes, durations and connections reach swift-metrics, and failures the log")
  func metricsAndLog() async throws {
    let lines = Mutex<[(level: String, text: String, metadata: [String: String])]>([])
    let logger = Logger { level, message, metadata in
      lines.withLock { $0.append((level, "\(message)", metadata.mapValues { "\($0)" })) }
    }
    let recorded = RecordedMetrics()
    let recorder = TaskRecorder(recorded: recorded)
    let fixture = try await SandboxFixture.start { $0.goneTokens = ["dead": 1] }
    let client = try fixture.client { $0.metrics = APNsLogger(logger, next: recorder) }
    #expect(await client.send(push()).isSuccess)
    let gone = await client.send(push("dead"))
    #expect(gone.status == 410)
    await client.close()
    await fixture.sandbox.stop()

    let all = recorded.all
    let good = "apns_pushes_total,topic=com.example.app,status=200,reason=,outcome=answered"
    #expect(all[good] == [1])
    let bad =
      "apns_pushes_total,topic=com.example.app,status=410,reason=Unregistered,outcome=answered"
    #expect(all[bad] == [1])
    let durations = try #require(all["apns_push_duration,topic=com.example.app"])
    #expect(durations.count == 2 && durations.allSatisfy { $0 > 0 })
    #expect(all["apns_connections_opened_total"] == [1])
    #expect(all["apns_pushes_in_flight"]?.last == 0)
    let found = lines.withLock(\.self)
    let failures = found.filter { $0.level == "info" }
    #expect(failures.map(\.text) == ["a push was not accepted"])
    #expect(failures.first?.metadata["reason"] == "Unregistered")
    #expect(failures.first?.metadata["apns-id"] == gone.apnsID)
    #expect(!found.contains { "\($0)".contains("dead") }, "no device token is logged")
    #expect(found.contains { $0.text == "connected to APNs" })
  }

  @Test("a warning about the configuration is one of the log")
  func warning() {
    let lines = Mutex<[String]>([])
    let logger = Logger { level, message, _ in lines.withLock { $0.append("\(level): \(message)") }
    }
    APNsLogger(logger).warned("others may read the key")
    #expect(lines.withLock(\.self) == ["warning: others may read the key"])
  }

  @Test(
    "a graceful shutdown drains the client: a push in flight gets its outcome, a later one is not sent"
  )
  func service() async throws {
    let arrived = AsyncStream<Void>.makeStream()
    let fixture = try await SandboxFixture.start {
      $0.latency = .fixed(.milliseconds(200))
      $0.decide = { _ in
        arrived.continuation.yield()
        return .accept
      }
    }
    let client = try fixture.client()
    let shutdown = GracefulShutdown()
    let service = Task {
      try await GracefulShutdown.$current.withValue(shutdown) {
        try await APNsService(client).run()
      }
    }
    async let inFlight = client.send(push())
    for await _ in arrived.stream { break }
    shutdown.begin()
    #expect(await inFlight.isSuccess)
    try await service.value
    #expect(await client.send(push()).kind == .neverSent)
    await fixture.sandbox.stop()
  }
}

/// Records into the metrics of one test: the client calls from a thread of its own, without the test's task-local value.
private struct TaskRecorder: APNsMetrics {
  let recorded: RecordedMetrics
  private let next = APNsMetricsRecorder()

  init(recorded: RecordedMetrics) { self.recorded = recorded }

  func ended(_ outcome: APNsOutcome, topic: String, connection: Int?, duration: Duration?) {
    record { next.ended(outcome, topic: topic, connection: connection, duration: duration) }
  }
  func opened(connection: Int) { record { next.opened(connection: connection) } }
  func closed(connection: Int, reason: String) {
    record { next.closed(connection: connection, reason: reason) }
  }
  func load(inFlight: Int, waiting: Int) {
    record { next.load(inFlight: inFlight, waiting: waiting) }
  }

  private func record(_ body: () -> Void) {
    RecordedMetrics.$current.withValue(recorded) { body() }
  }
}
