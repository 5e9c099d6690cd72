import COpenSSL

/// A private or public key on one of several curves.
///
/// `@unchecked Sendable`: the pointer does not change, the key is not modified after `init`, and OpenSSL allows several
/// threads to read an `EVP_PKEY` at once (openssl-threads(7)). It is freed in `deinit`.
@safe package final class CurveKey: @unchecked Sendable {
  package let curve: Curve
  let raw: OpaquePointer

  /// Takes ownership of a key; `nil` if it is missing or on another curve.
  private init?(_ curve: Curve, owning raw: OpaquePointer?) {
    ERR_clear_error()
    guard let raw = unsafe raw else { return nil }
    self.curve = curve
    unsafe self.raw = raw
    if curve.isNIST {
      var name = [CChar](repeating: 0, count: 64)
      var length = 0
      guard unsafe EVP_PKEY_get_group_name(raw, &name, name.count, &length) == 1,
        String(decoding: name.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
          == curve.groupName
      else { return nil }
    }
  }

  deinit { unsafe EVP_PKEY_free(raw) }

  /// Makes a new private key.
  package static func generate(_ curve: Curve) -> CurveKey {
    let context = unsafe EVP_PKEY_CTX_new_from_name(nil, curve.isNIST ? "EC" : curve.name, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var raw: OpaquePointer?
    guard unsafe EVP_PKEY_keygen_init(context) == 1,
      unsafe !curve.isNIST || EVP_PKEY_CTX_set_group_name(context, curve.name) == 1,
      unsafe EVP_PKEY_generate(context, &raw) == 1, let key = unsafe CurveKey(curve, owning: raw)
    else { preconditionFailure("OpenSSL cannot make a key: memory or the random source failed") }
    return key
  }

  /// Reads a private key; `nil` if the bytes are not a scalar of the curve.
  package convenience init?(_ curve: Curve, scalar: [UInt8]) {
    guard scalar.count == curve.width else { return nil }
    guard curve.isNIST else {
      unsafe self.init(
        curve,
        owning: EVP_PKEY_new_raw_private_key_ex(nil, curve.name, nil, scalar, scalar.count))
      return
    }
    guard let key = CurveKey(curve, privateDER: curve.privateKeyDER(scalar: scalar)) else {
      return nil
    }
    self.init(
      curve, privateDER: curve.privateKeyDER(scalar: scalar, point: [4] + key.publicBytes))
  }

  /// Reads a private key in DER, as PKCS #8 or SEC 1; `nil` if it is not a key of this curve.
  package convenience init?(_ curve: Curve, privateDER der: [UInt8]) {
    var der = der
    defer { unsafe OPENSSL_cleanse(&der, der.count) }
    let raw = unsafe der.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return unsafe d2i_AutoPrivateKey(nil, &start, buffer.count)
    }
    unsafe self.init(curve, owning: raw)
    // The scalar must be from 1 to the order of the curve minus 1.
    let context = unsafe EVP_PKEY_CTX_new(self.raw, nil)
    defer {
      unsafe EVP_PKEY_CTX_free(context)
      ERR_clear_error()
    }
    guard unsafe EVP_PKEY_private_check(context) == 1 else { return nil }
  }

  /// Reads a public key: a point, compressed or not (SEC 1 section 2.3.3), or 32 bytes; `nil` if it is not one.
  package convenience init?(_ curve: Curve, publicKey: [UInt8]) {
    guard curve.isNIST else {
      guard publicKey.count == curve.width else { return nil }
      unsafe self.init(
        curve,
        owning: EVP_PKEY_new_raw_public_key_ex(nil, curve.name, nil, publicKey, publicKey.count))
      return
    }
    let lengths: [UInt8: Int] = [2: curve.width, 3: curve.width, 4: 2 * curve.width]
    guard let form = publicKey.first, lengths[form] == publicKey.count - 1 else { return nil }
    guard let key = CurveKey(curve, publicDER: curve.publicKeyDER(point: publicKey)) else {
      return nil
    }
    // OpenSSL writes a key in the form in which it was read.
    self.init(curve, publicDER: curve.publicKeyDER(point: [4] + key.publicBytes))
  }

  /// Reads a public key in DER (RFC 5480 section 2); `nil` if it is not a key of this curve.
  package convenience init?(_ curve: Curve, publicDER der: [UInt8]) {
    let raw = unsafe der.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return unsafe d2i_PUBKEY(nil, &start, buffer.count)
    }
    unsafe self.init(curve, owning: raw)
  }

  /// The bytes of the public key: X and Y, or 32 bytes on X25519 and Ed25519.
  package var publicBytes: [UInt8] {
    guard curve.isNIST else { return unsafe rawBytes(EVP_PKEY_get_raw_public_key) }
    return number(OSSL_PKEY_PARAM_EC_PUB_X) + number(OSSL_PKEY_PARAM_EC_PUB_Y)
  }

  /// The private key's scalar, which is secret.
  package var scalar: [UInt8] {
    guard curve.isNIST else { return unsafe rawBytes(EVP_PKEY_get_raw_private_key) }
    return number(OSSL_PKEY_PARAM_PRIV_KEY)
  }

  /// The private key in PKCS #8 PEM.
  package var privatePEM: String {
    unsafe pem { unsafe PEM_write_bio_PrivateKey($0, raw, nil, nil, 0, nil, nil) }
  }

  /// The public key in SubjectPublicKeyInfo PEM.
  package var publicPEM: String { unsafe pem { unsafe PEM_write_bio_PUBKEY($0, raw) } }

  private func pem(_ write: (OpaquePointer) -> Int32) -> String {
    guard let bio = try? MemoryBIO(), unsafe write(bio.raw) == 1 else {
      preconditionFailure("OpenSSL cannot write a key that it made or read")
    }
    return bio.text
  }

  private func rawBytes(
    _ read: (OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?) -> Int32
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: curve.width)
    var length = bytes.count
    let isRead = unsafe read(raw, &bytes, &length) == 1 && length == bytes.count
    precondition(isRead, "OpenSSL cannot write a key that it made or read")
    return bytes
  }

  private func number(_ name: String) -> [UInt8] {
    var value: OpaquePointer?
    var bytes = [UInt8](repeating: 0, count: curve.width)
    let count = Int32(curve.width)
    let isRead =
      unsafe EVP_PKEY_get_bn_param(raw, name, &value) == 1
      && BN_bn2binpad(value, &bytes, count) == count
    unsafe BN_clear_free(value)
    precondition(isRead, "OpenSSL cannot write a key that it made or read")
    return bytes
  }
}
