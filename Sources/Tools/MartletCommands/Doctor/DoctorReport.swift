import BundleDoctor
import PushPayload

/// The findings in a bundle, as text and as JSON.
struct DoctorReport: Sendable {
  let path: String
  let inspection: Inspection
  let diagnosis: BundleDoctor.Diagnosis

  /// The findings, with reasons and fixes unless `isQuiet` is true, followed by a line of counts.
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
    if inspection.system.isMac {
      lines.append(
        "This is a bundle for \(inspection.system.rawValue): rules for iOS alone were not checked.")
    }
    lines.append(summary)
    return lines.joined(separator: "\n")
  }

  private var summary: String {
    let counts = DoctorRule.Severity.allCases.compactMap { severity -> String? in
      let count = diagnosis.count(severity)
      return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    let checked = BundleDoctor.rules.count - diagnosis.skipped.count
    let skipped =
      diagnosis.skipped.isEmpty ? "" : ", \(diagnosis.skipped.count) could not be checked"
    return (counts.isEmpty ? "no faults" : counts.joined(separator: ", "))
      + "; \(checked) rules checked" + skipped
  }

  var json: JSONValue {
    [
      "path": .string(path), "kind": .string(inspection.kind.rawValue),
      "system": .string(inspection.system.rawValue),
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
