import PushModel
import Synchronization

/// The batches of one class at a node: the room for those in flight, and the signals to the tasks that lease them.
///
/// A task that has leased a batch wakes the next task, so that as many lease at once as there is work for. A store can
/// commit these leases together.
///
/// An app whose pushes are not answered keeps its room until the client gives them up. So a lane that was full for some
/// time has as much extra room, for apps that have no batch in flight.
final class Lane: Sendable {
  let sendClass: SendClass
  /// The signal to each task that leases batches.
  let wakeups: [Wakeup]
  private let limit: Int
  private let state = Mutex(State())

  /// The time for which a lane is full before it has extra room.
  static let patience = Duration.seconds(1)

  /// The answer to a task that asks for room.
  enum Room: Equatable {
    /// Room for a batch, but of none of these apps, which are left out of extra room.
    case free(excluding: Set<Int64>)
    /// No room before this time has passed, unless the lane is woken.
    case taken(wait: Duration)
  }

  private struct State {
    var taken = 0
    /// The time from which there is extra room if the lane is full.
    var extraFrom = Timestamp(milliseconds: 0)
    /// The number of batches in flight of each app.
    var inFlight: [Int64: Int] = [:]
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

  /// Makes a lane with at most `limit` batches in flight besides those in extra room, which `takers` tasks lease.
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

  /// Takes room for a batch; if there is none for every app, the lane is woken when there is some again.
  func takeRoom(at now: Timestamp) -> Room {
    state.withLock { state in
      guard state.taken >= limit else {
        state.isShort = false
        state.taken += 1
        state.extraFrom = now + Self.patience
        return .free(excluding: [])
      }
      state.isShort = true
      guard state.taken - limit < limit else { return .taken(wait: Self.patience) }
      // The wait is not longer after the clock was set back.
      state.extraFrom = min(state.extraFrom, now + Self.patience)
      guard state.extraFrom <= now else { return .taken(wait: state.extraFrom.since(now)) }
      state.taken += 1
      return .free(excluding: Set(state.inFlight.keys))
    }
  }

  /// Returns room for which no batch was found, and with it the extra room for some time.
  ///
  /// Each search for a batch of other apps passes all that is due of the apps that fill the lane.
  func returnRoom(at now: Timestamp) { free(extraFrom: now + Self.patience) }

  /// Notes that a batch has the room that was taken for it.
  func leased(_ batch: Batch) {
    state.withLock { state in
      state.lastApp = batch.appNumber
      state.inFlight[batch.appNumber, default: 0] += 1
    }
  }

  /// Returns the room of a batch that has ended.
  func ended(_ batch: Batch, at now: Timestamp) {
    state.withLock { state in
      let rest = (state.inFlight[batch.appNumber] ?? 1) - 1
      state.inFlight[batch.appNumber] = rest > 0 ? rest : nil
    }
    free(extraFrom: now)
  }

  /// Returns room; `extraFrom` is the time from which there is extra room if the lane is still full.
  private func free(extraFrom: Timestamp) {
    let wasShort = state.withLock { state in
      state.taken -= 1
      guard state.taken < limit else {
        state.extraFrom = extraFrom
        return false
      }
      defer { state.isShort = false }
      return state.isShort
    }
    if wasShort { signal() }
  }

  /// Ends the waiting of all tasks.
  func stop() { for wakeup in wakeups { wakeup.continuation.finish() } }
}
