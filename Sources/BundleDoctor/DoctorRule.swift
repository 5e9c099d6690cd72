/// One fault of a set-up that a bundle can show: what, why it matters, what to do, and how it is seen.
package struct DoctorRule: Sendable {
  package enum Severity: String, Sendable, CaseIterable { case error, warning, note }

  /// What must have been given for the rule to say anything.
  package enum Need: Sendable {
    /// An app beside the extension.
    case app
    /// A signature by somebody.
    case signature
  }

  /// Stable across releases.
  package let code: String
  package let severity: Severity
  /// What is wrong, in one line.
  package let summary: String
  package let why: String
  package let fix: String
  package let needs: [Need]
  let check: @Sendable (Inspection) -> [Fault]

  init(
    _ code: String, _ severity: Severity, _ summary: String, why: String, fix: String,
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

/// Where a rule is broken, and with which values.
struct Fault: Sendable {
  let path: String
  let message: String

  init(_ bundle: InspectedBundle, _ message: String) { self.init(bundle.path, message) }
  init(_ path: String, _ message: String) {
    self.path = path
    self.message = message
  }
}
