/// A rule of the model of iOS, numbered as in `docs/app/ios-model.md`.
///
/// ``DeliveryReport/trace`` names the rule of each decision, and ``DeliveryReport/rule`` the one that decided
/// the outcome.
public struct HostRule: Hashable, Sendable, CustomStringConvertible {
  /// The source of the knowledge about a rule.
  public struct Evidence: RawRepresentable, Hashable, Sendable {
    /// The name, such as `documented`.
    public let rawValue: String

    /// Creates a kind of evidence.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Apple documents the rule.
    public static let documented = Evidence(rawValue: "documented")
    /// Apps in production have observed the rule, and Apple does not document it.
    public static let observed = Evidence(rawValue: "observed")
    /// Published analyses of the system's code found the rule, which may change with any version.
    public static let reverseEngineered = Evidence(rawValue: "reverse-engineered")
  }

  /// The number in `docs/app/ios-model.md`.
  public let number: Int
  /// The stable name, in lower-case words joined by hyphens.
  public let name: String
  /// The source of the knowledge about the rule.
  public let evidence: Evidence
  /// The behavior of the system, in words.
  public let summary: String
  /// The properties of ``HostBehavior`` that change the rule.
  public let switches: [String]

  init(
    _ number: Int, _ name: String, evidence: Evidence, summary: String, switches: [String] = []
  ) {
    self.number = number
    self.name = name
    self.evidence = evidence
    self.summary = summary
    self.switches = switches
  }

  /// All rules, ordered by number.
  public static var all: [HostRule] {
    requestRules + runRules + outcomeRules + attachmentRules + processRules
      + fileRules + expandedRules + destinationRules
  }

  /// The name.
  public var description: String { name }
}
