import Synchronization

/// A request body that arrives while its handler runs, with back-pressure.
///
/// Nothing is read from the connection while ``capacity`` bytes or more wait for the handler.
package final class IncomingBody: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    /// Whether the handler has answered, in which case further bytes are dropped.
    var isClosed = false
    var end: Result<Void, IncomingBodyError>?
    var isPaused = false
    var reader: CheckedContinuation<Void, Never>?
  }

  /// The limit of waiting bytes, which the last piece may exceed.
  static let capacity = 256 * 1024

  private let state: Mutex<State>
  /// The closure that is called when reading from a paused connection can continue.
  private let resume: @Sendable () -> Void

  /// The number of bytes waiting for the handler.
  var waitingCount: Int { state.withLock(\.waiting.count) }

  init(resume: @escaping @Sendable () -> Void) {
    state = Mutex(State())
    self.resume = resume
  }

  /// Makes a complete body.
  package init(_ bytes: [UInt8]) {
    state = Mutex(State(waiting: bytes, end: .success(())))
    resume = {}
  }

  /// Returns the bytes that arrived since the last call, or waits for more; `nil` at the end of the body.
  ///
  /// Only one task may call it.
  ///
  /// - Throws: ``IncomingBodyError`` if the body is not complete.
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

  /// Appends received bytes.
  ///
  /// - Returns: Whether reading from the connection may continue; otherwise `resume` is called later.
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

  /// Ends the body as complete or failed; later calls have no effect.
  func end(_ end: Result<Void, IncomingBodyError> = .success(())) {
    state.withLock { state in
      if state.end == nil { state.end = end }
      return state.reader.take()
    }?.resume()
  }

  /// Drops waiting and later bytes, because the handler has answered.
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
