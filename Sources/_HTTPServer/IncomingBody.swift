import CMicroHTTPD
import Synchronization

/// A body that comes while its handler runs: no faster than the handler takes it, and never held whole.
///
/// While so much waits that more would be held than ``capacity``, the connection sleeps.
package final class IncomingBody: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    /// Nobody takes any more, so what comes is forgotten.
    var isUnwanted = false
    var end: Result<Void, IncomingBodyError>?
    var suspended: SuspendedConnection?
    var reader: CheckedContinuation<Void, Never>?
  }

  /// Bytes; one piece of what a connection reads may come on top.
  static let capacity = 256 * 1024

  private let state: Mutex<State>

  /// How many bytes wait for the handler.
  var waitingCount: Int { state.withLock(\.waiting.count) }

  init() { state = Mutex(State()) }

  /// A body that is here already.
  package init(_ bytes: [UInt8]) { state = Mutex(State(waiting: bytes, end: .success(()))) }

  /// All that has come since the last call, or what comes next; `nil` at the end.
  ///
  /// To be called by one task, one call after the other.
  package func next() async throws(IncomingBodyError) -> [UInt8]? {
    await untilSomethingCame()
    let (bytes, end, suspended) = state.withLock { state in
      defer { state.waiting = [] }
      return (state.waiting, state.end, state.suspended.take())
    }
    suspended?.resume()
    guard bytes.isEmpty else { return bytes }
    try end?.get()
    return nil
  }

  private func untilSomethingCame() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        guard state.waiting.isEmpty, state.end == nil else { return true }
        state.reader = continuation
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  // MARK: The connection

  /// Called in a callback of the connection.
  func came(_ bytes: UnsafeRawBufferPointer, on connection: OpaquePointer) {
    state.withLock { state in
      guard !state.isUnwanted else { return nil as CheckedContinuation<Void, Never>? }
      unsafe state.waiting.append(contentsOf: bytes)
      if state.waiting.count >= Self.capacity {
        state.suspended = unsafe SuspendedConnection(suspending: connection)
      }
      return state.reader.take()
    }?.resume()
  }

  /// The body is whole, or nothing more of it will come; the first word counts.
  func end(_ end: Result<Void, IncomingBodyError> = .success(())) {
    let (suspended, reader) = state.withLock { state in
      if state.end == nil { state.end = end }
      return (state.suspended.take(), state.reader.take())
    }
    suspended?.resume()
    reader?.resume()
  }

  /// The handler has answered.
  func close() {
    state.withLock { state in
      state.isUnwanted = true
      state.waiting = []
      return state.suspended.take()
    }?.resume()
  }
}

/// A body that does not come to its end.
package struct IncomingBodyError: Error, Sendable {
  package var message: String

  static let cutOff = IncomingBodyError(message: "the connection closed before the end of the body")
  static let tooLong = IncomingBodyError(message: "the body is longer than is allowed here")
}
