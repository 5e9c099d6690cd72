import COpenSSL
package import PushCrypto

extension OpenSSLCrypto {
  package func makeECDHKey() throws(CryptoError) -> any ECDHPrivateKey {
    guard let raw = unsafe martlet_generate_p256() else {
      ERR_clear_error()
      throw CryptoError(.failed, "OpenSSL cannot make a P-256 key")
    }
    return unsafe try OpenSSLECDHKey(P256Key(owning: raw))
  }

  package func ecdhKey(rawRepresentation: [UInt8]) throws(CryptoError) -> any ECDHPrivateKey {
    try OpenSSLECDHKey(P256Key(scalar: rawRepresentation))
  }

  package func validate(ecdhPublicKey publicKey: [UInt8]) throws(CryptoError) {
    _ = try P256Key(point: publicKey)
  }
}

extension P256Key {
  /// The DER bytes before and after the 32 bytes of the scalar in an ECPrivateKey (SEC 1 appendix C.4).
  ///
  /// The optional public key is omitted, because OpenSSL computes it.
  private static let beforeScalar: [UInt8] = [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20]
  private static let afterScalar: [UInt8] = [
    0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
  ]
  /// The DER bytes before the 65 bytes of a point in SubjectPublicKeyInfo (RFC 5480 section 2).
  private static let beforePoint: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A,
    0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
  ]

  /// Makes a private key and its public key.
  convenience init(scalar: [UInt8]) throws(CryptoError) {
    guard scalar.count == 32 else {
      throw CryptoError(.badKey, "a P-256 private key has 32 bytes")
    }
    var der = Self.beforeScalar + scalar + Self.afterScalar
    defer { unsafe OPENSSL_cleanse(&der, der.count) }
    let raw = unsafe der.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return unsafe d2i_PrivateKey(EVP_PKEY_EC, nil, &start, buffer.count)
    }
    guard let raw = unsafe raw else {
      ERR_clear_error()
      throw Self.notAScalar
    }
    try unsafe self.init(owning: raw)
    // The scalar must be from 1 to the order of the curve minus 1.
    let context = unsafe EVP_PKEY_CTX_new(raw, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    guard unsafe EVP_PKEY_private_check(context) == 1 else {
      ERR_clear_error()
      throw Self.notAScalar
    }
  }

  private static let notAScalar = CryptoError(.badKey, "the bytes are not a P-256 private key")

  /// Makes a public key; OpenSSL refuses a point that is not on the curve.
  convenience init(point: [UInt8]) throws(CryptoError) {
    // Other forms that OpenSSL accepts (compressed, hybrid) begin with other bytes.
    guard point.count == 65, point[0] == 4 else {
      throw CryptoError(.badKey, "a P-256 public key is 65 bytes that begin with 4")
    }
    let der = Self.beforePoint + point
    let raw = unsafe der.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return unsafe d2i_PUBKEY(nil, &start, buffer.count)
    }
    guard let raw = unsafe raw else {
      ERR_clear_error()
      throw CryptoError(.badKey, "the public key is not on the curve P-256")
    }
    try unsafe self.init(owning: raw)
  }
}

struct OpenSSLECDHKey: ECDHPrivateKey {
  let key: P256Key
  let publicKey: [UInt8]

  init(_ key: P256Key) throws(CryptoError) {
    var point = [UInt8](repeating: 0, count: 65)
    var length = 0
    guard
      unsafe EVP_PKEY_get_octet_string_param(
        key.raw, OSSL_PKEY_PARAM_PUB_KEY, &point, point.count, &length) == 1,
      length == point.count, point[0] == 4
    else {
      ERR_clear_error()
      throw CryptoError(.failed, "OpenSSL cannot write the public key")
    }
    self.key = key
    publicKey = point
  }

  var rawRepresentation: [UInt8] {
    var scalar: OpaquePointer?
    var bytes = [UInt8](repeating: 0, count: 32)
    let isRead =
      unsafe EVP_PKEY_get_bn_param(key.raw, OSSL_PKEY_PARAM_PRIV_KEY, &scalar) == 1
      && BN_bn2binpad(scalar, &bytes, 32) == 32
    unsafe BN_clear_free(scalar)
    precondition(isRead, "OpenSSL cannot write a private key that it made or read")
    return bytes
  }

  func sharedSecret(with publicKey: [UInt8]) throws(CryptoError) -> [UInt8] {
    let other = try P256Key(point: publicKey)
    let context = unsafe EVP_PKEY_CTX_new(key.raw, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var secret = [UInt8](repeating: 0, count: 32)
    var length = secret.count
    guard unsafe EVP_PKEY_derive_init(context) == 1,
      unsafe EVP_PKEY_derive_set_peer(context, other.raw) == 1,
      unsafe EVP_PKEY_derive(context, &secret, &length) == 1, length == secret.count
    else {
      ERR_clear_error()
      throw CryptoError(.failed, "the key agreement failed")
    }
    return secret
  }
}
