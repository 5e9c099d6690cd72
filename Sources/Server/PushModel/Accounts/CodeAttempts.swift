/// The attempts to enter a code of an account's second factor: five, then one every five minutes.
///
/// A code has a million values, and three are valid at a time, so attempts must be few. The attempts are stored as
/// the time at which all of them will have been given back.
package struct CodeAttempts: Equatable, Sendable {
  /// The most attempts in a row.
  package static let limit = 5
  /// The time after which one attempt is given back.
  package static let interval = Duration.seconds(300)

  package var spentUntil: Timestamp

  package init(spentUntil: Timestamp) { self.spentUntil = spentUntil }

  /// Takes an attempt.
  ///
  /// - Returns: The time to wait; `nil` if the attempt was taken.
  package mutating func take(at now: Timestamp) -> Duration? {
    let spent = max(spentUntil, now) + Self.interval
    let wait = spent.since(now) - Self.interval * Self.limit
    guard wait <= .zero else { return wait }
    spentUntil = spent
    return nil
  }
}
