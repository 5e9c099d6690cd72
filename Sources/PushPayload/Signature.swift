/// A condition that shows that a payload belongs to a dialect.
///
/// A string literal is the path of a value that must be present. `null` counts as absent.
public struct Signature: Hashable, Sendable, ExpressibleByStringLiteral {
  private enum Test: Hashable {
    case present(PayloadPath)
    case equals(PayloadPath, String)
    case keyPrefix(String)
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

  /// Whether a payload meets the condition.
  func matches(_ payload: JSONValue) -> Bool {
    switch test {
    case .present(let path): payload[path] != nil
    case .equals(let path, let text): payload[path] == .string(text)
    case .keyPrefix(let text):
      payload.object?.contains { $0.key.hasPrefix(text) && !$0.value.isNull } ?? false
    }
  }
}

extension [Signature] {
  /// Whether a payload meets any of the conditions.
  func matches(_ payload: JSONValue) -> Bool { contains { $0.matches(payload) } }
}
