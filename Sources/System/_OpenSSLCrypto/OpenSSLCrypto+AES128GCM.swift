import COpenSSL
package import PushCrypto

extension OpenSSLCrypto {
  private static let tagLength = 16

  package func sealAES128GCM(
    _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    try Self.checkLengths(plaintext, key: key, nonce: nonce)
    let context = unsafe EVP_CIPHER_CTX_new()
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    var ciphertext = [UInt8](repeating: 0, count: plaintext.count)
    var tag = [UInt8](repeating: 0, count: Self.tagLength)
    var count: Int32 = 0
    guard
      unsafe EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1
        && EVP_EncryptUpdate(context, &ciphertext, &count, plaintext, Int32(plaintext.count)) == 1
        && EVP_EncryptFinal_ex(context, nil, &count) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
    else {
      ERR_clear_error()
      throw CryptoError(.failed, "OpenSSL has no AES-128-GCM")
    }
    return ciphertext + tag
  }

  package func openAES128GCM(
    _ ciphertext: [UInt8], key: [UInt8], nonce: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    try Self.checkLengths(ciphertext, key: key, nonce: nonce)
    guard ciphertext.count >= Self.tagLength else {
      throw CryptoError(.malformed, "a ciphertext is shorter than its tag")
    }
    let encrypted = Array(ciphertext.dropLast(Self.tagLength))
    var tag = Array(ciphertext.suffix(Self.tagLength))
    let context = unsafe EVP_CIPHER_CTX_new()
    defer {
      unsafe EVP_CIPHER_CTX_free(context)
      ERR_clear_error()
    }
    var plaintext = [UInt8](repeating: 0, count: encrypted.count)
    var count: Int32 = 0
    guard
      unsafe EVP_DecryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1
        && EVP_DecryptUpdate(context, &plaintext, &count, encrypted, Int32(encrypted.count)) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
        && EVP_DecryptFinal_ex(context, nil, &count) == 1
    else {
      throw CryptoError(
        .authentication, "the ciphertext was encrypted with another key, or was changed")
    }
    return plaintext
  }

  private static func checkLengths(
    _ text: [UInt8], key: [UInt8], nonce: [UInt8]
  ) throws(CryptoError) {
    guard key.count == 16, nonce.count == 12, text.count <= Int32.max else {
      throw CryptoError(.failed, "AES-128-GCM takes a key of 16 bytes and a nonce of 12")
    }
  }
}
