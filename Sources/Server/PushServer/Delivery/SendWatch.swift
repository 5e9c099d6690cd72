import PushModel
import PushPayload

/// A poll of one send's state and counts, until the send is over.
struct SendWatch: Sendable {
  /// The time between two reads of the store.
  private static let interval = Duration.milliseconds(500)
  /// The number of unchanged reads in a row after which a comment is sent, so that no proxy closes the connection.
  private static let keepAliveReads = 30
  private static let comment = Array(": still here\n\n".utf8)

  let send: Send
  let store: any PushStore
  let clock: ServerClock
  /// Whether the one who asked for the events is still admitted.
  var isAllowed: @Sendable () async throws -> Bool = { true }

  /// Returns server-sent events, each with the notification's object as a read answers it.
  ///
  /// A slow reader gets the newest state, and not the states before it.
  func events() -> AsyncStream<[UInt8]> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        var last = send
        continuation.yield(Self.event(last))
        var unchanged = 0
        while !last.state.isOver {
          do {
            try await clock.sleep(Self.interval)
            let found: Send? = try await StoreDeadline.perCall {
              try await isAllowed() ? store.send(last.id, app: last.app) : nil
            }
            guard let now = found else { break }
            unchanged = now == last ? unchanged + 1 : 0
            if now != last { continuation.yield(Self.event(now)) }
            last = now
          } catch is StoreError {
            unchanged += 1
          } catch {
            break
          }
          if unchanged == Self.keepAliveReads {
            // The comment must not take the place of a state that was not read yet.
            if case .dropped(let unread) = continuation.yield(Self.comment) {
              continuation.yield(unread)
            }
            unchanged = 0
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

  /// Waits until the send meets a condition, at most for `limit`.
  ///
  /// Apple usually answers within the first second, in which the store is read often.
  ///
  /// - Returns: The send as it was read last, whether it meets the condition or not.
  func wait(within limit: Duration, until isReached: (Send) -> Bool) async throws -> Send {
    let start = clock.now()
    var last = send
    while !isReached(last) {
      let passed = clock.now().since(start)
      guard passed < limit else { break }
      try await clock.sleep(
        min(passed < .seconds(1) ? .milliseconds(10) : .milliseconds(250), limit - passed))
      guard let now = try await store.send(last.id, app: last.app) else { break }
      last = now
    }
    return last
  }
}
