import Synchronization

/// The memory and the disk space that all request bodies of a server share.
///
/// While bodies arrive they may take an eighth of the memory; beyond that each goes to disk at once, so
/// that clients that send slowly keep no memory from others. The rest is for what handlers make of bodies,
/// by their ``BodyCost``. A sixteenth of all is kept from large bodies: they wait in a line of their own,
/// and small ones, as phones send them, do not wait behind them.
final class BodyBudget: Sendable {
  private struct Waiter {
    var id: Int
    var cost: Int
    var continuation: CheckedContinuation<Bool, Never>
  }

  /// What the bodies of a line take, and those that wait.
  private struct Line {
    var limit: Int
    var taken = 0
    var waiters: [Waiter] = []
  }

  private struct State {
    var arriving = 0
    var onDisk = 0
    /// The line of small bodies, and that of large ones.
    var lines: [Line]
    var nextID = 0

    /// What the handlers hold.
    var handled: Int { lines.reduce(0) { $0 + $1.taken } }
  }

  /// The most requests of a line that wait for memory; a further one is answered 503.
  static let waiterLimit = 256

  let memory: Int
  let disk: Int
  /// The memory for bodies that arrive.
  let arrivingLimit: Int
  /// The memory for bodies that are handled.
  let handledLimit: Int
  /// The most that one body may cost.
  let largest: Int
  /// The most that a small body costs.
  let smallCost: Int
  private let state: Mutex<State>

  init(memory: Int, disk: Int) {
    self.memory = memory
    self.disk = disk
    arrivingLimit = memory / 8
    largest = memory * 13 / 16
    smallCost = memory / 1024
    handledLimit = memory - memory / 8
    state = Mutex(State(lines: [Line(limit: handledLimit), Line(limit: largest)]))
  }

  /// The memory in use.
  var used: Int { state.withLock { $0.arriving + $0.handled } }
  var usedOnDisk: Int { state.withLock(\.onDisk) }

  // MARK: Bodies that arrive

  /// Takes memory for a body that arrives; `false` where the body has to go to disk.
  func take(_ bytes: Int) -> Bool {
    state.withLock { state in
      guard state.arriving + bytes <= arrivingLimit else { return false }
      state.arriving += bytes
      return true
    }
  }

  func release(_ bytes: Int) { state.withLock { $0.arriving -= bytes } }

  /// Takes disk space; `false` where all bodies together have taken theirs.
  func takeDisk(_ bytes: Int) -> Bool {
    state.withLock { state in
      guard state.onDisk + bytes <= disk else { return false }
      state.onDisk += bytes
      return true
    }
  }

  func releaseDisk(_ bytes: Int) { state.withLock { $0.onDisk -= bytes } }

  // MARK: Bodies that are handled

  private func line(of cost: Int) -> Int { cost <= smallCost ? 0 : 1 }

  /// Waits in line for the memory to handle a body of at most ``largest``.
  ///
  /// - Returns: `false` where too many wait, or the task was cancelled; then no memory is taken.
  func acquire(_ cost: Int) async -> Bool {
    let line = line(of: cost)
    let id: Int? = state.withLock { state in
      if state.lines[line].waiters.isEmpty, take(cost, from: line, of: &state) { return nil }
      state.nextID += 1
      return state.nextID
    }
    guard let id else { return true }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          if state.lines[line].waiters.isEmpty, take(cost, from: line, of: &state) { return true }
          guard state.lines[line].waiters.count < Self.waiterLimit, cost <= largest else {
            return false
          }
          let waiter = Waiter(id: id, cost: cost, continuation: continuation)
          state.lines[line].waiters.append(waiter)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      state.withLock { state in
        state.lines[line].waiters.firstIndex { $0.id == id }.map {
          state.lines[line].waiters.remove(at: $0)
        }
      }?.continuation.resume(returning: false)
      admit()
    }
  }

  /// Returns the memory of a body that was handled.
  func releaseHandled(_ cost: Int) {
    let line = line(of: cost)
    state.withLock { $0.lines[line].taken -= cost }
    admit()
  }

  private func take(_ cost: Int, from line: Int, of state: inout State) -> Bool {
    guard state.handled + cost <= handledLimit,
      state.lines[line].taken + cost <= state.lines[line].limit
    else { return false }
    state.lines[line].taken += cost
    return true
  }

  /// Lets those go on for whom there is memory now.
  private func admit() {
    let admitted = state.withLock { state in
      var admitted: [Waiter] = []
      for line in state.lines.indices {
        while let first = state.lines[line].waiters.first,
          take(first.cost, from: line, of: &state)
        {
          admitted.append(state.lines[line].waiters.removeFirst())
        }
      }
      return admitted
    }
    for waiter in admitted { waiter.continuation.resume(returning: true) }
  }
}
