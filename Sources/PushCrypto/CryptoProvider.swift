/// The mathematics a push needs, by whoever has it: CryptoKit on Apple's systems, OpenSSL on Linux.
///
/// Hand one to what signs or verifies. It only states what is needed; it holds no key.
public protocol CryptoProvider: Sendable {
  /// Reads a P-256 private key.
  ///
  /// - Parameter pem: PKCS #8 in PEM, as Apple's `.p8` file holds it.
  /// - Returns: The key.
  /// - Throws: ``CryptoError`` where the text is no such key.
  func privateKey(pem: String) throws(CryptoError) -> any ES256PrivateKey

  /// Reads a P-256 public key.
  ///
  /// - Parameter pem: SubjectPublicKeyInfo in PEM (RFC 5280 section 4.1).
  /// - Returns: The key.
  /// - Throws: ``CryptoError`` where the text is no such key.
  func publicKey(pem: String) throws(CryptoError) -> any ES256PublicKey
}

/// A P-256 key that signs with ES256 (RFC 7518 section 3.4).
public protocol ES256PrivateKey: Sendable {
  /// The half that may be shown.
  var publicKey: any ES256PublicKey { get }

  /// Signs with ECDSA over SHA-256.
  ///
  /// - Parameter message: What is signed.
  /// - Returns: R and S, 32 bytes each.
  /// - Throws: ``CryptoError`` where the library refuses.
  func signature(for message: [UInt8]) throws(CryptoError) -> [UInt8]
}

/// A P-256 key that verifies ES256 signatures.
public protocol ES256PublicKey: Sendable {
  /// Whether a signature is by this key.
  ///
  /// - Parameters:
  ///   - signature: R and S, 32 bytes each; anything else is invalid.
  ///   - message: What was signed.
  /// - Returns: `true` only for a valid signature.
  func isValid(signature: [UInt8], for message: [UInt8]) -> Bool
}

/// Why a key or a signature could not be used; never holds key material.
public struct CryptoError: Error, Sendable, CustomStringConvertible {
  /// What kind of fault it is.
  public struct Code: Hashable, Sendable {
    private enum Raw { case badKey, failed }
    private let raw: Raw
    /// The text is no key of the kind asked for.
    public static let badKey = Code(raw: .badKey)
    /// The library refused.
    public static let failed = Code(raw: .failed)
  }

  /// What kind of fault it is.
  public var code: Code
  /// What is wrong, for a person.
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
