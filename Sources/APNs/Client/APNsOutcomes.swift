import Synchronization

/// What became of the pushes of a sequence, in the order of their ends.
///
/// The pushes are asked for as outcomes are taken: at most ``APNsClient/send(_:window:)``'s window is on
/// its way or waits to be read, however long the sequence is. Ending the iteration early takes back what has
/// not left this machine; the answers to the rest are read by nobody.
public struct APNsOutcomes<Pushes: AsyncSequence & Sendable>: AsyncSequence
where Pushes.Element == APNsNotification {
  /// A push and its outcome.
  public struct Element: Sendable {
    /// The push.
    public let notification: APNsNotification
    /// What became of it.
    public let outcome: APNsOutcome
  }

  let pushes: Pushes
  let window: Int
  let client: APNsClient

  /// Begins to send.
  ///
  /// - Returns: What takes the outcomes.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Takes the outcomes; the sending ends with it.
  public final class Iterator: AsyncIteratorProtocol {
    private let window: SendWindow
    private let producer: Task<Void, Never>
    /// Kept until the last outcome: nobody else need hold it, and with it the connections would go.
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
        // What was posted as the reader left.
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
    /// - Returns: A push and what became of it; `nil` after the last.
    /// - Throws: What the sequence of pushes threw, after the outcomes of those before.
    public func next() async throws -> Element? {
      let element = try await outcomes.next(isolation: #isolation)
      if element != nil { window.leave() }
      return element
    }
  }
}

/// How many pushes of a sequence may be under way, counted until their outcomes are read.
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

  /// Waits until there is room; of one task only.
  ///
  /// `false` where the task was cancelled.
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

  /// A push has its outcome; whether it was the last.
  func answered() -> Bool {
    state.withLock { state in
      state.unanswered -= 1
      return state.hasEnded && state.unanswered == 0
    }
  }

  /// No push comes any more; whether all have their outcome.
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
