/// A rule about a bundle's set-up: the fault that it finds, why the fault matters and how to fix
/// it.
package struct DoctorRule: Sendable {
  /// The severity of a finding, in descending order.
  package enum Severity: String, Sendable, CaseIterable {
    /// The app is rejected, or notifications are not enriched.
    case error
    /// Something works differently than intended.
    case warning
    case note
  }

  /// Something without which a rule cannot be checked.
  package enum Need: Sendable {
    /// The app that contains the extension.
    case app
    /// A signature of a team.
    case signature
    /// A bundle for iOS or visionOS, because Apple's rules for the Mac differ.
    case device
  }

  /// A name that does not change across releases, such as `principal-class`.
  package let code: String
  package let severity: Severity
  /// The fault that the rule finds, in one line without a full stop.
  package let summary: String
  package let why: String
  package let fix: String
  package let needs: [Need]
  let check: @Sendable (Inspection) -> [Fault]

  init(
    _ code: String, _ severity: Severity, summary: String, why: String, fix: String,
    needs: [Need] = [], check: @escaping @Sendable (Inspection) -> [Fault]
  ) {
    self.code = code
    self.severity = severity
    self.summary = summary
    self.why = why
    self.fix = fix
    self.needs = needs
    self.check = check
  }
}

/// A bundle that breaks a rule, and the values that break it.
struct Fault: Sendable {
  let path: String
  let message: String

  init(_ bundle: InspectedBundle, _ message: String) { self.init(bundle.path, message) }
  init(_ path: String, _ message: String) {
    self.path = path
    self.message = message
  }
}
