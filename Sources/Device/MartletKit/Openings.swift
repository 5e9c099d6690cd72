import PushPayload

/// The taps on notifications in order: first those that the app has not taken yet, then each new one.
///
/// ```swift
/// for await opening in push.openings {
///   print(opening.notificationID, opening.link ?? "no link")
/// }
/// ```
///
/// A tap is stored before the system is answered, and is delivered once, to one loop. A tap that started the app, or that came
/// before anybody listened, waits. The sequence never ends.
public struct Openings: AsyncSequence, Sendable {
  /// An element.
  public typealias Element = Opening

  let box: OpeningBox

  /// Takes taps.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let box: OpeningBox

    /// Waits for the next tap and takes it.
    ///
    /// - Returns: The tap; `nil` if the task was canceled.
    public mutating func next() async -> Opening? { await box.next() }
  }

  /// Begins to take taps.
  ///
  /// - Returns: The iterator.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(box: box) }
}

/// The taps that wait, and the loops that wait for taps.
final class OpeningBox: Sendable {
  /// The number of taps that are remembered, so that a tap that is reported twice is recognized.
  private static let memory = 100

  private struct State {
    var waiting: [Opening] = []
    var seen: [String] = []
    var takers: [(number: Int, continuation: CheckedContinuation<Opening?, Never>)] = []
    var nextNumber = 0
  }

  private let state = Locked(State())
  private let load: @Sendable () -> Void
  private let taken: @Sendable (Opening) -> Void

  /// - Parameters:
  ///   - load: Adds the taps of earlier runs.
  ///   - taken: Is called with a tap before a loop gets it.
  init(load: @escaping @Sendable () -> Void, taken: @escaping @Sendable (Opening) -> Void) {
    self.load = load
    self.taken = taken
  }

  /// Whether this tap is reported for the first time in this process.
  func isNew(_ opening: Opening) -> Bool { state.withLock { !$0.seen.contains(opening.id) } }

  func isWaiting(_ id: String) -> Bool { state.withLock { $0.waiting.contains { $0.id == id } } }

  /// Adds a tap, unless it is known.
  func add(_ opening: Opening) {
    state.withLock { state in
      guard !state.seen.contains(opening.id) else { return }
      state.seen = state.seen.suffix(Self.memory - 1) + [opening.id]
      state.waiting.append(opening)
    }
  }

  /// Hands the taps that wait to the loops that wait.
  func deliver() {
    while let (opening, continuation) = state.withLock({ state in
      state.waiting.isEmpty || state.takers.isEmpty
        ? nil : (state.waiting.removeFirst(), state.takers.removeFirst().continuation)
    }) {
      taken(opening)
      continuation.resume(returning: opening)
    }
  }

  func removeAll() { state.withLock { $0.waiting = [] } }

  func next() async -> Opening? {
    load()
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCanceled = state.withLock { state in
          if Task.isCancelled { return true }
          state.takers.append((number, continuation))
          return false
        }
        if isCanceled { return continuation.resume(returning: nil) }
        deliver()
      }
    } onCancel: {
      let taker = state.withLock { state in
        let index = state.takers.firstIndex { $0.number == number }
        return index.map { state.takers.remove(at: $0) }
      }
      taker?.continuation.resume(returning: nil)
    }
  }
}
