import PushModel
import Synchronization

/// A cache of the composers of the sends that this node delivers.
final class ComposerCache: Sendable {
  /// The most sends in the cache; when it is full, the oldest is removed.
  static let capacity = 256

  private struct State {
    /// The compiled composers, or the errors that keep a send from reaching any device.
    var composers: [String: Result<Composer, ComposeError>] = [:]
    /// The ids of the sends in the cache, the oldest first.
    var order: [String] = []
  }

  private let paddingMultiple: Int
  private let state = Mutex(State())

  /// `paddingMultiple` is an option of the composers.
  init(paddingMultiple: Int = 1) { self.paddingMultiple = paddingMultiple }

  /// Returns the composer of a send, and compiles it if the cache does not have it.
  ///
  /// - Throws: ``ComposeError`` if the send's payload cannot be composed for any device.
  func composer(of send: Send, at now: Timestamp) throws(ComposeError) -> Composer {
    if let known = state.withLock({ $0.composers[send.id] }) { return try known.get() }
    var options = Composer.Options(now: now)
    options.expiresAt = send.expiresAt
    options.paddingMultiple = paddingMultiple
    let compiled: Result<Composer, ComposeError>
    do throws(ComposeError) {
      compiled = .success(try Composer(send.payload, notification: send.id, options: options))
    } catch {
      compiled = .failure(error)
    }
    state.withLock { state in
      if state.composers.updateValue(compiled, forKey: send.id) != nil { return }
      if state.order.count == Self.capacity {
        state.composers[state.order.removeFirst()] = nil
      }
      state.order.append(send.id)
    }
    return try compiled.get()
  }
}
