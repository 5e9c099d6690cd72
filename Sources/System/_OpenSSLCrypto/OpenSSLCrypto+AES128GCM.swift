package import PushCrypto

extension OpenSSLCrypto {
  package func sealAES128GCM(
    _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    try Self.checkLengths(plaintext, key: key, nonce: nonce)
    guard
      let sealed = OpenSSLCipher.aesGCM.seal(plaintext, key: key, nonce: nonce, authenticating: [])
    else { throw CryptoError(.failed, "OpenSSL has no AES-128-GCM") }
    return sealed.ciphertext + sealed.tag
  }

  package func openAES128GCM(
    _ ciphertext: [UInt8], key: [UInt8], nonce: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    try Self.checkLengths(ciphertext, key: key, nonce: nonce)
    guard ciphertext.count >= OpenSSLCipher.tagLength else {
      throw CryptoError(.malformed, "a ciphertext is shorter than its tag")
    }
    guard
      let plaintext = OpenSSLCipher.aesGCM.open(
        Array(ciphertext.dropLast(OpenSSLCipher.tagLength)),
        tag: Array(ciphertext.suffix(OpenSSLCipher.tagLength)),
        key: key, nonce: nonce, authenticating: [])
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
