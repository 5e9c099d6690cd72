#if canImport(Testing)  // A build with --static-swift-stdlib has no Testing.
  package import APNs
  package import Testing

  extension APNsOutcome {
    /// The status, or `maybe` or `never` without one.
    package var ending: String {
      status.map(String.init) ?? (kind == .maybeSent ? "maybe" : "never")
    }
  }

  extension Sequence<APNsOutcome> {
    /// The number of outcomes by ending, so that a failed expectation prints one line and not one per outcome.
    package var endings: [String: Int] {
      Dictionary(map { ($0.ending, 1) }, uniquingKeysWith: +)
    }
  }

  /// Expects a condition of each outcome, and prints at most three that do not meet it.
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
#endif
