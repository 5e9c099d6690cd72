import COpenSSL
package import PushCrypto

/// The crypto provider of OpenSSL: signatures, key agreement, AES-GCM, hashes and random bytes.
package struct OpenSSLCrypto: CryptoProvider {
  package init() {}

  package func privateKey(pem: String) throws(CryptoError) -> any ES256PrivateKey {
    let bio = try MemoryBIO(pem)
    guard let raw = unsafe martlet_PEM_read_private_key(bio.raw) else {
      ERR_clear_error()
      throw CryptoError(
        .badKey, "not a private key: it must be the text of a .p8 file (PKCS #8 in PEM)")
    }
    return unsafe OpenSSLPrivateKey(key: try P256Key(owning: raw))
  }

  package func publicKey(pem: String) throws(CryptoError) -> any ES256PublicKey {
    let bio = try MemoryBIO(pem)
    guard let raw = unsafe PEM_read_bio_PUBKEY(bio.raw, nil, nil, nil) else {
      ERR_clear_error()
      throw CryptoError(.badKey, "not a public key: it must be PEM that begins with PUBLIC KEY")
    }
    return unsafe OpenSSLPublicKey(key: try P256Key(owning: raw))
  }

  /// Makes a new P-256 private key in PKCS #8 PEM, for tests and demonstrations.
  package static func makeP256KeyPEM() -> String {
    // This fails only without memory or a random source.
    guard let raw = unsafe martlet_generate_p256(), let key = unsafe try? P256Key(owning: raw),
      let bio = try? MemoryBIO(),
      unsafe PEM_write_bio_PrivateKey(bio.raw, key.raw, nil, nil, 0, nil, nil) == 1
    else { preconditionFailure("OpenSSL cannot make a P-256 key") }
    return bio.text
  }

  /// The public key in a text, encoded again in PEM without surrounding text.
  package static func publicKeyPEM(_ pem: String) throws(CryptoError) -> String {
    let bio = try MemoryBIO(pem)
    guard let raw = unsafe PEM_read_bio_PUBKEY(bio.raw, nil, nil, nil) else {
      ERR_clear_error()
      throw CryptoError(.badKey, "not a public key: it must be PEM that begins with PUBLIC KEY")
    }
    return try publicKeyPEM(of: unsafe try P256Key(owning: raw))
  }

  /// The public key of a private key, in PEM.
  package static func publicKeyPEM(ofPrivateKeyPEM pem: String) throws(CryptoError) -> String {
    let bio = try MemoryBIO(pem)
    guard let raw = unsafe martlet_PEM_read_private_key(bio.raw) else {
      ERR_clear_error()
      throw CryptoError(.badKey, "not a private key: it must be PEM")
    }
    return try publicKeyPEM(of: unsafe try P256Key(owning: raw))
  }

  private static func publicKeyPEM(of key: P256Key) throws(CryptoError) -> String {
    let out = try MemoryBIO()
    guard unsafe PEM_write_bio_PUBKEY(out.raw, key.raw) == 1 else {
      throw CryptoError(.failed, "OpenSSL cannot write the public key")
    }
    return out.text
  }
}

/// SHA-256, which is fetched once and never freed, because OpenSSL 3 fetches `EVP_sha256()` for each use.
nonisolated(unsafe) private let fetchedSHA256 = unsafe EVP_MD_fetch(nil, "SHA256", nil)

extension OpenSSLCrypto {
  package static func sha256(_ message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    let done = unsafe EVP_Digest(message, message.count, &digest, nil, fetchedSHA256, nil)
    precondition(done == 1, "OpenSSL has no SHA-256")
    return digest
  }

  /// The first 128 bits of a SHA-256 digest, without an array.
  package static func sha256Start(_ message: [UInt8]) -> (high: UInt64, low: UInt64) {
    var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    let done = unsafe withUnsafeMutableBytes(of: &digest) { digest in
      unsafe EVP_Digest(message, message.count, digest.baseAddress, nil, fetchedSHA256, nil)
    }
    precondition(done == 1, "OpenSSL has no SHA-256")
    return (UInt64(bigEndian: digest.0), UInt64(bigEndian: digest.1))
  }

  package static func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    let done = unsafe HMAC(
      EVP_sha256(), key, Int32(clamping: key.count), message, message.count, &code, &length)
    precondition(unsafe done != nil, "OpenSSL has no HMAC")
    return code
  }

  /// Makes cryptographically secure random bytes.
  package static func randomBytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    precondition(
      unsafe RAND_bytes(&bytes, Int32(clamping: count)) == 1, "the system has no randomness")
    return bytes
  }

  package func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8] {
    Self.hmacSHA256(key: key, message: message)
  }

  package func randomBytes(_ count: Int) -> [UInt8] { Self.randomBytes(count) }

  /// Compares bytes in a time that does not depend on where they differ.
  package static func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    unsafe left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}
