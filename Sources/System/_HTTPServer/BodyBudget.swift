import Synchronization

/// The memory and the disk space that all request bodies of a server share.
///
/// Bodies that are arriving may take an eighth of the memory. Beyond that they are written to disk, so
/// that slow clients do not keep memory from others. The rest is for the values that handlers make of
/// bodies, by their ``BodyCost``. Large bodies wait in a separate line and cannot use a sixteenth of the
/// memory, so that the small bodies of phones do not wait behind them.
final class BodyBudget: Sendable {
  private struct Waiter {
    var id: Int
    var cost: Int
    var continuation: CheckedContinuation<Bool, Never>
  }

  /// The memory taken by the bodies of a line, and the bodies that wait.
  private struct Line {
    var limit: Int
    var taken = 0
    var waiters: [Waiter] = []
  }

  private struct State {
    var arriving = 0
    var onDisk = 0
    /// The line of small bodies, followed by that of large ones.
    var lines: [Line]
    var nextID = 0

    /// The memory that the handlers hold.
    var handled: Int { lines.reduce(0) { $0 + $1.taken } }
  }

  /// The most requests of a line that wait for memory; one more is answered with 503.
  static let waiterLimit = 256

  let memory: Int
  let disk: Int
  /// The memory for bodies that are arriving.
  let arrivingLimit: Int
  /// The memory for bodies that are being handled.
  let handledLimit: Int
  /// The highest cost of one body.
  let largest: Int
  /// The highest cost of a small body.
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

  /// Takes memory for an arriving body; `false` if the body must be written to disk.
  func take(_ bytes: Int) -> Bool {
    state.withLock { state in
      guard state.arriving + bytes <= arrivingLimit else { return false }
      state.arriving += bytes
      return true
    }
  }

  func releaseArriving(_ bytes: Int) { state.withLock { $0.arriving -= bytes } }

  /// Takes disk space; `false` if all bodies together have used theirs.
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

  /// Waits in line for the memory to handle a body, whose cost is at most ``largest``.
  ///
  /// - Returns: `false` if too many bodies wait, or the task was cancelled; no memory is then taken.
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

  /// Resumes the waiting bodies for which there is now enough memory.
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
