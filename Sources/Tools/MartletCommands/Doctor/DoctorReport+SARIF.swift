import BundleDoctor

extension DoctorReport {
  /// One log for all bundles; the location of a finding is the bundle's path inside the input.
  static func sarif(_ reports: [DoctorReport], unread: [String]) -> SARIF {
    SARIF(
      tool: "martlet doctor",
      rules: BundleDoctor.rules.map { rule in
        SARIF.Rule(
          code: rule.code, summary: rule.summary, why: rule.why, help: "Fix: \(rule.fix)",
          severity: rule.severity.rawValue)
      },
      results: reports.flatMap { report in
        report.diagnosis.findings.map { finding in
          SARIF.Result(
            code: finding.rule.code, severity: finding.rule.severity.rawValue,
            message: "\(finding.rule.summary): \(finding.message); fix: \(finding.rule.fix)",
            input: report.path, place: finding.path)
        }
      }, unread: unread)
  }
}
