/// The cryptographic operations that pushes need, implemented by CryptoKit on Apple platforms and OpenSSL on Linux.
///
/// A provider has no state and no keys.
public protocol CryptoProvider: Sendable {
  /// Reads a P-256 private key.
  ///
  /// - Parameter pem: PKCS #8 in PEM, as Apple's `.p8` file holds it.
  /// - Returns: The key.
  /// - Throws: ``CryptoError`` if the text is not such a key.
  func privateKey(pem: String) throws(CryptoError) -> any ES256PrivateKey

  /// Reads a P-256 public key.
  ///
  /// - Parameter pem: SubjectPublicKeyInfo in PEM (RFC 5280 section 4.1).
  /// - Returns: The key.
  /// - Throws: ``CryptoError`` if the text is not such a key.
  func publicKey(pem: String) throws(CryptoError) -> any ES256PublicKey

  /// Makes a P-256 key for key agreement.
  ///
  /// - Returns: A new random key.
  /// - Throws: ``CryptoError`` if the library fails.
  func makeECDHKey() throws(CryptoError) -> any ECDHPrivateKey

  /// Reads a P-256 key for key agreement.
  ///
  /// - Parameter rawRepresentation: The scalar, 32 bytes.
  /// - Returns: The key.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` if the bytes are not such a key.
  func ecdhKey(rawRepresentation: [UInt8]) throws(CryptoError) -> any ECDHPrivateKey

  /// Checks that bytes are a point on P-256.
  ///
  /// - Parameter publicKey: The uncompressed point, 65 bytes (SEC 1 section 2.3.3).
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` for any other form, and for a point
  ///   that is not on the curve.
  func validate(ecdhPublicKey publicKey: [UInt8]) throws(CryptoError)

  /// Encrypts with AES-128-GCM (NIST SP 800-38D) and no associated data.
  ///
  /// - Parameters:
  ///   - plaintext: The bytes to encrypt.
  ///   - key: 16 bytes.
  ///   - nonce: 12 bytes, never used twice with one key.
  /// - Returns: The ciphertext with its tag of 16 bytes.
  /// - Throws: ``CryptoError`` if a length is wrong or the library fails.
  func sealAES128GCM(
    _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8]
  ) throws(CryptoError) -> [UInt8]

  /// Decrypts the result of ``sealAES128GCM(_:key:nonce:)``.
  ///
  /// - Parameters:
  ///   - ciphertext: The ciphertext with its tag of 16 bytes.
  ///   - key: 16 bytes.
  ///   - nonce: 12 bytes.
  /// - Returns: The plaintext.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/authentication`` if it was encrypted with another key, or a bit
  ///   has changed.
  func openAES128GCM(
    _ ciphertext: [UInt8], key: [UInt8], nonce: [UInt8]
  ) throws(CryptoError) -> [UInt8]

  /// Computes an HMAC with SHA-256 (RFC 2104).
  ///
  /// - Parameters:
  ///   - key: A key of any length.
  ///   - message: The message to authenticate.
  /// - Returns: 32 bytes.
  func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8]

  /// Makes an incremental SHA-256 digest.
  ///
  /// - Returns: The digest of no bytes.
  func makeSHA256() -> any IncrementalHash

  /// Makes cryptographically secure random bytes.
  ///
  /// - Parameter count: The number of bytes.
  /// - Returns: The bytes.
  func randomBytes(_ count: Int) -> [UInt8]
}

/// A P-256 key that signs with ES256 (RFC 7518 section 3.4).
public protocol ES256PrivateKey: Sendable {
  /// The public key.
  var publicKey: any ES256PublicKey { get }

  /// Signs with ECDSA over SHA-256.
  ///
  /// - Parameter message: The message to sign.
  /// - Returns: R and S, 32 bytes each.
  /// - Throws: ``CryptoError`` if the library fails.
  func signature(for message: [UInt8]) throws(CryptoError) -> [UInt8]
}

/// A P-256 key that verifies ES256 signatures.
public protocol ES256PublicKey: Sendable {
  /// Verifies a signature.
  ///
  /// - Parameters:
  ///   - signature: R and S, 32 bytes each; anything else is invalid.
  ///   - message: The signed message.
  /// - Returns: `true` only for a valid signature.
  func isValid(signature: [UInt8], for message: [UInt8]) -> Bool
}

/// A P-256 key for key agreement (ECDH, NIST SP 800-56A section 5.7.1.2).
public protocol ECDHPrivateKey: Sendable {
  /// The scalar, 32 bytes, which is secret.
  var rawRepresentation: [UInt8] { get }

  /// The public key: the uncompressed point, 65 bytes.
  var publicKey: [UInt8] { get }

  /// Computes the secret that is shared with the owner of a public key.
  ///
  /// - Parameter publicKey: The uncompressed point of the other key, 65 bytes.
  /// - Returns: The shared secret, 32 bytes; use it only through a key derivation function.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` if the bytes are not a point on P-256.
  func sharedSecret(with publicKey: [UInt8]) throws(CryptoError) -> [UInt8]
}

/// A digest of bytes that come in pieces; copies are independent.
public protocol IncrementalHash: Sendable {
  /// Adds bytes.
  ///
  /// - Parameter bytes: Any number of bytes; they are not retained.
  mutating func update(_ bytes: UnsafeRawBufferPointer)

  /// Computes the digest of all bytes that were added.
  ///
  /// - Returns: The digest; 32 bytes for SHA-256.
  func finalize() -> [UInt8]
}

extension IncrementalHash {
  /// Adds bytes.
  ///
  /// - Parameter bytes: Any number of bytes.
  public mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }
}
