import Synchronization

/// A request body that arrives while its handler runs, with back-pressure.
///
/// While ``capacity`` bytes or more wait for the handler, nothing is read from the connection.
package final class IncomingBody: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    /// Whether the handler has answered, so that further bytes are dropped.
    var isClosed = false
    var end: Result<Void, IncomingBodyError>?
    var isPaused = false
    var reader: CheckedContinuation<Void, Never>?
  }

  /// The limit of waiting bytes, which the last piece may exceed.
  static let capacity = 256 * 1024

  private let state: Mutex<State>
  /// Called when a paused connection may be read again.
  private let resume: @Sendable () -> Void

  /// The number of bytes that wait for the handler.
  var waitingCount: Int { state.withLock(\.waiting.count) }

  init(resume: @escaping @Sendable () -> Void) {
    state = Mutex(State())
    self.resume = resume
  }

  /// Makes a body that is complete.
  package init(_ bytes: [UInt8]) {
    state = Mutex(State(waiting: bytes, end: .success(())))
    resume = {}
  }

  /// Returns the bytes that arrived since the last call, or the next ones; `nil` at the end.
  ///
  /// It is called by one task only.
  ///
  /// - Throws: ``IncomingBodyError`` where the body is not complete.
  package func next() async throws(IncomingBodyError) -> [UInt8]? {
    await waitForBytes()
    let (bytes, end, wasPaused) = state.withLock { state in
      defer { (state.waiting, state.isPaused) = ([], false) }
      return (state.waiting, state.end, state.isPaused)
    }
    if wasPaused { resume() }
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

  /// Appends bytes that arrived.
  ///
  /// - Returns: Whether the connection may be read on; otherwise `resume` is called later.
  func append(_ bytes: ArraySlice<UInt8>) -> Bool {
    let (reader, isPaused) = state.withLock { state in
      guard !state.isClosed else { return (nil as CheckedContinuation<Void, Never>?, false) }
      state.waiting.append(contentsOf: bytes)
      state.isPaused = state.waiting.count >= Self.capacity
      return (state.reader.take(), state.isPaused)
    }
    reader?.resume()
    return !isPaused
  }

  /// Ends the body, which is complete or failed; later calls change nothing.
  func end(_ end: Result<Void, IncomingBodyError> = .success(())) {
    state.withLock { state in
      if state.end == nil { state.end = end }
      return state.reader.take()
    }?.resume()
  }

  /// Drops the bytes that wait and that will arrive, since the handler has answered.
  func close() {
    let wasPaused = state.withLock { state in
      defer { (state.waiting, state.isPaused) = ([], false) }
      state.isClosed = true
      return state.isPaused
    }
    if wasPaused { resume() }
  }
}

/// The reason why a body is not complete.
package struct IncomingBodyError: Error, Sendable {
  package var message: String

  static let connectionClosed = IncomingBodyError(
    message: "the connection closed before the end of the body")
  static let tooLong = IncomingBodyError(message: "the body is longer than is allowed here")
  static let malformed = IncomingBodyError(message: "the body's chunks are not well formed")
}
