/// The keys under which a dialect describes a change of the badge.
///
/// Numbers may be written as strings, as Exponea does: `"3"`.
public struct BadgeRule: Hashable, Sendable {
  /// What the number does to the badge.
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
  /// What the number does where ``strategy`` is `nil`.
  public var operation: Operation
  /// The path of a word that decides what the number does.
  public var strategy: PayloadPath?
  /// What each word means; a payload with no such word changes nothing.
  public var operations: [String: Operation]

  /// The number where the payload has the word of ``strategy`` and no number; `nil` for no change.
  public var defaultAmount: Int?

  /// A condition without which the rule finds nothing; `nil` for none.
  public var condition: Signature?

  /// Makes a rule for a number that always does the same.
  ///
  /// - Parameters:
  ///   - operation: What the number does.
  ///   - value: The path of the number.
  ///   - condition: A condition without which the rule finds nothing.
  public init(_ operation: Operation, _ value: PayloadPath, if condition: Signature? = nil) {
    self.condition = condition
    self.operation = operation
    self.value = value
    operations = [:]
  }

  /// Makes a rule for a number and a word that says what it does.
  ///
  /// - Parameters:
  ///   - value: The path of the number.
  ///   - strategy: The path of the word.
  ///   - operations: What each word means.
  ///   - defaultAmount: The number where the payload has the word and no number.
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
