package import PushPayload
/// What all rules found in one payload.
package struct LintReport: Sendable {
  /// One finding with its rule and its place in the file.
  package struct Entry: Sendable {
    package var rule: LintRule
    package var path: String
    package var message: String
    package var position: JSONPosition
  }

  /// A rule that finds more than this has said enough.
  static let maximumPerRule = 20

  /// In the order of the file, then of the codes.
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
    entries.sort { Self.order($0) < Self.order($1) }
  }

  private static func order(_ entry: Entry) -> (Int, Int, String, String) {
    (entry.position.line, entry.position.column, entry.rule.code, entry.path)
  }

  package func count(_ severity: LintRule.Severity) -> Int {
    entries.count { $0.rule.severity == severity }
  }

  package var hasErrors: Bool { count(.error) > 0 }
}
