import PushModel
import Synchronization
import TestSupport
import _Determinism

/// The one queue of a simulated world: jobs of Swift concurrency, work of database connections, and timers.
///
/// One thread takes what is ready in an order that follows from a seed. Time passes only when nothing is ready, and
/// then up to the next timer.
final class Scheduler: Sendable {
  /// Who a timer and a connection belong to; `nil` is the world itself.
  typealias Owner = Int?

  fileprivate struct Timer {
    let due: Timestamp
    let number: Int
    let owner: Owner
    /// Ends the wait; `isEarly` says that it ends before its time.
    let ring: @Sendable (_ isEarly: Bool) -> Void
  }

  /// The work of one connection, which runs in its order.
  fileprivate struct Line {
    var works: [@Sendable () -> Void] = []
    /// Whether the disk makes the first one wait.
    var isHeld = false
  }

  fileprivate struct State {
    var now = Timestamp(milliseconds: 1_800_000_000_000)
    var random: SeededGenerator
    var timers: [Timer] = []
    var timerCount = 0
    var lines: [Line] = []
    var steps = 0
    var trace: UInt64 = 0xcbf2_9ce4_8422_2325
  }

  private let state: Mutex<State>
  /// The share of a connection's works that the disk delays, of 100.
  private let slowWorks: Int
  /// The longest delay of a work in milliseconds.
  private static let longestDelay = 20

  init(seed: UInt64, slowWorks: Int) {
    state = Mutex(State(random: SeededGenerator(seed: seed)))
    self.slowWorks = slowWorks
  }

  var now: Timestamp { state.withLock(\.now) }
  /// The number of pieces of work that ran so far, and a hash of the order in which they did.
  var progress: (steps: Int, trace: UInt64) { state.withLock { ($0.steps, $0.trace) } }
  /// The number of timers and works that wait.
  var waitingCount: (timers: Int, works: Int) {
    state.withLock { ($0.timers.count, $0.lines.reduce(0) { $0 + $1.works.count }) }
  }

  // MARK: Timers

  /// Waits; throws an error if the task is cancelled or the owner's timers end.
  func sleep(_ duration: Duration, owner: Owner = nil) async throws {
    let number = state.withLock { $0.nextTimer() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          if Task.isCancelled { return true }
          state.timers.append(
            Timer(due: state.now + max(duration, .zero), number: number, owner: owner) { isEarly in
              continuation.resume(
                with: isEarly ? .failure(CancellationError() as any Error) : .success(()))
            })
          return false
        }
        if isOver { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      endTimers { $0.number == number }
    }
  }

  /// Calls a body after a time, unless the owner's timers end before.
  func after(_ duration: Duration, owner: Owner = nil, _ body: @escaping @Sendable () -> Void) {
    state.withLock { state in
      let number = state.nextTimer()
      state.timers.append(
        Timer(due: state.now + duration, number: number, owner: owner) { isEarly in
          if !isEarly { body() }
        })
    }
  }

  /// Ends the timers of an owner before their time.
  func endTimers(of owner: Int) { endTimers { $0.owner == owner } }

  private func endTimers(_ isEnded: (Timer) -> Bool) {
    let ended = state.withLock { state in
      let ended = state.timers.filter(isEnded)
      state.timers.removeAll(where: isEnded)
      return ended
    }
    for timer in ended { timer.ring(true) }
  }

  // MARK: Works

  /// Makes the runner of one connection's work.
  func makeRunner(owner: Int) -> @Sendable (@escaping @Sendable () -> Void) -> Void {
    let line = state.withLock { state in
      state.lines.append(Line())
      return state.lines.count - 1
    }
    return { [self] work in
      let delay = state.withLock { state -> Int? in
        state.lines[line].works.append(work)
        guard !state.lines[line].isHeld,
          Int.random(in: 0..<100, using: &state.random) < slowWorks
        else { return nil }
        state.lines[line].isHeld = true
        return Int.random(in: 1...Self.longestDelay, using: &state.random)
      }
      guard let delay else { return }
      after(.milliseconds(delay)) { [self] in state.withLock { $0.lines[line].isHeld = false } }
    }
  }

  // MARK: Steps

  /// Runs what is ready, and passes time, until the condition holds or nothing is left.
  ///
  /// - Parameters:
  ///   - limit: The most pieces of work, so that a world that never ends is found.
  ///   - afterStep: Called after each piece of work.
  ///   - isOver: The condition.
  /// - Returns: Why it has ended.
  func run(
    atMost limit: Int, afterStep: () -> Void = {}, until isOver: () -> Bool = { false }
  ) -> End {
    for _ in 0..<limit {
      if isOver() { return .over }
      guard step() else { return isOver() ? .over : .idle }
      afterStep()
    }
    return .tired
  }

  enum End {
    /// The condition holds.
    case over
    /// Nothing is left that could run.
    case idle
    /// The most pieces of work have run.
    case tired
  }

  fileprivate enum Choice {
    case job(Int)
    case work(@Sendable () -> Void)
    case timer(Timer)
  }

  /// Runs one piece of work; `false` if nothing is ready and no timer is left.
  private func step() -> Bool {
    let choice = state.withLock { $0.choose(jobs: CapturedJobs.count) }
    switch choice {
    case nil: return false
    case .job(let index): CapturedJobs.run(at: index)
    case .work(let work): work()
    case .timer(let timer): timer.ring(false)
    }
    return true
  }
}

extension Scheduler.State {
  fileprivate mutating func nextTimer() -> Int {
    timerCount += 1
    return timerCount
  }

  /// Chooses what runs next, by the seed.
  fileprivate mutating func choose(jobs: Int) -> Scheduler.Choice? {
    let ready = lines.indices.filter { !lines[$0].works.isEmpty && !lines[$0].isHeld }
    let count = jobs + ready.count
    guard count > 0 else { return passTime() }
    let chosen = count == 1 ? 0 : Int.random(in: 0..<count, using: &random)
    note(count, chosen)
    return chosen < jobs
      ? .job(chosen) : .work(lines[ready[chosen - jobs]].works.removeFirst())
  }

  /// Moves the time to the next timer.
  private mutating func passTime() -> Scheduler.Choice? {
    guard let due = timers.map(\.due).min() else { return nil }
    now = max(now, due)
    let places = timers.indices.filter { timers[$0].due == due }
    let chosen = places.count == 1 ? 0 : Int.random(in: 0..<places.count, using: &random)
    note(places.count, chosen)
    return .timer(timers.remove(at: places[chosen]))
  }

  /// Adds a choice to the hash of all choices (FNV-1a).
  private mutating func note(_ count: Int, _ chosen: Int) {
    steps += 1
    trace = (trace ^ UInt64(count)) &* 0x100_0000_01b3
    trace = (trace ^ UInt64(chosen)) &* 0x100_0000_01b3
  }
}
