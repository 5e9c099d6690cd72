import PayloadLint
import PushPayload

extension LintResult {
  /// Two lines for each finding: the position and message as compilers print them, and the fix.
  var text: [String] {
    (report?.entries ?? []).flatMap { entry in
      [
        "\(name == "-" ? "<stdin>" : name):\(entry.position.line):\(entry.position.column): "
          + "\(entry.rule.severity.rawValue): \(entry.sentence) [\(entry.rule.code)]",
        "    fix: \(entry.rule.fix)",
      ]
    }
  }
}

/// The numbers of payloads and of findings by severity.
struct LintCounts {
  private var findings: [LintRule.Severity: Int] = [:]
  private var payloads = 0

  mutating func add(_ report: LintReport) {
    payloads += 1
    for entry in report.entries { findings[entry.rule.severity, default: 0] += 1 }
  }

  /// A line such as `2 errors, 1 warning and no note in 3 payloads`.
  var summary: String {
    let counts = LintRule.Severity.allCases.map { severity in
      Self.counted(findings[severity, default: 0], severity.rawValue)
    }
    return counts.dropLast().joined(separator: ", ") + " and " + (counts.last ?? "") + " in "
      + Self.counted(payloads, "payload")
  }

  private static func counted(_ number: Int, _ word: String) -> String {
    "\(number == 0 ? "no" : String(number)) \(word)\(number == 1 ? "" : "s")"
  }
}

extension LintReport.Entry {
  /// A sentence such as `$.aps.badge is a string; it takes a whole number from 0`.
  var sentence: String { (path == "$" ? "the payload" : path) + " " + message }
}
