/// A rule by which the model of iOS decides, as `docs/ios-model.md` numbers it.
///
/// The trace of a ``DeliveryReport`` names the rule of each decision, and ``DeliveryReport/rule`` the
/// one that decided what the person sees.
public struct HostRule: Hashable, Sendable, CustomStringConvertible {
  /// From where a rule is known.
  public struct Evidence: RawRepresentable, Hashable, Sendable {
    /// The word as documents print it.
    public let rawValue: String

    /// Names a kind of evidence.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Apple's pages say so.
    public static let documented = Evidence(rawValue: "documented")
    /// Apps in use have seen it, and Apple does not promise it.
    public static let observed = Evidence(rawValue: "observed")
    /// Published studies of the system's code say so; it may change with any version.
    public static let reverseEngineered = Evidence(rawValue: "reverse-engineered")
  }

  /// Its number in the document.
  public let number: Int
  /// Its name: lower-case words joined by hyphens, which stay the same.
  public let name: String
  /// From where it is known.
  public let evidence: Evidence
  /// What the system does.
  public let summary: String
  /// The properties of ``HostBehavior`` that change it.
  public let switches: [String]

  init(
    _ number: Int, _ name: String, _ evidence: Evidence, _ summary: String, switches: [String] = []
  ) {
    self.number = number
    self.name = name
    self.evidence = evidence
    self.summary = summary
    self.switches = switches
  }

  /// Every rule, by number.
  public static var all: [HostRule] {
    requestRules + runRules + outcomeRules + attachmentRules + processRules
  }

  /// The name.
  public var description: String { name }
}
