/// A signal that wakes one worker; signals sent while it works count as one.
struct Wakeup: Sendable {
  let signals: AsyncStream<Void>
  let continuation: AsyncStream<Void>.Continuation

  init() {
    (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func signal() { continuation.yield() }
}
