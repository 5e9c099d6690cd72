import COpenSSL
package import PushCrypto

/// The cost of a scrypt hash (RFC 7914, section 2).
package struct ScryptCost: Hashable, Sendable {
  /// The accepted exponents and factors, which limit the memory of one hash to 256 MiB.
  package static let logRange = 1...17
  package static let blockRange = 1...16
  package static let parallelRange = 1...16

  /// The binary logarithm of the CPU and memory cost N.
  package let log: Int
  /// The block size r.
  package let block: Int
  /// The parallelization p.
  package let parallel: Int

  /// The cost of new hashes: 32 MiB and about a tenth of a second, from OWASP's row of N 2^15, r 8, p 3.
  package static let standard = ScryptCost(known: (15, 8, 3))

  private init(known cost: (log: Int, block: Int, parallel: Int)) {
    (log, block, parallel) = cost
  }

  /// Returns `nil` if a parameter is outside of its range.
  package init?(log: Int, block: Int, parallel: Int) {
    guard Self.logRange.contains(log), Self.blockRange.contains(block),
      Self.parallelRange.contains(parallel)
    else { return nil }
    self.init(known: (log, block, parallel))
  }

  /// The memory of one hash, in bytes.
  package var memory: Int { 128 * block << log }
}

extension OpenSSLCrypto {
  /// Derives a key from a password with scrypt.
  ///
  /// - Throws: ``CryptoError`` if OpenSSL refuses the cost or has no memory.
  package static func scrypt(
    password: [UInt8], salt: [UInt8], cost: ScryptCost, count: Int
  ) throws(CryptoError) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: count)
    // OpenSSL also counts its own tables, so the limit leaves some room above the table of N blocks.
    let limit = UInt64(cost.memory) + UInt64(128 * cost.block * (cost.parallel + 2)) + 1 << 20
    let done = unsafe password.withUnsafeBytes { password in
      unsafe EVP_PBE_scrypt(
        password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt, salt.count,
        UInt64(1) << UInt64(cost.log), UInt64(cost.block), UInt64(cost.parallel), limit, &key, count
      )
    }
    guard done == 1 else {
      ERR_clear_error()
      throw CryptoError(
        .failed, "OpenSSL cannot compute scrypt with \(cost.memory) bytes of memory")
    }
    return key
  }

  /// HMAC-SHA-1, which only one-time passwords may use (RFC 6238).
  package static func hmacSHA1(key: [UInt8], message: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 20)
    var length: UInt32 = 0
    let done = unsafe HMAC(
      EVP_sha1(), key, Int32(clamping: key.count), message, message.count, &code, &length)
    precondition(unsafe done != nil, "OpenSSL has no HMAC")
    return code
  }
}
