/// The page docs/app/doctor.md, which lists every rule in Markdown.
package enum RulePage {
  package static var text: String {
    let counts = DoctorRule.Severity.allCases.map { severity in
      "\(BundleDoctor.rules.count { $0.severity == severity }) \(severity.rawValue)s"
    }
    return """
      # martlet doctor

      `martlet doctor PATH…` opens an `.app`, `.appex`, `.ipa` or `.xcarchive`, or each of those below a folder,
      and reports which faults of a notification service extension's set-up it shows. It reads Info.plists (XML
      and binary), executables (thin and fat), their code signatures and entitlements, and provisioning
      profiles. It runs no code, needs no Mac, and does not check the trust of certificates. The exit code is 0
      without an error, 1 with one, and 2 where a bundle cannot be read; `--fail-on warning` or `note` makes
      those count too; `--format json` and `--format sarif` print the findings for programs.

      Apps for iOS and visionOS are examined, and those for the Mac, native or Catalyst, by the rules that the Mac
      has too. An app for tvOS, which has no such extensions, or for watchOS is refused by name. An extension of
      another kind, such as a share extension, is left alone; one whose extension point is absent or misspelled is
      reported.

      \(BundleDoctor.rules.count) rules: \(counts.joined(separator: ", ")). This page is generated from the table of rules.

      \(BundleDoctor.rules.map(section).joined(separator: "\n\n"))

      """
  }

  private static func section(_ rule: DoctorRule) -> String {
    let needs = rule.needs.compactMap { need -> String? in
      switch need {
      case .app: "the app"
      case .signature: "a signature"
      case .device: nil
      }
    }
    let condition =
      (needs.isEmpty ? "" : " Checked if there is \(needs.joined(separator: " and ")).")
      + (rule.needs.contains(.device) ? " Not checked for the Mac." : "")
    return """
      ## `\(rule.code)`

      **\(rule.severity.rawValue)** · \(rule.summary).\(condition)

      \(rule.why)

      *Fix.* \(rule.fix)
      """
  }
}
