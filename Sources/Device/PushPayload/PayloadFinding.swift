/// A problem of a payload that its sender should know about.
public struct PayloadFinding: Hashable, Sendable {
  /// The kind of a finding; its name is stable across releases: `wrong-type`, `too-large`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name as it is printed.
    public let rawValue: String

    /// Makes a kind from its name.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A value has a type that its key does not take.
    public static let wrongType = Code(rawValue: "wrong-type")
    /// A value is outside the range of its key.
    public static let outOfRange = Code(rawValue: "out-of-range")
    /// The encoded payload is larger than APNs accepts.
    public static let tooLarge = Code(rawValue: "too-large")
    /// The payload has no alert, badge or sound, and is not a background update.
    public static let nothingToShow = Code(rawValue: "nothing-to-show")
  }

  /// The kind of the finding.
  public var code: Code
  /// The JSON path of the value from the top: `$.aps.badge`.
  public var path: String
  /// The fault, and the value that the key takes.
  ///
  /// It never contains the value, which may be personal.
  public var message: String

  /// Makes a finding.
  ///
  /// - Parameters:
  ///   - code: The kind of the finding.
  ///   - path: A JSON path from the top.
  ///   - message: The fault, and the value that the key takes.
  public init(code: Code, path: String, message: String) {
    self.code = code
    self.path = path
    self.message = message
  }
}
