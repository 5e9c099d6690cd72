import COpenSSL
import PushCrypto

/// An `EVP_PKEY` on the curve P-256.
///
/// `@unchecked Sendable`: the pointer does not change, the key is not modified after `init`, and OpenSSL allows several
/// threads to read an `EVP_PKEY` at once (its reference count is atomic; see openssl-threads(7)). It is freed in
/// `deinit`.
@safe final class P256Key: @unchecked Sendable {
  let raw: OpaquePointer

  /// Takes ownership of a key, which is freed where it is on another curve.
  init(owning raw: OpaquePointer) throws(CryptoError) {
    unsafe self.raw = raw
    var name = [CChar](repeating: 0, count: 64)
    var length = 0
    guard unsafe EVP_PKEY_get_group_name(raw, &name, name.count, &length) == 1,
      String(decoding: name.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
        == "prime256v1"
    else { throw CryptoError(.badKey, "the key is not on the curve P-256") }
  }

  deinit { unsafe EVP_PKEY_free(raw) }
}

struct OpenSSLPrivateKey: ES256PrivateKey {
  let key: P256Key

  var publicKey: any ES256PublicKey { OpenSSLPublicKey(key: key) }

  func signature(for message: [UInt8]) throws(CryptoError) -> [UInt8] {
    let context = unsafe EVP_MD_CTX_new()
    defer { unsafe EVP_MD_CTX_free(context) }
    var der = [UInt8](repeating: 0, count: 80)
    var length = der.count
    guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.raw) == 1,
      unsafe EVP_DigestSign(context, &der, &length, message, message.count) == 1
    else {
      ERR_clear_error()
      throw CryptoError(.failed, "signing failed")
    }
    let parsed = unsafe der.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return unsafe d2i_ECDSA_SIG(nil, &start, length)
    }
    guard let parsed = unsafe parsed else { throw CryptoError(.failed, "signing failed") }
    defer { unsafe ECDSA_SIG_free(parsed) }
    var r = [UInt8](repeating: 0, count: 32)
    var s = r
    guard unsafe BN_bn2binpad(ECDSA_SIG_get0_r(parsed), &r, 32) == 32,
      unsafe BN_bn2binpad(ECDSA_SIG_get0_s(parsed), &s, 32) == 32
    else { throw CryptoError(.failed, "signing failed") }
    return r + s
  }
}

struct OpenSSLPublicKey: ES256PublicKey {
  let key: P256Key

  func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
    guard signature.count == 64, let der = Self.der(signature) else { return false }
    let context = unsafe EVP_MD_CTX_new()
    defer {
      unsafe EVP_MD_CTX_free(context)
      ERR_clear_error()
    }
    return unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key.raw) == 1
      && EVP_DigestVerify(context, der, der.count, message, message.count) == 1
  }

  /// The ASN.1 form of a signature, which OpenSSL verifies.
  private static func der(_ signature: [UInt8]) -> [UInt8]? {
    guard let pair = unsafe ECDSA_SIG_new() else { return nil }
    defer { unsafe ECDSA_SIG_free(pair) }
    let (r, s) = unsafe (
      BN_bin2bn(Array(signature[..<32]), 32, nil), BN_bin2bn(Array(signature[32...]), 32, nil)
    )
    guard unsafe ECDSA_SIG_set0(pair, r, s) == 1 else {
      unsafe BN_free(r)
      unsafe BN_free(s)
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: 80)
    let length = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      var start = buffer.baseAddress
      return unsafe i2d_ECDSA_SIG(pair, &start)
    }
    return length > 0 ? Array(bytes.prefix(Int(length))) : nil
  }
}

extension OpenSSLCrypto {
  /// R and S, 32 bytes each, of a signature in ASN.1, which some senders use in their provider tokens.
  package static func rawSignature(der: [UInt8]) -> [UInt8]? {
    guard (8...80).contains(der.count) else { return nil }
    let pair = unsafe der.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return unsafe d2i_ECDSA_SIG(nil, &start, buffer.count)
    }
    guard let pair = unsafe pair else {
      ERR_clear_error()
      return nil
    }
    defer { unsafe ECDSA_SIG_free(pair) }
    var r = [UInt8](repeating: 0, count: 32)
    var s = r
    guard unsafe BN_bn2binpad(ECDSA_SIG_get0_r(pair), &r, 32) == 32,
      unsafe BN_bn2binpad(ECDSA_SIG_get0_s(pair), &s, 32) == 32
    else { return nil }
    return r + s
  }
}
