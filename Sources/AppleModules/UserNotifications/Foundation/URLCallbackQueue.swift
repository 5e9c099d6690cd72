import Foundation
import Synchronization

/// A queue that calls handlers and delegates of the extension one after the other.
final class URLCallbackQueue: Sendable {
  private struct Call: Sendable {
    var world: UNWorld
    var body: @Sendable () -> Void
  }

  private struct State: Sendable {
    var calls: [Call] = []
    var isRunning = false
  }

  /// The operation queue that the extension passed; `nil` if a thread is used instead.
  ///
  /// `OperationQueue` is not used without need, because the threads of Dispatch can be busy with other tests.
  private let queue: OperationQueue?
  private let state = Mutex(State())

  init(_ queue: OperationQueue?) { self.queue = queue }

  /// Adds a call in an environment, whose clock is held until the call has returned.
  func add(in world: UNWorld, _ body: @escaping @Sendable () -> Void) {
    let starts = state.withLock { state in
      state.calls.append(Call(world: world, body: body))
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard starts else { return }
    let release = world.network?.hold()
    let run: @Sendable () -> Void = {
      while let call = self.next() { call.world.run(call.body) }
      release?()
    }
    if let queue { queue.addOperation(run) } else { Thread.detachNewThread(run) }
  }

  private func next() -> Call? {
    state.withLock { state in
      guard state.calls.isEmpty else { return state.calls.removeFirst() }
      state.isRunning = false
      return nil
    }
  }
}
