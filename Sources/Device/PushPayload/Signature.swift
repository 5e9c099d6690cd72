/// A condition that shows that a payload belongs to a dialect.
///
/// A string literal is the path of a value that must be present. `null` counts as absent.
public struct Signature: Hashable, Sendable, ExpressibleByStringLiteral {
  private indirect enum Test: Hashable {
    case present(PayloadPath)
    case equals(PayloadPath, String)
    case keyPrefix(String)
    case all([Signature])
    case any([Signature])
    case absent(PayloadPath)
    case text(PayloadPath)
    case object(PayloadPath)
    case textOrNumber(PayloadPath)
    case isTrue(PayloadPath)
    case atLeast(PayloadPath, Double)
    case hasPrefix(PayloadPath, String)
    case hasSuffix(PayloadPath, String)
    case not(Signature)
  }

  private let test: Test

  private init(test: Test) { self.test = test }

  /// Makes the condition that a value is present at a path.
  ///
  /// - Parameter text: As ``PayloadPath/init(_:)``.
  public init(stringLiteral text: String) { self = .present(PayloadPath(text)) }

  /// Makes the condition that a value is present at a path.
  ///
  /// - Parameter path: The path of the value.
  /// - Returns: The condition.
  public static func present(_ path: PayloadPath) -> Signature { Signature(test: .present(path)) }

  /// Makes the condition that the value at a path is a certain string.
  ///
  /// - Parameters:
  ///   - path: The path of the value.
  ///   - text: The string.
  /// - Returns: The condition.
  public static func equals(_ path: PayloadPath, _ text: String) -> Signature {
    Signature(test: .equals(path, text))
  }

  /// Makes the condition that a key at the top has a certain prefix, and a value other than `null`.
  ///
  /// - Parameter text: The prefix.
  /// - Returns: The condition.
  public static func keyPrefix(_ text: String) -> Signature { Signature(test: .keyPrefix(text)) }

  /// Makes the condition that the value at a path is a string that is not empty.
  ///
  /// - Parameter path: The path of the value.
  /// - Returns: The condition.
  public static func text(_ path: PayloadPath) -> Signature { Signature(test: .text(path)) }

  /// Makes the condition that the value at a path is an object.
  ///
  /// - Parameter path: The path of the value.
  /// - Returns: The condition.
  public static func object(_ path: PayloadPath) -> Signature { Signature(test: .object(path)) }

  /// Makes the condition that the value at a path is a string that is not empty, or a number.
  ///
  /// - Parameter path: The path of the value.
  /// - Returns: The condition.
  public static func textOrNumber(_ path: PayloadPath) -> Signature {
    Signature(test: .textOrNumber(path))
  }

  /// Makes the condition that the value at a path is `true`.
  ///
  /// - Parameter path: The path of the value.
  /// - Returns: The condition.
  public static func isTrue(_ path: PayloadPath) -> Signature { Signature(test: .isTrue(path)) }

  /// Makes the condition that the value at a path is a number, or a string with one, from a minimum.
  ///
  /// - Parameters:
  ///   - path: The path of the value.
  ///   - minimum: The minimum.
  /// - Returns: The condition.
  public static func atLeast(_ path: PayloadPath, _ minimum: Double) -> Signature {
    Signature(test: .atLeast(path, minimum))
  }

  /// Makes the condition that the value at a path is a string that begins with a text.
  ///
  /// - Parameters:
  ///   - path: The path of the value.
  ///   - text: The text.
  /// - Returns: The condition.
  public static func hasPrefix(_ path: PayloadPath, _ text: String) -> Signature {
    Signature(test: .hasPrefix(path, text))
  }

  /// Makes the condition that the value at a path is a string that ends with a text, in any case of letters.
  package static func hasSuffix(_ path: PayloadPath, _ text: String) -> Signature {
    Signature(test: .hasSuffix(path, text))
  }

  /// Makes the condition that a payload does not meet a condition.
  ///
  /// - Parameter condition: The condition.
  /// - Returns: The opposite.
  public static func not(_ condition: Signature) -> Signature { Signature(test: .not(condition)) }

  /// Makes the condition that no value is present at a path.
  ///
  /// - Parameter path: The path of the value.
  /// - Returns: The condition.
  public static func absent(_ path: PayloadPath) -> Signature { Signature(test: .absent(path)) }

  /// Makes the condition that a payload meets at least one of several conditions.
  ///
  /// - Parameter conditions: The conditions.
  /// - Returns: The condition.
  public static func any(_ conditions: Signature...) -> Signature { .any(conditions) }

  /// Makes the condition that a payload meets at least one of several conditions.
  ///
  /// - Parameter conditions: The conditions.
  /// - Returns: The condition.
  public static func any(_ conditions: [Signature]) -> Signature {
    Signature(test: .any(conditions))
  }

  /// Makes the condition that a payload meets several conditions.
  ///
  /// - Parameter conditions: The conditions.
  /// - Returns: The condition.
  public static func all(_ conditions: Signature...) -> Signature {
    Signature(test: .all(conditions))
  }

  /// Whether a payload meets the condition.
  package func matches(_ payload: JSONValue) -> Bool {
    switch test {
    case .present(let path): payload[path] != nil
    case .equals(let path, let text): payload[path] == .string(text)
    case .all(let conditions): conditions.allSatisfy { $0.matches(payload) }
    case .any(let conditions): conditions.matches(payload)
    case .absent(let path): payload[path] == nil
    case .text(let path): payload[path]?.string?.isEmpty == false
    case .object(let path): payload[path]?.object != nil
    case .textOrNumber(let path):
      payload[path].map { $0.number != nil || $0.string?.isEmpty == false } ?? false
    case .isTrue(let path): payload[path]?.bool == true
    case .atLeast(let path, let minimum):
      (payload[path].flatMap { $0.number ?? $0.string.flatMap(Double.init) } ?? -.infinity)
        >= minimum
    case .hasPrefix(let path, let text): payload[path]?.string?.hasPrefix(text) ?? false
    case .hasSuffix(let path, let text):
      payload[path]?.string?.lowercased().hasSuffix(text) ?? false
    case .not(let condition): !condition.matches(payload)
    case .keyPrefix(let text):
      payload.object?.contains { $0.key.hasPrefix(text) && !$0.value.isNull } ?? false
    }
  }
}

extension [Signature] {
  /// Whether a payload meets any of the conditions.
  package func matches(_ payload: JSONValue) -> Bool { contains { $0.matches(payload) } }
}

extension Signature? {
  /// Whether a payload meets the condition; `true` if there is no condition.
  func allows(_ payload: JSONValue) -> Bool { self?.matches(payload) ?? true }
}
