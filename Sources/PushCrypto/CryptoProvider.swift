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

  /// Makes a P-256 key for key agreement.
  ///
  /// - Returns: A new key, from the system's randomness.
  /// - Throws: ``CryptoError`` where the library refuses.
  func makeECDHKey() throws(CryptoError) -> any ECDHPrivateKey

  /// Reads a P-256 key for key agreement.
  ///
  /// - Parameter rawRepresentation: The scalar, 32 bytes.
  /// - Returns: The key.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` where the bytes are no such key.
  func ecdhKey(rawRepresentation: [UInt8]) throws(CryptoError) -> any ECDHPrivateKey

  /// Checks that bytes are a point of P-256.
  ///
  /// - Parameter publicKey: The uncompressed point, 65 bytes (SEC 1 section 2.3.3).
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` for any other form, and for a point
  ///   that is not on the curve.
  func validate(ecdhPublicKey publicKey: [UInt8]) throws(CryptoError)

  /// Encrypts with AES-128-GCM (NIST SP 800-38D) and no associated data.
  ///
  /// - Parameters:
  ///   - plaintext: What is encrypted.
  ///   - key: 16 bytes.
  ///   - nonce: 12 bytes, never twice under one key.
  /// - Returns: The ciphertext with its tag of 16 bytes.
  /// - Throws: ``CryptoError`` where a length is wrong or the library refuses.
  func sealAES128GCM(
    _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8]
  ) throws(CryptoError) -> [UInt8]

  /// Decrypts what ``sealAES128GCM(_:key:nonce:)`` made.
  ///
  /// - Parameters:
  ///   - ciphertext: The ciphertext with its tag of 16 bytes.
  ///   - key: 16 bytes.
  ///   - nonce: 12 bytes.
  /// - Returns: The plaintext.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/authentication`` where another key sealed it or
  ///   a bit has changed.
  func openAES128GCM(
    _ ciphertext: [UInt8], key: [UInt8], nonce: [UInt8]
  ) throws(CryptoError) -> [UInt8]

  /// Computes an HMAC with SHA-256 (RFC 2104).
  ///
  /// - Parameters:
  ///   - key: Of any length.
  ///   - message: What is authenticated.
  /// - Returns: 32 bytes.
  func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8]

  /// Begins a SHA-256 digest of bytes that come piece by piece.
  ///
  /// - Returns: The digest of nothing yet.
  func makeSHA256() -> any IncrementalHash

  /// Makes bytes that nobody can guess.
  ///
  /// - Parameter count: How many.
  /// - Returns: The bytes.
  func randomBytes(_ count: Int) -> [UInt8]
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

/// A P-256 key that agrees with another on a secret (ECDH, NIST SP 800-56A section 5.7.1.2).
public protocol ECDHPrivateKey: Sendable {
  /// The scalar, 32 bytes: a secret.
  var rawRepresentation: [UInt8] { get }

  /// The half that may be shown: the uncompressed point, 65 bytes.
  var publicKey: [UInt8] { get }

  /// Agrees with the owner of a public key.
  ///
  /// - Parameter publicKey: The uncompressed point of the other, 65 bytes.
  /// - Returns: The shared secret, 32 bytes; to be used through a key derivation only.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` where the bytes are no point of P-256.
  func sharedSecret(with publicKey: [UInt8]) throws(CryptoError) -> [UInt8]
}

/// A digest of bytes that come piece by piece; a copy goes on by itself.
public protocol IncrementalHash: Sendable {
  /// Takes in the next piece.
  ///
  /// - Parameter bytes: Any number of bytes; they are not kept.
  mutating func update(_ bytes: UnsafeRawBufferPointer)

  /// Gives the digest of all that was taken in.
  ///
  /// - Returns: The digest; for SHA-256 32 bytes.
  func finalize() -> [UInt8]
}

extension IncrementalHash {
  /// Takes in the next piece.
  ///
  /// - Parameter bytes: Any number of bytes.
  public mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }
}
