import _OpenSSLCrypto

/// A generator of ids in ascending order, for rows that are inserted together.
///
/// An index of ascending ids grows only at one end. Each id is the previous one plus a random
/// 64-bit step, so that no id can be guessed from another.
struct IdentifierSequence {
  private var high: UInt32 = 0
  private var low: UInt64 = 0
  /// Random bytes that were not used yet; 4096 are drawn at a time.
  private var randomBytes: ArraySlice<UInt8> = []

  init() {
    high = UInt32(truncatingIfNeeded: random())
    low = random()
  }

  /// Returns the next id, as 24 hex digits.
  mutating func next() -> String {
    let (sum, hasWrapped) = low.addingReportingOverflow(random())
    low = sum
    if hasWrapped { high &+= 1 }
    let bytes =
      withUnsafeBytes(of: high.bigEndian, Array.init)
      + withUnsafeBytes(of: low.bigEndian, Array.init)
    return Identifiers.hex(bytes)
  }

  private mutating func random() -> UInt64 {
    if randomBytes.isEmpty { randomBytes = OpenSSLCrypto.randomBytes(4096)[...] }
    return (0..<8).reduce(0) { number, _ in number << 8 | UInt64(randomBytes.removeFirst()) }
  }
}
