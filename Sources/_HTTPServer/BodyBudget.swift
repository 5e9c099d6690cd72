import Synchronization

/// The memory and the disk space that all request bodies of a server share.
///
/// While bodies arrive they may take an eighth of the memory; beyond that each goes to disk at once, so
/// that clients that send slowly keep no memory from others. The rest is for bodies that are handled.
final class BodyBudget: Sendable {
  private struct Waiter {
    var id: Int
    var bytes: Int
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var arriving = 0
    var handled = 0
    var onDisk = 0
    var waiters: [Waiter] = []
    var nextID = 0
  }

  /// The most requests that wait for memory; a further one is answered 503.
  static let waiterLimit = 256

  let memory: Int
  let disk: Int
  private let state = Mutex(State())

  init(memory: Int, disk: Int) {
    self.memory = memory
    self.disk = disk
  }

  /// The memory in use.
  var used: Int { state.withLock { $0.arriving + $0.handled } }
  var usedOnDisk: Int { state.withLock(\.onDisk) }

  /// Takes memory for a body that arrives; `false` where the body has to go to disk.
  func take(_ bytes: Int) -> Bool {
    state.withLock { state in
      guard state.arriving + bytes <= memory / 8, state.arriving + state.handled + bytes <= memory
      else { return false }
      state.arriving += bytes
      return true
    }
  }

  func release(_ bytes: Int) { change { $0.arriving -= bytes } }

  /// Takes disk space; `false` where all bodies together have taken theirs.
  func takeDisk(_ bytes: Int) -> Bool {
    state.withLock { state in
      guard state.onDisk + bytes <= disk else { return false }
      state.onDisk += bytes
      return true
    }
  }

  func releaseDisk(_ bytes: Int) { state.withLock { $0.onDisk -= bytes } }

  /// Waits in line for the memory to handle a body that is on disk, of at most ``memory`` bytes.
  ///
  /// - Returns: `false` where too many wait, or the task was cancelled; then no memory is taken.
  func acquire(_ bytes: Int) async -> Bool {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          if state.waiters.isEmpty, state.arriving + state.handled + bytes <= memory {
            state.handled += bytes
            return true
          }
          guard state.waiters.count < Self.waiterLimit, bytes <= memory else { return false }
          state.waiters.append(Waiter(id: id, bytes: bytes, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }?.continuation.resume(returning: false)
      change { _ in }
    }
  }

  /// Returns the memory of a body that was handled.
  func releaseHandled(_ bytes: Int) { change { $0.handled -= bytes } }

  private func change(_ apply: (inout State) -> Void) {
    let admitted = state.withLock { state in
      apply(&state)
      var admitted: [Waiter] = []
      while let first = state.waiters.first,
        state.arriving + state.handled + first.bytes <= memory
      {
        state.handled += first.bytes
        admitted.append(state.waiters.removeFirst())
      }
      return admitted
    }
    for waiter in admitted { waiter.continuation.resume(returning: true) }
  }
}
