/// The times at which a call of the database must have ended.
package struct PostgreSQLDeadline: Sendable {
  /// The time at which a call without a connection fails.
  package var connection: ContinuousClock.Instant
  /// The time at which a call without an answer fails; `nil` waits for the answer.
  ///
  /// The connection can then not be used any more, and the server ends the statement.
  package var answer: ContinuousClock.Instant?

  package init(connection: ContinuousClock.Instant, answer: ContinuousClock.Instant? = nil) {
    (self.connection, self.answer) = (connection, answer)
  }

  /// Whether the time for the server's answer has passed.
  package func hasPassed(at now: ContinuousClock.Instant) -> Bool {
    answer.map { $0 <= now } ?? false
  }
}

/// The deadlines of a pool's calls, which end soon after its owner stops.
struct PoolDeadlines: Sendable {
  /// The time at which the pool was closed, and the time that calls may take after that.
  private var closing: (since: ContinuousClock.Instant, limit: Duration)?
  /// Whether the last call since the pool was closed found no server.
  private var isAway = false

  mutating func close(_ limit: Duration, at now: ContinuousClock.Instant) {
    closing = closing ?? (now, limit)
  }

  mutating func answered() { isAway = false }

  mutating func unanswered() { isAway = closing != nil }

  /// The time at which a call that began at `start` must have ended; `given` is its own deadline.
  ///
  /// In a closed pool, each call gets the whole time limit if the server answers. If the server is away, all calls
  /// together get it once, because otherwise each of many calls would wait that long.
  func end(
    of given: ContinuousClock.Instant?, from start: ContinuousClock.Instant
  ) -> ContinuousClock.Instant? {
    guard let closing else { return given }
    let end = (isAway ? closing.since : max(closing.since, start)) + closing.limit
    return given.map { min($0, end) } ?? end
  }
}
