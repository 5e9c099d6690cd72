import Foundation
import MediaLoading
import RichNotifications
import Synchronization
import Testing

@testable import NotificationHost

/// What belongs to a run, and its end.
@Suite("The scope of a run", .timeLimit(.minutes(10)))
struct RunScopeTests {
  private let clock = VirtualClock()

  /// Waits for a time of the clock, which passes only if nothing holds the clock.
  private func pass(_ seconds: Int) async {
    await withCheckedContinuation { continuation in
      _ = clock.schedule(after: .seconds(seconds)) { continuation.resume() }
    }
  }

  @Test("its timers do not fire after its end, and new ones never do")
  func timers() async {
    let scope = RunScope(clock)
    let fired = Mutex<[Int]>([])
    // No time passes until all timers are there.
    let hold = clock.hold(freezeLimit: .seconds(3600))
    for second in [1, 3] {
      _ = scope.clock.schedule(after: .seconds(second)) { fired.withLock { $0.append(second) } }
    }
    let canceled = scope.clock.schedule(after: .seconds(1)) { fired.withLock { $0.append(0) } }
    canceled.cancel()
    _ = clock.schedule(after: .seconds(2)) { scope.end() }
    hold.release()
    await pass(2)
    _ = scope.clock.schedule(after: .zero) { fired.withLock { $0.append(4) } }
    await pass(10)
    #expect(fired.withLock { $0 } == [1])
  }

  @Test("its holds end with it")
  func holds() async {
    let scope = RunScope(clock)
    let hold = scope.clock.hold(freezeLimit: .seconds(3600))
    scope.end()
    _ = scope.clock.hold(freezeLimit: .seconds(3600))
    await pass(3600)
    hold.release()
    #expect(clock.now >= .seconds(3600))
  }

  @Test("its loads are canceled, and answers after its end are dropped")
  func loads() async throws {
    let url = try #require(URL(string: "https://a/b"))
    let scope = RunScope(clock)
    let answers = ["https://a/b": ScriptedNetwork.Response(body: .onePixelPNG)]
    let network = ScriptedNetwork(answers, clock: clock, latency: .seconds(2))
    let scoped = RunNetwork(network: network, scope: scope)
    let (first, second, third) = (Sink(), Sink(), Sink())
    _ = scoped.load(MediaRequest(url: url), into: first)
    await pass(3)
    let hold = clock.hold(freezeLimit: .seconds(3600))
    _ = scoped.load(MediaRequest(url: url), into: second)
    scope.end()
    hold.release()
    scoped.load(MediaRequest(url: url), into: third).cancel()
    await pass(10)
    #expect(first.events == ["head", "bytes", "end"])
    #expect(second.events == [] && third.events == [])
    #expect(network.requests.count == 2, "after the end nothing is sent")
  }

  @Test("code is called until its end, which waits for calls in progress")
  func calls() async {
    let scope = RunScope(clock)
    #expect(scope.enter { 1 } == 1)
    let entered = DispatchSemaphore(value: 0)
    let go = Mutex(false)
    let isOver = Mutex(false)
    Thread.detachNewThread {
      scope.enter {
        entered.signal()
        while !go.withLock({ $0 }) {}
        isOver.withLock { $0 = true }
      }
    }
    entered.wait()
    scope.end()
    #expect(scope.enter { 1 } == nil)
    await withCheckedContinuation { continuation in
      scope.whenQuiet { continuation.resume() }
      go.withLock { $0 = true }
    }
    #expect(isOver.withLock { $0 })
  }

  @Test("a call that is blocked is not waited for")
  func blocked() async {
    let scope = RunScope(clock)
    let (entered, forever) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      scope.enter {
        entered.signal()
        forever.wait()
      }
    }
    entered.wait()
    scope.end()
    await withCheckedContinuation { continuation in
      scope.whenQuiet { continuation.resume() }
    }
    forever.signal()
  }

  @Test("a task stops at its next await, and an actor that it uses is free for others")
  func tasks() async throws {
    let counter = Counter()
    for round in 1...20 {
      let scope = RunScope(clock)
      let executor = SeenExecutor(SeenWork(scope))
      let steps = Mutex(0)
      let task = Task(executorPreference: executor) {
        while true {
          await counter.add()
          steps.withLock { $0 += 1 }
        }
      }
      while steps.withLock({ $0 }) < round { await Task.yield() }
      scope.end()
      await withCheckedContinuation { continuation in
        scope.whenQuiet { continuation.resume() }
      }
      let before = steps.withLock { $0 }
      for _ in 0..<100 { await counter.add() }
      #expect(steps.withLock { $0 } == before && !task.isCancelled)
    }
  }

  private actor Counter {
    private var count = 0
    func add() { count += 1 }
  }

  private final class Sink: MediaSink {
    private let received = Mutex<[String]>([])

    var events: [String] { received.withLock { $0 } }

    func receive(_ head: MediaResponseHead) -> MediaLoadDisposition {
      received.withLock { $0.append("head") }
      return .proceed
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition {
      received.withLock { $0.append("bytes") }
      return .proceed
    }

    func finish(_ error: MediaLoadError?) { received.withLock { $0.append("end") } }
  }
}
