/// A query for the entries of an audit log.
package struct AuditQuery: Hashable, Sendable {
  /// Who made a change.
  package enum Actor: Hashable, Sendable {
    /// The key with an id.
    case key(String)
    /// The person with the id of an account.
    case person(String)
    /// The command line, the server itself, or a caller that was refused.
    case unnamed
  }

  package var actor: Actor?
  /// The parts of the actions before the dot, such as "key"; an empty array matches every action.
  package var subjects: [String] = []
  package var times: ClosedRange<Timestamp>?

  /// Makes a query that matches every entry.
  package init() {}
}
