/// One thing about a payload that its sender should know.
public struct PayloadFinding: Hashable, Sendable {
  /// The rule's name, stable across releases: `wrong-type`, `too-large`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name as it is printed.
    public let rawValue: String

    /// Names a rule.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A key holds a value of a type that Apple's table does not allow.
    public static let wrongType = Code(rawValue: "wrong-type")
    /// A value lies outside what its key takes.
    public static let outOfRange = Code(rawValue: "out-of-range")
    /// The encoded payload is larger than APNs takes.
    public static let tooLarge = Code(rawValue: "too-large")
    /// Neither an alert, a badge, a sound nor a background update.
    public static let nothingToShow = Code(rawValue: "nothing-to-show")
  }

  /// Which rule.
  public var code: Code
  /// Where, as a JSON path from the top: `$.aps.badge`.
  public var path: String
  /// What is wrong and what the key takes, without the value itself.
  public var message: String

  /// Makes a finding.
  ///
  /// - Parameters:
  ///   - code: Which rule.
  ///   - path: A JSON path from the top.
  ///   - message: What is wrong and what the key takes.
  public init(code: Code, path: String, message: String) {
    self.code = code
    self.path = path
    self.message = message
  }
}
