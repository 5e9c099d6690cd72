import PushPayload

/// The answers of several delegates to one call, which become one answer.
final class Gathering: Sendable {
  private struct State {
    var options: UInt
    /// The delegates that have not answered.
    var missing: Set<Int>
    var isDone = false
  }

  private let state: Locked<State>
  private let completion: @Sendable (UInt) -> Void

  /// - Parameters:
  ///   - options: The bits of the device's own answer.
  ///   - count: The number of other delegates; if it is 0, the answer is given at once.
  ///   - completion: Called once with the bits of all answers together.
  init(_ options: UInt, of count: Int, completion: @escaping @Sendable (UInt) -> Void) {
    state = Locked(State(options: options, missing: Set(0..<count)))
    self.completion = completion
    if count == 0 { giveAnswer() }
  }

  var isDone: Bool { state.withLock(\.isDone) }

  /// Takes a delegate's answer; only the first answer of each delegate counts.
  func take(_ options: UInt, from delegate: Int) {
    let isLast = state.withLock { state in
      guard state.missing.remove(delegate) != nil else { return false }
      state.options |= options
      return state.missing.isEmpty
    }
    if isLast { giveAnswer() }
  }

  /// Gives the answer, if it has not been given.
  func giveAnswer() {
    let options: UInt? = state.withLock { state in
      guard !state.isDone else { return nil }
      state.isDone = true
      return state.options
    }
    if let options { completion(options) }
  }
}
