/// Where a dialect says what happens to the number on the app's icon.
///
/// Numbers may be written as text, as Exponea does: `"3"`.
public struct BadgeRule: Hashable, Sendable {
  /// What a number does.
  public struct Operation: Hashable, Sendable {
    enum Meaning: Hashable { case set, add, subtract, increment, signed }
    let meaning: Meaning

    /// The number is the badge.
    public static let set = Operation(meaning: .set)
    /// The number is added to the badge.
    public static let add = Operation(meaning: .add)
    /// The number is taken from the badge.
    public static let subtract = Operation(meaning: .subtract)
    /// The badge grows by one, whatever the number.
    public static let increment = Operation(meaning: .increment)
    /// A text with a sign is added, one without is the badge: `"+1"`, `"-1"`, `"3"`.
    public static let signed = Operation(meaning: .signed)
  }

  /// Where the number stands.
  public var value: PayloadPath
  /// What it does.
  public var operation: Operation
  /// Where a word stands that decides what it does.
  public var strategy: PayloadPath?
  /// What these words mean; a payload without such a word changes nothing.
  public var operations: [String: Operation]

  /// Describes a number that always does the same.
  ///
  /// - Parameters:
  ///   - operation: What it does.
  ///   - value: Where it stands.
  public init(_ operation: Operation, _ value: PayloadPath) {
    self.operation = operation
    self.value = value
    operations = [:]
  }

  /// Describes a number beside a word that says what it does.
  ///
  /// - Parameters:
  ///   - value: Where the number stands.
  ///   - strategy: Where the word stands.
  ///   - operations: What the words mean.
  public init(_ value: PayloadPath, strategy: PayloadPath, operations: [String: Operation]) {
    operation = .set
    self.value = value
    self.strategy = strategy
    self.operations = operations
  }
}
