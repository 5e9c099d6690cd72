/// The rule for renewing the plans of a connection's prepared statements.
///
/// A plan fits the size that its tables had. After a small table has grown, an old plan reads the
/// whole table, or uses an index that does not distinguish its rows. PostgreSQL renews plans after it
/// has analyzed a table, which may be a minute later. Therefore they are renewed at the first use
/// after five seconds, and at the first, second, fourth, eighth and so on use of all.
struct PlanRenewal {
  private static let lifetime = Duration.seconds(5)
  private var uses = 0
  private var last: ContinuousClock.Instant?

  /// Whether plans must be renewed for a use that begins now.
  mutating func isDue(at now: ContinuousClock.Instant) -> Bool {
    uses += 1
    let hasDoubled = uses & (uses - 1) == 0
    if let last, now - last < Self.lifetime, !hasDoubled { return false }
    last = now
    return true
  }
}

extension PostgreSQLConnection {
  /// If the plans are old, has the following statements planned for the tables' current size.
  package func renewPlans() throws(PostgreSQLError) {
    if planRenewal.isDue(at: .now) { try queue("DISCARD PLANS") }
  }
}
