import PushModel
import Synchronization

/// The batches of one class at a node: the room for those in flight, and the signals to the tasks that lease them.
///
/// A task that has leased a batch wakes the next task, so that as many lease at once as there is work for. A store can
/// commit these leases together.
final class Lane: Sendable {
  let sendClass: SendClass
  /// The signal to each task that leases batches.
  let wakeups: [Wakeup]
  private let limit: Int
  private let state = Mutex(State())

  private struct State {
    var taken = 0
    /// Whether a task has found no room.
    var isShort = false
    var lastApp: Int64 = 0
  }

  /// The lanes of a node that has `workers` batches of campaigns in flight at the same time.
  ///
  /// Most transactional batches are a single push, which takes as long as Apple's answer does.
  static func all(workers: Int) -> [Lane] {
    [
      Lane(of: .transactional, limit: 64, takers: 8),
      Lane(of: .campaign, limit: workers, takers: 1),
    ]
  }

  /// Makes a lane with at most `limit` batches in flight, which `takers` tasks lease.
  private init(of sendClass: SendClass, limit: Int, takers: Int) {
    self.sendClass = sendClass
    self.limit = max(1, limit)
    wakeups = (0..<takers).map { _ in Wakeup() }
  }

  /// The priority of the lane's tasks.
  ///
  /// The composition of thousands of pushes keeps a thread for milliseconds, for which requests would wait. On Linux
  /// each priority has threads of its own.
  var priority: TaskPriority? { sendClass == .campaign ? .utility : nil }

  /// The app of the last batch, after which the other apps have their turn.
  var lastApp: Int64 { state.withLock(\.lastApp) }

  /// Wakes a task, the first one by default, because a batch may be due.
  func signal(_ taker: Int = 0) {
    if wakeups.indices.contains(taker) { wakeups[taker].signal() }
  }

  /// Takes room for a batch; if there is none, the lane is woken when there is room again.
  func takeRoom() -> Bool {
    state.withLock { state in
      state.isShort = state.taken >= limit
      if !state.isShort { state.taken += 1 }
      return !state.isShort
    }
  }

  /// Returns the room of a batch that has ended or was not found.
  func freeRoom() {
    let wasShort = state.withLock { state in
      defer { state.isShort = false }
      state.taken -= 1
      return state.isShort
    }
    if wasShort { signal() }
  }

  func leased(_ batch: Batch) { state.withLock { $0.lastApp = batch.appNumber } }

  /// Ends the waiting of all tasks.
  func stop() { for wakeup in wakeups { wakeup.continuation.finish() } }
}
