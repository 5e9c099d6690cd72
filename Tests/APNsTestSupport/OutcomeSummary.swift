package import APNs
package import Testing

extension APNsOutcome {
  /// The status, or `maybe` or `never` where there is none.
  package var ending: String {
    status.map(String.init) ?? (kind == .maybeSent ? "maybe" : "never")
  }
}

extension Sequence<APNsOutcome> {
  /// The number of outcomes of each ending, so that a failed expectation prints one line and not one an outcome.
  package var endings: [String: Int] {
    Dictionary(map { ($0.ending, 1) }, uniquingKeysWith: +)
  }
}

/// Expects something of each outcome, and prints at most three of those that differ.
package func expectAll(
  _ outcomes: [APNsOutcome], _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ isMet: (APNsOutcome) -> Bool
) {
  let others = outcomes.filter { !isMet($0) }
  guard !others.isEmpty else { return }
  let examples = others.prefix(3).map { "\n  \($0)" }.joined()
  Issue.record(
    "\(others.count) of \(outcomes.count) outcomes do not \(what):\(examples)",
    sourceLocation: sourceLocation)
}
