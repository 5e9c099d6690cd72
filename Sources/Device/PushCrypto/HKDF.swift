/// The key derivation function HKDF with HMAC-SHA-256 (RFC 5869), limited to one block of 32 bytes.
package struct HKDF {
  private let pseudorandomKey: [UInt8]
  private let provider: any CryptoProvider

  /// Performs HKDF-Extract (section 2.2).
  package init(salt: [UInt8], keyingMaterial: [UInt8], provider: some CryptoProvider) {
    pseudorandomKey = provider.hmacSHA256(key: salt, message: keyingMaterial)
    self.provider = provider
  }

  /// Performs HKDF-Expand (section 2.3) for at most 32 bytes, which is T(1).
  package func expand(info: [UInt8], count: Int) -> [UInt8] {
    precondition(count <= 32, "one block of SHA-256 has 32 bytes")
    return Array(provider.hmacSHA256(key: pseudorandomKey, message: info + [1]).prefix(count))
  }
}
