/// The attempts to enter a code of an account's second factor: five, then one in five minutes.
///
/// A code has a million values and three are valid at a time, so that nobody may try many. The attempts are one
/// instant, at which all of them are given back.
package struct CodeAttempts: Equatable, Sendable {
  /// The most attempts at once.
  package static let limit = 5
  /// The time in which one attempt is given back.
  package static let interval = Duration.seconds(300)

  package var spentUntil: Timestamp

  package init(spentUntil: Timestamp) { self.spentUntil = spentUntil }

  /// Takes an attempt.
  ///
  /// - Returns: The time to wait; `nil` where the attempt was taken.
  package mutating func take(at now: Timestamp) -> Duration? {
    let spent = max(spentUntil, now) + Self.interval
    let wait = spent.since(now) - Self.interval * Self.limit
    guard wait <= .zero else { return wait }
    spentUntil = spent
    return nil
  }
}
