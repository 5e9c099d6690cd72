package import PushPayload

/// The findings of all rules in one payload.
package struct LintReport: Sendable {
  /// A finding with its rule and its position in the file.
  package struct Entry: Sendable {
    package var rule: LintRule
    package var path: String
    package var message: String
    package var position: JSONPosition
  }

  /// The most findings of one rule; further ones are dropped.
  static let maximumPerRule = 20

  /// The findings in the order of the file; at the same position they are sorted by code.
  package var entries: [Entry]

  package init(_ subject: LintSubject) {
    entries = LintRules.all.flatMap { rule in
      rule.check(subject).prefix(Self.maximumPerRule).map { finding in
        let offset = finding.offset ?? subject.scan.offset(of: finding.path)
        return Entry(
          rule: rule, path: finding.path, message: finding.message,
          position: subject.scan.position(of: offset))
      }
    }
    entries.sort { Self.sortKey($0) < Self.sortKey($1) }
  }

  private static func sortKey(_ entry: Entry) -> (Int, Int, String, String) {
    (entry.position.line, entry.position.column, entry.rule.code, entry.path)
  }

  package func count(_ severity: LintRule.Severity) -> Int {
    entries.count { $0.rule.severity == severity }
  }

  package var hasErrors: Bool { count(.error) > 0 }
}
