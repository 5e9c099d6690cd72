/// Why a key, a signature or an encrypted payload could not be used; never holds key material.
public struct CryptoError: Error, Sendable, CustomStringConvertible {
  /// What kind of fault it is; its description is the name that reports show.
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
    /// It is no key of the kind asked for, or does not belong to the other half.
    public static let badKey = Code(raw: .badKey)
    /// The encrypted bytes or their text do not have the form they must have.
    public static let malformed = Code(raw: .malformed)
    /// The encrypted bytes end before their last record.
    public static let truncated = Code(raw: .truncated)
    /// Another key sealed it, or a bit of it has changed: these cannot be told apart.
    public static let authentication = Code(raw: .authentication)
    /// It is longer than is read or made.
    public static let tooLarge = Code(raw: .tooLarge)
    /// The library refused.
    public static let failed = Code(raw: .failed)

    /// The name, in lower case with hyphens.
    public var description: String { raw.rawValue }
  }

  /// What kind of fault it is.
  public var code: Code
  /// What is wrong and what to do about it, for a person.
  public var message: String

  /// Makes an error, as a provider does.
  ///
  /// - Parameters:
  ///   - code: What kind of fault it is.
  ///   - message: What is wrong; never key material.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
