import PushPayload
import PushStore

/// A send as its state and counts change, until it is over.
struct SendWatch: Sendable {
  /// How often the store is asked.
  private static let interval = Duration.milliseconds(500)
  /// How many times in a row nothing new is said, before a comment shows that somebody is there.
  private static let quiet = 30

  let send: Send
  let store: any PushStore
  let clock: ServerClock

  /// Server-sent events, each the send's object as a read answers it.
  func events() -> AsyncStream<[UInt8]> {
    AsyncStream { continuation in
      let task = Task {
        var last = send
        continuation.yield(Self.event(last))
        var silent = 0
        while !last.state.isOver {
          do {
            try await clock.sleep(Self.interval)
            guard let now = try await store.send(last.id, app: last.app) else { break }
            silent = now == last ? silent + 1 : 0
            if now != last { continuation.yield(Self.event(now)) }
            last = now
          } catch is StoreError {
            silent += 1
          } catch {
            break
          }
          if silent == Self.quiet {
            continuation.yield(Array(": still here\n\n".utf8))
            silent = 0
          }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private static func event(_ send: Send) -> [UInt8] {
    Array("data: ".utf8) + send.answer.bytes + Array("\n\n".utf8)
  }

  /// Waits until a send is as it is wanted, at most as long as a caller does.
  ///
  /// - Returns: The send, as wanted or not.
  func wait(within limit: Duration, until isReached: (Send) -> Bool) async throws -> Send {
    let start = clock.now()
    var last = send
    while !isReached(last), clock.now().since(start) < limit {
      try await clock.sleep(.milliseconds(10))
      guard let now = try await store.send(last.id, app: last.app) else { break }
      last = now
    }
    return last
  }
}
