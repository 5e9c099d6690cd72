/// The times by which a call of the database has to have ended.
package struct PostgreSQLDeadline: Sendable {
  /// When a call fails that has no connection yet.
  package var connection: ContinuousClock.Instant
  /// When a call fails that the server has not answered; `nil` waits for the answer.
  ///
  /// The connection is then of no more use, and the server ends what it was doing.
  package var answer: ContinuousClock.Instant?

  package init(connection: ContinuousClock.Instant, answer: ContinuousClock.Instant? = nil) {
    (self.connection, self.answer) = (connection, answer)
  }

  /// Whether the time for the server's answer is over.
  package func hasPassed(at now: ContinuousClock.Instant) -> Bool {
    answer.map { $0 <= now } ?? false
  }
}

/// The times of the calls of a pool, which end soon once its owner stops.
struct PoolDeadlines: Sendable {
  /// When the pool was closed, and for how long calls may take since then.
  private var closing: (since: ContinuousClock.Instant, limit: Duration)?
  /// Whether the last call found no server, since the pool was closed.
  private var isAway = false

  mutating func close(_ limit: Duration, at now: ContinuousClock.Instant) {
    closing = closing ?? (now, limit)
  }

  mutating func answered() { isAway = false }

  mutating func unanswered() { isAway = closing != nil }

  /// When a call that began at `start` has to have ended; `given` is its own time.
  ///
  /// A pool that is closed gives a server that answers the whole time for each call, and a server that is away the time
  /// once: many calls that follow each other would otherwise wait as many times.
  func end(
    of given: ContinuousClock.Instant?, from start: ContinuousClock.Instant
  ) -> ContinuousClock.Instant? {
    guard let closing else { return given }
    let end = (isAway ? closing.since : max(closing.since, start)) + closing.limit
    return given.map { min($0, end) } ?? end
  }
}
