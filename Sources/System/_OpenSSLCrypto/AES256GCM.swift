/// Authenticated encryption with AES-256-GCM (NIST SP 800-38D).
package struct AES256GCM: Sendable {
  package static let keyLength = 32
  private static let nonceLength = 12

  private let key: [UInt8]

  /// Makes a cipher; `nil` if the key does not have 32 bytes.
  package init?(key: [UInt8]) {
    guard key.count == Self.keyLength else { return nil }
    self.key = key
  }

  /// Encrypts bytes.
  ///
  /// - Parameters:
  ///   - plaintext: The bytes to encrypt.
  ///   - data: Associated data, which is authenticated but is not part of the result.
  ///   - nonce: 12 bytes, which must never be used twice with one key; random by default.
  /// - Returns: The nonce, the ciphertext and the tag, in this order.
  package func seal(
    _ plaintext: [UInt8], authenticating data: [UInt8],
    nonce: [UInt8] = OpenSSLCrypto.randomBytes(nonceLength)
  ) -> [UInt8] {
    precondition(nonce.count == Self.nonceLength, "a nonce has 12 bytes")
    let sealed = OpenSSLCipher.aesGCM.seal(plaintext, key: key, nonce: nonce, authenticating: data)
    guard let sealed else { preconditionFailure("OpenSSL has no AES-256-GCM") }
    return nonce + sealed.ciphertext + sealed.tag
  }

  /// Decrypts the result of ``seal(_:authenticating:nonce:)``; `nil` if the key or the associated data differs, or a
  /// bit has changed.
  package func open(_ sealed: [UInt8], authenticating data: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Self.nonceLength + OpenSSLCipher.tagLength else { return nil }
    return OpenSSLCipher.aesGCM.open(
      Array(sealed.dropFirst(Self.nonceLength).dropLast(OpenSSLCipher.tagLength)),
      tag: Array(sealed.suffix(OpenSSLCipher.tagLength)), key: key,
      nonce: Array(sealed.prefix(Self.nonceLength)), authenticating: data)
  }
}
