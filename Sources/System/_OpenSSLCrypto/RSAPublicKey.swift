import COpenSSL

/// A public RSA key, which verifies signatures.
///
/// `@unchecked Sendable`: the pointer does not change, the key is not modified after `init`, and OpenSSL allows several
/// threads to read an `EVP_PKEY` at once (openssl-threads(7)). It is freed in `deinit`.
@safe package final class RSAPublicKey: @unchecked Sendable {
  /// The accepted lengths of a modulus in bytes: shorter ones are insecure, and longer ones are slow.
  package static let modulusLengths = 256...1024
  /// The most bytes of an exponent; in practice it is 65537.
  private static let exponentLimit = 8

  private let raw: OpaquePointer

  /// Makes a key of big-endian numbers; `nil` if they are not a key, or if it is too short or too long.
  package init?(modulus: [UInt8], exponent: [UInt8]) {
    let modulus = Array(modulus.drop { $0 == 0 })
    let exponent = Array(exponent.drop { $0 == 0 })
    guard Self.modulusLengths.contains(modulus.count), modulus.last.map({ $0 & 1 == 1 }) == true,
      (1...Self.exponentLimit).contains(exponent.count), exponent.last.map({ $0 & 1 == 1 }) == true,
      exponent != [1]
    else { return nil }
    let der = Self.der(modulus: modulus, exponent: exponent)
    let key = unsafe der.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return unsafe d2i_PUBKEY(nil, &start, buffer.count)
    }
    guard let key = unsafe key else {
      ERR_clear_error()
      return nil
    }
    unsafe raw = key
  }

  deinit { unsafe EVP_PKEY_free(raw) }

  /// Verifies a signature with PKCS #1 v1.5 and SHA-256 (RFC 8017, section 8.2), the algorithm RS256 of JSON Web
  /// Algorithms.
  package func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
    let context = unsafe EVP_MD_CTX_new()
    defer {
      unsafe EVP_MD_CTX_free(context)
      ERR_clear_error()
    }
    // The padding is PKCS #1's by default.
    return unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, raw) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }

  /// A SubjectPublicKeyInfo of the key (RFC 8017, appendix A.1.1).
  private static func der(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
    // The bytes are rsaEncryption and its NULL parameter.
    let algorithm: [UInt8] = [
      0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
    let key = value(0x30, integer(modulus) + integer(exponent))
    return value(0x30, value(0x30, algorithm) + value(0x03, [0] + key))
  }

  /// A positive INTEGER, whose first bit must be 0.
  private static func integer(_ number: [UInt8]) -> [UInt8] {
    value(0x02, (number.first.map { $0 >= 0x80 } == true ? [0] : []) + number)
  }

  /// A DER value of at most 65,535 bytes.
  private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    switch content.count {
    case ..<0x80: [tag, UInt8(content.count)] + content
    case ..<0x100: [tag, 0x81, UInt8(content.count)] + content
    default: [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)] + content
    }
  }
}
