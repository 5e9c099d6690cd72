#if canImport(Darwin) && canImport(CryptoKit)
  import CryptoKit
  import Foundation

  /// The crypto provider of Apple's CryptoKit, for apps and their extensions.
  public struct CryptoKitProvider: CryptoProvider {
    /// Makes a provider.
    public init() {}

    /// Reads a P-256 private key.
    ///
    /// - Parameter pem: PKCS #8 in PEM.
    /// - Returns: The key.
    /// - Throws: ``CryptoError`` if the text is not such a key.
    public func privateKey(pem: String) throws(CryptoError) -> any ES256PrivateKey {
      try SigningKey(
        key: attempt(
          .badKey, message: "not a private key: it must be the text of a .p8 file (PKCS #8 in PEM)"
        ) { try P256.Signing.PrivateKey(pemRepresentation: pem) })
    }

    /// Reads a P-256 public key.
    ///
    /// - Parameter pem: SubjectPublicKeyInfo in PEM.
    /// - Returns: The key.
    /// - Throws: ``CryptoError`` if the text is not such a key.
    public func publicKey(pem: String) throws(CryptoError) -> any ES256PublicKey {
      try VerifyingKey(
        key: attempt(
          .badKey, message: "not a public key: it must be PEM that begins with PUBLIC KEY"
        ) { try P256.Signing.PublicKey(pemRepresentation: pem) })
    }

    /// Makes a P-256 key for key agreement.
    ///
    /// - Returns: A new key.
    /// - Throws: Never; other providers may throw.
    public func makeECDHKey() throws(CryptoError) -> any ECDHPrivateKey {
      AgreementKey(key: P256.KeyAgreement.PrivateKey())
    }

    /// Reads a P-256 key for key agreement.
    ///
    /// - Parameter rawRepresentation: The scalar, 32 bytes.
    /// - Returns: The key.
    /// - Throws: ``CryptoError`` if the bytes are not such a key.
    public func ecdhKey(rawRepresentation: [UInt8]) throws(CryptoError) -> any ECDHPrivateKey {
      try AgreementKey(
        key: attempt(.badKey, message: "the bytes are not a P-256 private key") {
          try P256.KeyAgreement.PrivateKey(rawRepresentation: rawRepresentation)
        })
    }

    /// Checks that bytes are a point on P-256.
    ///
    /// - Parameter publicKey: The uncompressed point, 65 bytes.
    /// - Throws: ``CryptoError`` if they are not a point on P-256.
    public func validate(ecdhPublicKey publicKey: [UInt8]) throws(CryptoError) {
      _ = try point(publicKey)
    }

    /// Encrypts with AES-128-GCM and no associated data.
    ///
    /// - Parameters:
    ///   - plaintext: The bytes to encrypt.
    ///   - key: 16 bytes.
    ///   - nonce: 12 bytes.
    /// - Returns: The ciphertext with its tag.
    /// - Throws: ``CryptoError`` if a length is wrong.
    public func sealAES128GCM(
      _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
      try checkLengths(key: key, nonce: nonce)
      return try attempt(.failed, message: "CryptoKit refused to encrypt") {
        let box = try AES.GCM.seal(
          plaintext, using: SymmetricKey(data: key), nonce: AES.GCM.Nonce(data: nonce))
        return Array(box.ciphertext + box.tag)
      }
    }

    /// Decrypts the result of ``sealAES128GCM(_:key:nonce:)``.
    ///
    /// - Parameters:
    ///   - ciphertext: The ciphertext with its tag.
    ///   - key: 16 bytes.
    ///   - nonce: 12 bytes.
    /// - Returns: The plaintext.
    /// - Throws: ``CryptoError`` if it was encrypted with another key, or a bit has changed.
    public func openAES128GCM(
      _ ciphertext: [UInt8], key: [UInt8], nonce: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
      try checkLengths(key: key, nonce: nonce)
      guard ciphertext.count >= 16 else {
        throw CryptoError(.malformed, "a ciphertext is shorter than its tag")
      }
      return try attempt(
        .authentication, message: "the ciphertext was encrypted with another key, or was changed"
      ) {
        let box = try AES.GCM.SealedBox(
          nonce: AES.GCM.Nonce(data: nonce), ciphertext: ciphertext.dropLast(16),
          tag: ciphertext.suffix(16))
        return Array(try AES.GCM.open(box, using: SymmetricKey(data: key)))
      }
    }

    /// Computes an HMAC with SHA-256.
    ///
    /// - Parameters:
    ///   - key: A key of any length.
    ///   - message: The message to authenticate.
    /// - Returns: 32 bytes.
    public func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8] {
      Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }

    /// Makes an incremental SHA-256 digest.
    ///
    /// - Returns: The digest of no bytes.
    public func makeSHA256() -> any IncrementalHash { Digest() }

    /// Makes cryptographically secure random bytes.
    ///
    /// - Parameter count: The number of bytes.
    /// - Returns: The bytes.
    public func randomBytes(_ count: Int) -> [UInt8] {
      var generator = SystemRandomNumberGenerator()
      return (0..<count).map { _ in generator.next() }
    }

    private func checkLengths(key: [UInt8], nonce: [UInt8]) throws(CryptoError) {
      guard key.count == 16, nonce.count == 12 else {
        throw CryptoError(.failed, "AES-128-GCM takes a key of 16 bytes and a nonce of 12")
      }
    }
  }

  /// Replaces an error of CryptoKit by a ``CryptoError`` with the caller's code and message.
  private func attempt<Value>(
    _ code: CryptoError.Code, message: String, _ body: () throws -> Value
  ) throws(CryptoError) -> Value {
    do { return try body() } catch { throw CryptoError(code, message) }
  }

  private func point(_ bytes: [UInt8]) throws(CryptoError) -> P256.KeyAgreement.PublicKey {
    guard bytes.count == 65, bytes[0] == 4 else {
      throw CryptoError(.badKey, "a P-256 public key is 65 bytes that begin with 4")
    }
    return try attempt(.badKey, message: "the public key is not on the curve P-256") {
      try P256.KeyAgreement.PublicKey(x963Representation: bytes)
    }
  }

  private struct SigningKey: ES256PrivateKey {
    let key: P256.Signing.PrivateKey

    var publicKey: any ES256PublicKey { VerifyingKey(key: key.publicKey) }

    func signature(for message: [UInt8]) throws(CryptoError) -> [UInt8] {
      try attempt(.failed, message: "signing failed") {
        Array(try key.signature(for: message).rawRepresentation)
      }
    }
  }

  private struct VerifyingKey: ES256PublicKey {
    let key: P256.Signing.PublicKey

    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
      guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
        return false
      }
      return key.isValidSignature(signature, for: message)
    }
  }

  private struct AgreementKey: ECDHPrivateKey {
    let key: P256.KeyAgreement.PrivateKey

    var rawRepresentation: [UInt8] { Array(key.rawRepresentation) }
    var publicKey: [UInt8] { Array(key.publicKey.x963Representation) }

    func sharedSecret(with publicKey: [UInt8]) throws(CryptoError) -> [UInt8] {
      let other = try point(publicKey)
      return try attempt(.failed, message: "the key agreement failed") {
        try key.sharedSecretFromKeyAgreement(with: other).withUnsafeBytes { Array($0) }
      }
    }
  }

  private struct Digest: IncrementalHash {
    private var hash = SHA256()

    mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    func finalize() -> [UInt8] { Array(hash.finalize()) }
  }
#endif
