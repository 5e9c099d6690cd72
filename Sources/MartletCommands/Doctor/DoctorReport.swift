import BundleDoctor
import PushPayload

/// What the doctor found, for people and for programs.
struct DoctorReport: Sendable {
  let path: String
  let inspection: Inspection
  let diagnosis: BundleDoctor.Diagnosis

  /// Findings one by one, then a line of counts.
  func text(isQuiet: Bool) -> String {
    var lines: [String] = []
    for finding in diagnosis.findings {
      lines.append("\(finding.rule.severity.rawValue): \(finding.path): \(finding.rule.summary)")
      lines.append("  \(finding.message) [\(finding.rule.code)]")
      if !isQuiet {
        lines.append("  why  \(finding.rule.why)")
        lines.append("  fix  \(finding.rule.fix)")
      }
    }
    lines.append(summary)
    return lines.joined(separator: "\n")
  }

  private var summary: String {
    let counts = DoctorRule.Severity.allCases.compactMap { severity -> String? in
      let count = diagnosis.count(severity)
      return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    let asked = BundleDoctor.rules.count - diagnosis.skipped.count
    let passed = diagnosis.skipped.isEmpty ? "" : ", \(diagnosis.skipped.count) had nothing to see"
    return (counts.isEmpty ? "no faults" : counts.joined(separator: ", "))
      + "; \(asked) rules asked" + passed
  }

  var json: JSONValue {
    [
      "path": .string(path), "kind": .string(inspection.kind.rawValue),
      "app": inspection.app.map(Self.bundle) ?? .null,
      "extensions": .array(inspection.services.map(Self.bundle)),
      "errors": .integer(Int64(diagnosis.count(.error))),
      "warnings": .integer(Int64(diagnosis.count(.warning))),
      "notes": .integer(Int64(diagnosis.count(.note))),
      "findings": .array(
        diagnosis.findings.map { finding in
          [
            "code": .string(finding.rule.code),
            "severity": .string(finding.rule.severity.rawValue), "path": .string(finding.path),
            "summary": .string(finding.rule.summary), "message": .string(finding.message),
            "why": .string(finding.rule.why), "fix": .string(finding.rule.fix),
          ]
        }), "skipped": .array(diagnosis.skipped.map(JSONValue.string)),
    ]
  }

  private static func bundle(_ bundle: InspectedBundle) -> JSONValue {
    let text = { (text: String?) -> JSONValue in text.map(JSONValue.string) ?? .null }
    return [
      "path": .string(bundle.path), "bundleID": text(bundle.bundleID),
      "version": text(bundle.info["CFBundleShortVersionString"]?.string),
      "build": text(bundle.info["CFBundleVersion"]?.string),
      "minimumSystem": text(bundle.minimumSystem?.description),
      "architectures": .array(bundle.slices.map { .string($0.architecture) }),
      "team": text(bundle.signature?.teamID), "profile": text(bundle.grantedBy?.name),
    ]
  }
}
