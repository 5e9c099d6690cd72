import PushStore
import Synchronization

/// What this node remembers of the sends that it works on; any of it may be forgotten at any time.
final class SendsUnderWay: Sendable {
  struct Memory: Sendable {
    /// Compiled once; its error is why no device can be sent anything.
    var composer: Result<Composer, ComposeError>?
  }

  /// How many sends are remembered; the oldest are forgotten.
  static let limit = 256

  private struct State {
    var memories: [String: Memory] = [:]
    var order: [String] = []
  }

  private let state = Mutex(State())

  /// The composer of a send.
  func composer(of send: Send, at now: Timestamp) throws(ComposeError) -> Composer {
    if let known = memory(of: send.id, { $0.composer }) ?? nil { return try known.get() }
    var options = Composer.Options(now: now)
    options.expiresAt = send.expiresAt
    let made: Result<Composer, ComposeError>
    do throws(ComposeError) {
      made = .success(try Composer(send.payload, notification: send.id, options: options))
    } catch {
      made = .failure(error)
    }
    change(send.id) { $0.composer = made }
    return try made.get()
  }

  private func memory<T: Sendable>(
    of send: String, _ value: @Sendable (Memory) -> T
  ) -> T? {
    state.withLock { $0.memories[send].map(value) }
  }

  private func change(_ send: String, _ body: (inout Memory) -> Void) {
    state.withLock { state in
      if state.memories[send] == nil {
        if state.order.count == Self.limit {
          state.memories[state.order.removeFirst()] = nil
        }
        state.order.append(send)
      }
      body(&state.memories[send, default: Memory()])
    }
  }
}
