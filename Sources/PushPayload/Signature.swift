/// What shows that a payload is written in a dialect.
///
/// `null` shows nothing. A literal text is the path of a value that must be present.
public struct Signature: Hashable, Sendable, ExpressibleByStringLiteral {
  private enum Test: Hashable {
    case present(PayloadPath)
    case equals(PayloadPath, String)
    case keyPrefix(String)
  }

  private let test: Test

  private init(test: Test) { self.test = test }

  /// Reads the path of a value that must be present.
  ///
  /// - Parameter text: As ``PayloadPath/init(_:)``.
  public init(stringLiteral text: String) { self = .present(PayloadPath(text)) }

  /// A value stands at a path.
  ///
  /// - Parameter path: Where to look.
  /// - Returns: The signature.
  public static func present(_ path: PayloadPath) -> Signature { Signature(test: .present(path)) }

  /// A path holds a certain text.
  ///
  /// - Parameters:
  ///   - path: Where to look.
  ///   - text: What must stand there.
  /// - Returns: The signature.
  public static func equals(_ path: PayloadPath, _ text: String) -> Signature {
    Signature(test: .equals(path, text))
  }

  /// A key at the top begins with a text, and has a value.
  ///
  /// - Parameter text: How the key begins.
  /// - Returns: The signature.
  public static func keyPrefix(_ text: String) -> Signature { Signature(test: .keyPrefix(text)) }

  /// Whether a payload shows it.
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
  /// Whether a payload shows any of them.
  func matches(_ payload: JSONValue) -> Bool { contains { $0.matches(payload) } }
}
