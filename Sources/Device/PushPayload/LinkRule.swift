/// The key of a dialect for the link that a tap opens.
///
/// A string literal is the path of the link.
public struct LinkRule: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The path of the link.
  public var path: PayloadPath
  /// A condition that payloads must meet for this rule, such as the kind of the tap's action; `nil` if the rule applies to all.
  public var condition: Signature?

  /// Makes a rule.
  ///
  /// - Parameters:
  ///   - path: The path of the link.
  ///   - condition: A condition without which the rule finds nothing.
  public init(_ path: PayloadPath, if condition: Signature? = nil) {
    self.path = path
    self.condition = condition
  }

  /// Makes a rule without a condition.
  ///
  /// - Parameter text: As ``PayloadPath/init(_:)``.
  public init(stringLiteral text: String) { self.init(PayloadPath(text)) }
}
