import PushModel
import Synchronization
import _RecordedDisk

@testable import PushStore

/// The database of a world with several nodes, which outlives them.
///
/// It stands for PostgreSQL as its nodes see it: its transactions run one after the other, as in PostgreSQL's strictest
/// isolation, and none that was committed is lost. What PostgreSQL does to transactions that run at once is tried by the
/// suites of the store on a real server.
final class SharedDatabase: Sendable {
  let store: SQLitePushStore
  private let listeners = Mutex<[AsyncStream<Void>.Continuation]>([])

  /// Opens the database on a disk, which must outlive it.
  init(_ disk: NodeDisk, scheduler: Scheduler) throws(StoreError) {
    store = try SQLitePushStore(path: disk.path, disk: disk.recorded.name) {
      scheduler.makeRunner(owner: 0)
    }
  }

  /// Tells all nodes that there may be work.
  func announce() {
    for listener in listeners.withLock(\.self) { listener.yield() }
  }

  func announcements() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    listeners.withLock { $0.append(continuation) }
    return stream
  }
}

/// The way of one node to the shared database: how often it breaks, and the transaction at which the node dies.
final class DatabaseWay: Sendable {
  /// The shares of each kind of failure, of a thousand transactions.
  struct Shares: Hashable, Sendable {
    /// The database undoes it for the sake of another one, or the connection breaks before the commit.
    var undone = 0
    /// The connection breaks during the commit.
    var answerLost = 0
  }

  /// What becomes of one transaction.
  enum Fate: Hashable, Sendable {
    case committed
    case undone
    case answerLost(isCommitted: Bool)
    /// The node dies, and nobody sees the answer.
    case died(isCommitted: Bool)
  }

  let life: SimulationNode.Life
  private let shares: Shares
  private let chance: Chance
  private let state = Mutex(State())

  private struct State {
    var count = 0
    /// The number of transactions after which the node dies; `nil` if none is chosen.
    var fatal: Int?
    var isHealthy = false
  }

  init(of life: SimulationNode.Life, _ shares: Shares, chance: Chance) {
    (self.life, self.shares, self.chance) = (life, shares, chance)
  }

  /// Lets the node die at a transaction: the first one after `count` others, or at once.
  func die(after count: Int) {
    state.withLock { $0.fatal = $0.count + count }
    if count == 0 { life.end() }
  }

  /// Ends all failures.
  func heal() {
    state.withLock { ($0.fatal, $0.isHealthy) = (nil, true) }
  }

  /// The number of transactions before the one at which the node has died; `nil` if it lives.
  var death: Int? { life.isOver ? state.withLock(\.fatal) : nil }

  /// What becomes of the next transaction.
  ///
  /// - Throws: `StoreError`, if the node has died.
  func fate() throws(StoreError) -> Fate {
    try checkLife()
    let (isLast, isHealthy) = state.withLock { state in
      defer { state.count += 1 }
      return (state.fatal == state.count, state.isHealthy)
    }
    if isLast {
      life.end()
      return .died(isCommitted: chance.isTrue(500))
    }
    if isHealthy { return .committed }
    if chance.isTrue(shares.undone) { return .undone }
    if chance.isTrue(shares.answerLost) { return .answerLost(isCommitted: chance.isTrue(500)) }
    return .committed
  }

  /// - Throws: `StoreError`, if the node has died.
  func checkLife() throws(StoreError) {
    if life.isOver { throw StoreError(.unavailable, "the node has died") }
  }
}
