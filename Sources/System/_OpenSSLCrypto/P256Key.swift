import COpenSSL
import PushCrypto

/// An `EVP_PKEY` on the curve P-256.
///
/// `@unchecked Sendable`: the pointer does not change, the key is not modified after `init`, and OpenSSL allows several
/// threads to read an `EVP_PKEY` at once (its reference count is atomic; see openssl-threads(7)). It is freed in
/// `deinit`.
@safe final class P256Key: @unchecked Sendable {
  let raw: OpaquePointer

  /// Takes ownership of a key, which is freed if it is on another curve.
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
    guard let signature = Curve.p256.signature(der: Array(der.prefix(length))) else {
      throw CryptoError(.failed, "signing failed")
    }
    return signature
  }
}

struct OpenSSLPublicKey: ES256PublicKey {
  let key: P256Key

  func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
    guard let der = Curve.p256.der(signature: signature) else { return false }
    let context = unsafe EVP_MD_CTX_new()
    defer {
      unsafe EVP_MD_CTX_free(context)
      ERR_clear_error()
    }
    return unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key.raw) == 1
      && EVP_DigestVerify(context, der, der.count, message, message.count) == 1
  }
}

extension OpenSSLCrypto {
  /// R and S, with 32 bytes each, of a signature in ASN.1, which some senders use in their provider tokens.
  package static func rawSignature(der: [UInt8]) -> [UInt8]? {
    Curve.p256.signature(der: der)
  }
}
