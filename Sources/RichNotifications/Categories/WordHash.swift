/// A short name for a list of words: the same for the same words, on every device, in every version.
///
/// FNV-1a of 128 bits. It keeps things apart and guards nothing: whoever can choose the words can
/// choose the name.
///
/// Source: the IETF draft "The FNV Non-Cryptographic Hash Algorithm", sections 2 and 5.
struct WordHash: Hashable, Sendable {
  private var high: UInt64 = 0x6c62_272e_07bb_0142
  private var low: UInt64 = 0x62b8_2175_6295_c58d

  /// Each word counts with its length, so that `["ab", "c"]` is not `["a", "bc"]`.
  init(of words: some Sequence<String>) {
    for word in words {
      add("\(word.utf8.count):".utf8)
      add(word.utf8)
    }
  }

  /// 32 digits in lower case.
  var hexadecimal: String { high.hexadecimal(digits: 16) + low.hexadecimal(digits: 16) }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      low ^= UInt64(byte)
      // Times the prime 2^88 + 0x13b, modulo 2^128.
      let product = low.multipliedFullWidth(by: 0x13b)
      high = high &* 0x13b &+ product.high &+ (low << 24)
      low = product.low
    }
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// In lower case, with zeros in front.
  func hexadecimal(digits: Int) -> String {
    let text = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
  }
}
