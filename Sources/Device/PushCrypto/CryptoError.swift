/// The error of a key, a signature or an encrypted payload; it never contains key material.
public struct CryptoError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error; its description is the name that reports show.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Raw: String {
      case badKey = "bad-key"
      case malformed
      case truncated
      case authentication
      case tooLarge = "too-large"
      case failed
    }
    private let raw: Raw
    /// The key is of another kind, or public and private key do not belong together.
    public static let badKey = Code(raw: .badKey)
    /// The encrypted bytes, or their text, do not have the required form.
    public static let malformed = Code(raw: .malformed)
    /// The encrypted bytes end before their last record.
    public static let truncated = Code(raw: .truncated)
    /// The bytes were encrypted with another key, or a bit has changed; these cannot be distinguished.
    public static let authentication = Code(raw: .authentication)
    /// The bytes exceed a limit.
    public static let tooLarge = Code(raw: .tooLarge)
    /// The crypto library failed.
    public static let failed = Code(raw: .failed)

    /// The name, in lower case with hyphens.
    public var description: String { raw.rawValue }
  }

  /// The kind of the error.
  public var code: Code
  /// The fault and its remedy, in words.
  public var message: String

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: The kind of the error.
  ///   - message: The fault and its remedy, without key material.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
