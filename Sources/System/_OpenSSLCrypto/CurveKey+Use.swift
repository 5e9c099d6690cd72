import COpenSSL

extension CurveKey {
  /// Computes the secret shared with the owner of a public key; `nil` if the keys have none.
  package func sharedSecret(with other: CurveKey) -> [UInt8]? {
    let context = unsafe EVP_PKEY_CTX_new(raw, nil)
    defer {
      unsafe EVP_PKEY_CTX_free(context)
      ERR_clear_error()
    }
    var secret = [UInt8](repeating: 0, count: curve.width)
    var length = secret.count
    guard unsafe EVP_PKEY_derive_init(context) == 1,
      unsafe EVP_PKEY_derive_set_peer(context, other.raw) == 1,
      unsafe EVP_PKEY_derive(context, &secret, &length) == 1, length == secret.count
    else { return nil }
    return secret
  }

  /// Signs a digest with ECDSA; the signature is R and S.
  package func signature(digest: [UInt8]) -> [UInt8]? {
    let context = unsafe EVP_PKEY_CTX_new(raw, nil)
    defer {
      unsafe EVP_PKEY_CTX_free(context)
      ERR_clear_error()
    }
    var der = [UInt8](repeating: 0, count: 2 * curve.width + 16)
    var length = der.count
    guard unsafe EVP_PKEY_sign_init(context) == 1,
      unsafe EVP_PKEY_sign(context, &der, &length, digest, digest.count) == 1
    else { return nil }
    return curve.signature(der: Array(der.prefix(length)))
  }

  /// Verifies the signature R and S of a digest.
  package func isValid(signature: [UInt8], digest: [UInt8]) -> Bool {
    let context = unsafe EVP_PKEY_CTX_new(raw, nil)
    defer {
      unsafe EVP_PKEY_CTX_free(context)
      ERR_clear_error()
    }
    guard let der = curve.der(signature: signature),
      unsafe EVP_PKEY_verify_init(context) == 1
    else { return false }
    return unsafe EVP_PKEY_verify(context, der, der.count, digest, digest.count) == 1
  }

  /// Signs a message with Ed25519 (RFC 8032).
  package func signature(message: [UInt8]) -> [UInt8]? {
    let context = unsafe EVP_MD_CTX_new()
    defer {
      unsafe EVP_MD_CTX_free(context)
      ERR_clear_error()
    }
    var signature = [UInt8](repeating: 0, count: 64)
    var length = signature.count
    guard unsafe EVP_DigestSignInit(context, nil, nil, nil, raw) == 1,
      unsafe EVP_DigestSign(context, &signature, &length, message, message.count) == 1,
      length == signature.count
    else { return nil }
    return signature
  }

  /// Verifies an Ed25519 signature of a message.
  package func isValid(signature: [UInt8], message: [UInt8]) -> Bool {
    let context = unsafe EVP_MD_CTX_new()
    defer {
      unsafe EVP_MD_CTX_free(context)
      ERR_clear_error()
    }
    return unsafe EVP_DigestVerifyInit(context, nil, nil, nil, raw) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }
}

extension Curve {
  /// R and S of a signature in ASN.1; `nil` if the bytes are not a signature.
  package func signature(der: [UInt8]) -> [UInt8]? {
    guard (8...(2 * width + 16)).contains(der.count) else { return nil }
    let pair = unsafe der.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return unsafe d2i_ECDSA_SIG(nil, &start, buffer.count)
    }
    guard let pair = unsafe pair else {
      ERR_clear_error()
      return nil
    }
    defer { unsafe ECDSA_SIG_free(pair) }
    var r = [UInt8](repeating: 0, count: width)
    var s = r
    let count = Int32(width)
    guard unsafe BN_bn2binpad(ECDSA_SIG_get0_r(pair), &r, count) == count,
      unsafe BN_bn2binpad(ECDSA_SIG_get0_s(pair), &s, count) == count
    else { return nil }
    return r + s
  }

  /// The ASN.1 form of R and S; `nil` if their length is wrong.
  package func der(signature: [UInt8]) -> [UInt8]? {
    guard signature.count == 2 * width, let pair = unsafe ECDSA_SIG_new() else { return nil }
    defer { unsafe ECDSA_SIG_free(pair) }
    let count = Int32(width)
    let r = unsafe BN_bin2bn(Array(signature[..<width]), count, nil)
    let s = unsafe BN_bin2bn(Array(signature[width...]), count, nil)
    guard unsafe ECDSA_SIG_set0(pair, r, s) == 1 else {
      unsafe BN_free(r)
      unsafe BN_free(s)
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: 2 * width + 16)
    let length = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      var start = buffer.baseAddress
      return unsafe i2d_ECDSA_SIG(pair, &start)
    }
    return length > 0 ? Array(bytes.prefix(Int(length))) : nil
  }
}
