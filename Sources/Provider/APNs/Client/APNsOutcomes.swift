import Synchronization

/// The outcomes of the pushes of a sequence, in the order in which they end.
///
/// Pushes are requested from the sequence as outcomes are read: at most the window of
/// ``APNsClient/send(_:window:)`` is in flight or waits to be read, however long the sequence is. If the iteration
/// ends early, pushes that were not sent are withdrawn, and the outcomes of the others are dropped.
public struct APNsOutcomes<Pushes: AsyncSequence & Sendable>: AsyncSequence
where Pushes.Element == APNsNotification {
  /// A push and its outcome.
  public struct Element: Sendable {
    /// The push.
    public let notification: APNsNotification
    /// The outcome.
    public let outcome: APNsOutcome
  }

  let pushes: Pushes
  let window: Int
  let client: APNsClient

  /// Starts sending.
  ///
  /// - Returns: An iterator over the outcomes.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// An iterator over the outcomes; sending stops when it is released.
  public final class Iterator: AsyncIteratorProtocol {
    private let window: SendWindow
    private let producer: Task<Void, Never>
    /// Retained until the last outcome, because the connections are closed when the client is released.
    private let client: APNsClient
    private var outcomes: AsyncThrowingStream<Element, any Error>.Iterator

    init(_ sequence: APNsOutcomes) {
      let (stream, continuation) = AsyncThrowingStream<Element, any Error>.makeStream()
      let window = SendWindow(limit: sequence.window)
      self.window = window
      outcomes = stream.makeAsyncIterator()
      let (pushes, client) = (sequence.pushes, sequence.client)
      self.client = client
      producer = Task { @concurrent in
        var failure: (any Error)?
        do {
          for try await push in pushes {
            guard await window.enter() else { break }
            client.transport.post(push, of: ObjectIdentifier(window)) { outcome in
              continuation.yield(Element(notification: push, outcome: outcome))
              if window.answered() { continuation.finish(throwing: window.failure) }
            }
          }
        } catch { failure = error }
        // Pushes that were posted while the iterator was released.
        if Task.isCancelled { client.transport.withdraw(ObjectIdentifier(window)) }
        if window.ended(failure) { continuation.finish(throwing: failure) }
      }
    }

    deinit {
      producer.cancel()
      client.transport.withdraw(ObjectIdentifier(window))
    }

    /// Waits for the next outcome.
    ///
    /// - Returns: A push and its outcome; `nil` after the last one.
    /// - Throws: The error of the sequence of pushes, after the outcomes of the pushes before it.
    public func next() async throws -> Element? {
      let element = try await outcomes.next(isolation: #isolation)
      if element != nil { window.leave() }
      return element
    }
  }
}

/// The window of a sequence: limits how many pushes are in flight or have an outcome that was not read.
private final class SendWindow: Sendable {
  private struct State {
    var inside = 0
    var unanswered = 0
    var hasEnded = false
    var failure: (any Error)?
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = max(1, limit) }

  var failure: (any Error)? { state.withLock { $0.failure } }

  /// Waits until there is room; called by one task only.
  ///
  /// - Returns: `false` if the task was cancelled.
  func enter() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isFree = state.withLock { state in
          guard state.inside >= limit, !Task.isCancelled else { return true }
          state.waiter = continuation
          return false
        }
        if isFree { continuation.resume() }
      }
    } onCancel: {
      wake()
    }
    guard !Task.isCancelled else { return false }
    state.withLock { state in
      state.inside += 1
      state.unanswered += 1
    }
    return true
  }

  /// An outcome was read.
  func leave() {
    state.withLock { $0.inside -= 1 }
    wake()
  }

  /// Counts a push that has its outcome, and returns whether it was the last one.
  func answered() -> Bool {
    state.withLock { state in
      state.unanswered -= 1
      return state.hasEnded && state.unanswered == 0
    }
  }

  /// Notes that the sequence of pushes has ended, and returns whether all pushes have their outcomes.
  func ended(_ failure: (any Error)?) -> Bool {
    state.withLock { state in
      state.hasEnded = true
      state.failure = failure
      return state.unanswered == 0
    }
  }

  private func wake() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }
}
