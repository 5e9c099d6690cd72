import COpenSSL

/// Authenticated encryption with AES-256-GCM (NIST SP 800-38D).
package struct AES256GCM: Sendable {
  package static let keyLength = 32
  private static let nonceLength = 12
  private static let tagLength = 16

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
    let context = unsafe EVP_CIPHER_CTX_new()
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    var ciphertext = [UInt8](repeating: 0, count: plaintext.count)
    var tag = [UInt8](repeating: 0, count: Self.tagLength)
    var count: Int32 = 0
    let isSealed =
      unsafe EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
      && EVP_EncryptUpdate(context, nil, &count, data, Int32(data.count)) == 1
      && EVP_EncryptUpdate(context, &ciphertext, &count, plaintext, Int32(plaintext.count)) == 1
      && EVP_EncryptFinal_ex(context, nil, &count) == 1
      && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
    precondition(isSealed, "OpenSSL has no AES-256-GCM")
    return nonce + ciphertext + tag
  }

  /// Decrypts the result of ``seal(_:authenticating:nonce:)``; `nil` if the key or the associated data differs, or a
  /// bit has changed.
  package func open(_ sealed: [UInt8], authenticating data: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Self.nonceLength + Self.tagLength else { return nil }
    let nonce = Array(sealed.prefix(Self.nonceLength))
    let ciphertext = Array(sealed.dropFirst(Self.nonceLength).dropLast(Self.tagLength))
    var tag = Array(sealed.suffix(Self.tagLength))
    let context = unsafe EVP_CIPHER_CTX_new()
    defer {
      unsafe EVP_CIPHER_CTX_free(context)
      ERR_clear_error()
    }
    var plaintext = [UInt8](repeating: 0, count: ciphertext.count)
    var count: Int32 = 0
    let isAuthentic =
      unsafe EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
      && EVP_DecryptUpdate(context, nil, &count, data, Int32(data.count)) == 1
      && EVP_DecryptUpdate(context, &plaintext, &count, ciphertext, Int32(ciphertext.count)) == 1
      && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
      && EVP_DecryptFinal_ex(context, nil, &count) == 1
    return isAuthentic ? plaintext : nil
  }
}
