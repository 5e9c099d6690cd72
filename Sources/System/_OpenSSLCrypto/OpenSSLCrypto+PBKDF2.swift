import COpenSSL

extension OpenSSLCrypto {
  /// Derives a key from a password with PBKDF2 and HMAC (RFC 8018 section 5.2).
  ///
  /// - Returns: The key; `nil` if there are no rounds, if no key is asked for, or if a length is over that of OpenSSL.
  package static func pbkdf2(
    password: [UInt8], salt: [UInt8], rounds: Int, byteCount: Int, hash: OpenSSLHash
  ) -> [UInt8]? {
    guard rounds > 0, byteCount > 0, let rounds = Int32(exactly: rounds),
      let count = Int32(exactly: byteCount), let saltCount = Int32(exactly: salt.count),
      let passwordCount = Int32(exactly: password.count)
    else { return nil }
    var key = [UInt8](repeating: 0, count: byteCount)
    let done = unsafe password.withUnsafeBytes { password in
      // OpenSSL measures the text itself if it is not given a length of zero or more.
      unsafe PKCS5_PBKDF2_HMAC(
        password.baseAddress?.assumingMemoryBound(to: CChar.self), passwordCount, salt, saltCount,
        rounds, hash.function, count, &key)
    }
    guard done == 1 else {
      ERR_clear_error()
      return nil
    }
    return key
  }
}
