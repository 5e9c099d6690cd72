import COpenSSL

/// An authenticated cipher, for keys and nonces of all lengths that it supports.
package enum OpenSSLCipher: Sendable {
  /// AES-GCM with a key of 16, 24 or 32 bytes (NIST SP 800-38D).
  case aesGCM
  /// ChaCha20-Poly1305 with a key of 32 bytes and a nonce of 12 (RFC 8439).
  case chaChaPoly

  static let tagLength = 16

  /// The algorithm for a key; `nil` if the key has another length.
  private func algorithm(keyLength: Int) -> OpaquePointer? {
    switch (self, keyLength) {
    case (.aesGCM, 16): unsafe EVP_aes_128_gcm()
    case (.aesGCM, 24): unsafe EVP_aes_192_gcm()
    case (.aesGCM, 32): unsafe EVP_aes_256_gcm()
    case (.chaChaPoly, 32): unsafe EVP_chacha20_poly1305()
    default: nil
    }
  }

  /// Encrypts bytes.
  ///
  /// - Returns: The ciphertext and the tag; `nil` if the key or the nonce has a wrong length.
  package func seal(
    _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) -> (ciphertext: [UInt8], tag: [UInt8])? {
    let context = unsafe EVP_CIPHER_CTX_new()
    defer {
      unsafe EVP_CIPHER_CTX_free(context)
      ERR_clear_error()
    }
    var ciphertext = [UInt8](repeating: 0, count: plaintext.count)
    var tag = [UInt8](repeating: 0, count: Self.tagLength)
    var count: Int32 = 0
    guard let algorithm = unsafe algorithm(keyLength: key.count), !nonce.isEmpty,
      let lengths = Self.lengths(plaintext, data: data, nonce: nonce),
      unsafe EVP_EncryptInit_ex(context, algorithm, nil, nil, nil) == 1,
      unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, lengths.nonce, nil) == 1,
      unsafe EVP_EncryptInit_ex(context, nil, nil, key, nonce) == 1,
      unsafe EVP_EncryptUpdate(context, nil, &count, data, lengths.data) == 1,
      unsafe EVP_EncryptUpdate(context, &ciphertext, &count, plaintext, lengths.text) == 1,
      unsafe EVP_EncryptFinal_ex(context, nil, &count) == 1,
      unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
    else { return nil }
    return (ciphertext, tag)
  }

  /// Decrypts bytes; `nil` if they are not authentic, or if the key or the nonce has a wrong length.
  package func open(
    _ ciphertext: [UInt8], tag: [UInt8], key: [UInt8], nonce: [UInt8],
    authenticating data: [UInt8]
  ) -> [UInt8]? {
    let context = unsafe EVP_CIPHER_CTX_new()
    defer {
      unsafe EVP_CIPHER_CTX_free(context)
      ERR_clear_error()
    }
    var tag = tag
    var plaintext = [UInt8](repeating: 0, count: ciphertext.count)
    var count: Int32 = 0
    guard let algorithm = unsafe algorithm(keyLength: key.count), !nonce.isEmpty,
      tag.count == Self.tagLength, let lengths = Self.lengths(ciphertext, data: data, nonce: nonce),
      unsafe EVP_DecryptInit_ex(context, algorithm, nil, nil, nil) == 1,
      unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, lengths.nonce, nil) == 1,
      unsafe EVP_DecryptInit_ex(context, nil, nil, key, nonce) == 1,
      unsafe EVP_DecryptUpdate(context, nil, &count, data, lengths.data) == 1,
      unsafe EVP_DecryptUpdate(context, &plaintext, &count, ciphertext, lengths.text) == 1,
      unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1,
      unsafe EVP_DecryptFinal_ex(context, nil, &count) == 1
    else { return nil }
    return plaintext
  }

  /// The lengths as OpenSSL's integers; `nil` if one is too large.
  private static func lengths(
    _ text: [UInt8], data: [UInt8], nonce: [UInt8]
  ) -> (text: Int32, data: Int32, nonce: Int32)? {
    guard let text = Int32(exactly: text.count), let data = Int32(exactly: data.count),
      let nonce = Int32(exactly: nonce.count)
    else { return nil }
    return (text, data, nonce)
  }
}
