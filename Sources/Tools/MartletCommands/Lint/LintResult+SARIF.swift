import PayloadLint
import PushPayload

extension LintResult {
  /// One log for all payloads.
  static func sarif(_ results: [LintResult]) -> SARIF {
    SARIF(
      tool: "martlet lint",
      rules: LintRules.all.map { rule in
        SARIF.Rule(
          code: rule.code, summary: rule.summary, why: rule.why, help: LintManual.text(rule),
          severity: rule.severity.rawValue)
      },
      results: results.flatMap(\.sarifResults),
      unread: results.filter { $0.report == nil }.map(\.name))
  }

  private var sarifResults: [SARIF.Result] {
    (report?.entries ?? []).map { entry in
      SARIF.Result(
        code: entry.rule.code, severity: entry.rule.severity.rawValue,
        message: "\(entry.sentence); fix: \(entry.rule.fix)", input: name, place: entry.path,
        position: (entry.position.line, entry.position.column))
    }
  }
}
