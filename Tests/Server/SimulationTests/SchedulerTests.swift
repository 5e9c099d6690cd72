import Synchronization
import Testing
import _Determinism

@Suite("The scheduler of a simulated world")
struct SchedulerTests {
  private actor Counter {
    var count = 0
    func add() { count += 1 }
  }

  /// The order in which tasks of every kind take their steps, by a seed.
  private static func trace(seed: UInt64) -> [String] {
    CapturedJobs.capture {
      let scheduler = Scheduler(seed: seed, slowWorks: 50)
      let trace = Trace()
      let runner = scheduler.makeRunner(owner: 1)
      let main = Task {
        async let one: Void = trace.steps("async let")
        await withTaskGroup { group in
          for number in 0..<3 { group.addTask { await trace.steps("group \(number)") } }
        }
        await withDiscardingTaskGroup { group in
          group.addTask { await trace.steps("discarding") }
        }
        await Task.detached { await trace.steps("detached") }.value
        let counter = Counter()
        await counter.add()
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let task = Task { for await number in stream { trace.note("stream \(number)") } }
        for number in 0..<3 { continuation.yield(number) }
        continuation.finish()
        await task.value
        await withCheckedContinuation { continuation in
          runner { continuation.resume() }
        }
        trace.note("work")
        try await scheduler.sleep(.seconds(3600))
        trace.note("slept")
        await one
        trace.note("end \(await counter.count)")
      }
      let end = scheduler.run(atMost: 10_000)
      #expect(end == .idle && CapturedJobs.count == 0)
      main.cancel()
      return trace.lines
    }
  }

  private final class Trace: Sendable {
    private let text = Mutex<[String]>([])
    var lines: [String] { text.withLock(\.self) }
    func note(_ line: String) { text.withLock { $0.append(line) } }
    func steps(_ name: String) async {
      for number in 0..<3 {
        note("\(name) \(number)")
        await Task.yield()
      }
    }
  }

  @Test("runs jobs of every kind on its thread, in an order that follows from the seed")
  func order() async throws {
    let traces = try await onOneThread {
      (1...20).map { seed in (Self.trace(seed: seed), Self.trace(seed: seed)) }
    }
    for (one, other) in traces {
      #expect(one == other)
      #expect(one.count == 3 * 6 + 6 && one.last == "end 1", "\(one)")
    }
    #expect(Set(traces.map(\.0)).count > 10)
  }
}
