/// A check of a bundle by every rule.
package struct BundleDoctor: Sendable {
  /// Every rule, in the order in which findings are reported.
  package static let rules: [DoctorRule] =
    DoctorRule.embedding + DoctorRule.identity + DoctorRule.extensionKeys
    + DoctorRule.contentExtension + DoctorRule.martlet + DoctorRule.executable
    + DoctorRule.transport + DoctorRule.signatures + DoctorRule.profiles
    + DoctorRule.entitlements + DoctorRule.communication

  /// The result of a check.
  package struct Diagnosis: Sendable {
    package let findings: [Finding]
    /// The codes of the rules that could not be checked, because the bundle lacks something that they need.
    package let skipped: [String]

    package func count(_ severity: DoctorRule.Severity) -> Int {
      findings.count { $0.rule.severity == severity }
    }
  }

  /// A fault that a rule found in a bundle.
  package struct Finding: Sendable {
    package let rule: DoctorRule
    /// The path of the bundle inside the input.
    package let path: String
    package let message: String
  }

  package init() {}

  package func examine(_ inspection: Inspection) -> Diagnosis {
    let hasSignature = inspection.subjects.contains { $0.signature != nil }
    var findings: [Finding] = []
    var skipped: [String] = []
    for rule in Self.rules {
      let isPossible = rule.needs.allSatisfy { need in
        switch need {
        case .app: inspection.app != nil
        case .signature: hasSignature
        case .device: !inspection.system.isMac
        }
      }
      guard isPossible else {
        skipped.append(rule.code)
        continue
      }
      findings += rule.check(inspection).map {
        Finding(rule: rule, path: $0.path, message: $0.message)
      }
    }
    return Diagnosis(findings: findings, skipped: skipped)
  }
}
