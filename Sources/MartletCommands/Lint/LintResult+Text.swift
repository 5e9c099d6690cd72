import PayloadLint
import PushPayload

extension LintResult {
  /// Two lines for each finding: place and message as compilers print them, and the fix.
  var text: [String] {
    (report?.entries ?? []).flatMap { entry in
      [
        "\(name == "-" ? "<stdin>" : name):\(entry.position.line):\(entry.position.column): "
          + "\(entry.rule.severity.rawValue): \(entry.sentence) [\(entry.rule.code)]",
        "    fix: \(entry.rule.fix)",
      ]
    }
  }

  /// `2 errors, 1 warning and no note in 3 payloads`.
  static func summary(_ results: [LintResult]) -> String {
    let reports = results.compactMap(\.report)
    let counts = LintRule.Severity.allCases.map { severity in
      let number = reports.reduce(0) { $0 + $1.count(severity) }
      return counted(number, severity.rawValue)
    }
    return counts.dropLast().joined(separator: ", ") + " and " + (counts.last ?? "") + " in "
      + counted(reports.count, "payload")
  }

  private static func counted(_ number: Int, _ word: String) -> String {
    "\(number == 0 ? "no" : String(number)) \(word)\(number == 1 ? "" : "s")"
  }
}

extension LintReport.Entry {
  /// `$.aps.badge is a string; it takes a whole number from 0`.
  var sentence: String { (path == "$" ? "the payload" : path) + " " + message }
}
