import CMicroHTTPD
import Synchronization

/// A request body that arrives while its handler runs, with back-pressure.
///
/// While ``capacity`` bytes or more wait for the handler, the connection is suspended.
package final class IncomingBody: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    /// Whether the handler has answered, so that further bytes are dropped.
    var isClosed = false
    var end: Result<Void, IncomingBodyError>?
    var suspended: SuspendedConnection?
    var reader: CheckedContinuation<Void, Never>?
  }

  /// The limit of waiting bytes, which the last piece may exceed.
  static let capacity = 256 * 1024

  private let state: Mutex<State>

  /// The number of bytes that wait for the handler.
  var waitingCount: Int { state.withLock(\.waiting.count) }

  init() { state = Mutex(State()) }

  /// Makes a body that is complete.
  package init(_ bytes: [UInt8]) { state = Mutex(State(waiting: bytes, end: .success(()))) }

  /// Returns the bytes that arrived since the last call, or the next ones; `nil` at the end.
  ///
  /// It is called by one task only.
  ///
  /// - Throws: ``IncomingBodyError`` where the body is not complete.
  package func next() async throws(IncomingBodyError) -> [UInt8]? {
    await waitForBytes()
    let (bytes, end, suspended) = state.withLock { state in
      defer { state.waiting = [] }
      return (state.waiting, state.end, state.suspended.take())
    }
    suspended?.resume()
    guard bytes.isEmpty else { return bytes }
    try end?.get()
    return nil
  }

  private func waitForBytes() async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        guard state.waiting.isEmpty, state.end == nil else { return true }
        state.reader = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  // MARK: The connection

  /// Appends bytes that arrived, inside a callback of the connection.
  func append(_ bytes: UnsafeRawBufferPointer, on connection: OpaquePointer) {
    state.withLock { state in
      guard !state.isClosed else { return nil as CheckedContinuation<Void, Never>? }
      unsafe state.waiting.append(contentsOf: bytes)
      if state.waiting.count >= Self.capacity {
        state.suspended = unsafe SuspendedConnection(suspending: connection)
      }
      return state.reader.take()
    }?.resume()
  }

  /// Ends the body, which is complete or failed; later calls change nothing.
  func end(_ end: Result<Void, IncomingBodyError> = .success(())) {
    let (suspended, reader) = state.withLock { state in
      if state.end == nil { state.end = end }
      return (state.suspended.take(), state.reader.take())
    }
    suspended?.resume()
    reader?.resume()
  }

  /// Drops the bytes that wait and that will arrive, since the handler has answered.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.waiting = []
      return state.suspended.take()
    }?.resume()
  }
}

/// The reason why a body is not complete.
package struct IncomingBodyError: Error, Sendable {
  package var message: String

  static let connectionClosed = IncomingBodyError(
    message: "the connection closed before the end of the body")
  static let tooLong = IncomingBodyError(message: "the body is longer than is allowed here")
}
