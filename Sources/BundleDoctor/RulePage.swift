/// The page that lists every rule, in Markdown.
package enum RulePage {
  package static var text: String {
    let counts = DoctorRule.Severity.allCases.map { severity in
      "\(BundleDoctor.rules.count { $0.severity == severity }) \(severity.rawValue)s"
    }
    return """
      # martlet doctor

      `martlet doctor PATH` opens an `.app`, `.appex`, `.ipa` or `.xcarchive` and tells which faults of a
      notification service extension's set-up it shows. It reads Info.plists (XML and binary), executables
      (thin and fat), their code signatures and entitlements, and provisioning profiles. It runs nothing,
      needs no Mac, and judges no certificate's trust. Exit code 0 without an error, 1 with one.

      \(BundleDoctor.rules.count) rules: \(counts.joined(separator: ", ")). Written by the table of rules itself.

      \(BundleDoctor.rules.map(section).joined(separator: "\n\n"))

      """
  }

  private static func section(_ rule: DoctorRule) -> String {
    let needs = rule.needs.map { need in
      switch need {
      case .app: "the app"
      case .signature: "a signature"
      }
    }
    let condition =
      needs.isEmpty ? "" : " Asked where there is \(needs.joined(separator: " and "))."
    return """
      ## `\(rule.code)`

      **\(rule.severity.rawValue)** · \(rule.summary).\(condition)

      \(rule.why)

      *Fix.* \(rule.fix)
      """
  }
}
