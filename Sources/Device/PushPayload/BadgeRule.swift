/// The keys under which a dialect describes a change of the badge.
///
/// Numbers may be written as strings, as Exponea does: `"3"`.
public struct BadgeRule: Hashable, Sendable {
  /// The effect of the number on the badge.
  public struct Operation: Hashable, Sendable {
    enum Kind: Hashable { case set, add, subtract, increment, signed }
    let kind: Kind

    /// The badge becomes the number.
    public static let set = Operation(kind: .set)
    /// The number is added to the badge.
    public static let add = Operation(kind: .add)
    /// The number is subtracted from the badge.
    public static let subtract = Operation(kind: .subtract)
    /// The badge grows by 1, whatever the number.
    public static let increment = Operation(kind: .increment)
    /// A number with a sign is added, one without replaces the badge: `"+1"`, `"-1"`, `"3"`.
    public static let signed = Operation(kind: .signed)
  }

  /// The path of the number.
  public var value: PayloadPath
  /// The effect of the number if ``strategy`` is `nil`.
  public var operation: Operation
  /// The path of a word that names the effect of the number.
  public var strategy: PayloadPath?
  /// The effect that each word names; a payload without such a word changes nothing.
  public var operations: [String: Operation]

  /// The number if the payload has the word of ``strategy`` but no number; if it is `nil`, the badge does not change.
  public var defaultAmount: Int?

  /// A condition that payloads must meet for this rule; `nil` if the rule applies to all.
  public var condition: Signature?

  /// Makes a rule for a number that always has the same effect.
  ///
  /// - Parameters:
  ///   - operation: The effect of the number.
  ///   - value: The path of the number.
  ///   - condition: A condition that payloads must meet for this rule.
  public init(_ operation: Operation, _ value: PayloadPath, if condition: Signature? = nil) {
    self.condition = condition
    self.operation = operation
    self.value = value
    operations = [:]
  }

  /// Makes a rule for a number and a word that names its effect.
  ///
  /// - Parameters:
  ///   - value: The path of the number.
  ///   - strategy: The path of the word.
  ///   - operations: The effect that each word names.
  ///   - defaultAmount: The number if the payload has the word but no number.
  public init(
    _ value: PayloadPath, strategy: PayloadPath, operations: [String: Operation],
    defaultAmount: Int? = nil
  ) {
    self.defaultAmount = defaultAmount
    operation = .set
    self.value = value
    self.strategy = strategy
    self.operations = operations
  }
}
