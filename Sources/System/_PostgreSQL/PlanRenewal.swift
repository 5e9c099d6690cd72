/// When the plans that a connection keeps for its prepared statements are made anew.
///
/// A plan fits the size that its tables had. One from when a table was small reads the whole table,
/// or takes an index that does not tell its rows apart, once it has grown. PostgreSQL makes plans anew
/// when it has analyzed a table, which may be a minute later. So they are made anew at the first use
/// after five seconds, and at the first, second, fourth, eighth and so on use of all.
struct PlanRenewal {
  private static let lifetime = Duration.seconds(5)
  private var uses = 0
  private var last: ContinuousClock.Instant?

  /// Whether plans are to be made anew for a use that begins now.
  mutating func isDue(at now: ContinuousClock.Instant) -> Bool {
    uses += 1
    let hasDoubled = uses & (uses - 1) == 0
    if let last, now - last < Self.lifetime, !hasDoubled { return false }
    last = now
    return true
  }
}

extension PostgreSQLConnection {
  /// Has the statements that follow planned for the tables' size of now, where their plans are old.
  package func renewPlans() throws(PostgreSQLError) {
    if planRenewal.isDue(at: .now) { try queue("DISCARD PLANS") }
  }
}
