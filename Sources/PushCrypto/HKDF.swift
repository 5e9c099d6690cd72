/// Key derivation with HMAC-SHA-256 (RFC 5869), for the one block that push needs.
struct HKDF {
  private let pseudorandomKey: [UInt8]
  private let provider: any CryptoProvider

  /// Extracts (section 2.2).
  init(salt: [UInt8], keyingMaterial: [UInt8], provider: some CryptoProvider) {
    pseudorandomKey = provider.hmacSHA256(key: salt, message: keyingMaterial)
    self.provider = provider
  }

  /// Expands (section 2.3) to at most 32 bytes, which is T(1).
  func expand(info: [UInt8], count: Int) -> [UInt8] {
    precondition(count <= 32, "one block of SHA-256 has 32 bytes")
    return Array(provider.hmacSHA256(key: pseudorandomKey, message: info + [1]).prefix(count))
  }
}
