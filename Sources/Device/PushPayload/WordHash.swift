/// A hash of a list of strings that is the same on every device and in every version.
///
/// It is the 128-bit FNV-1a. It is not a cryptographic hash: whoever chooses the strings can choose the hash.
///
/// Source: the IETF draft "The FNV Non-Cryptographic Hash Algorithm", sections 2 and 5.
package struct WordHash: Hashable, Sendable {
  private var high: UInt64 = 0x6c62_272e_07bb_0142
  private var low: UInt64 = 0x62b8_2175_6295_c58d

  /// Each string is hashed with its length, so that `["ab", "c"]` and `["a", "bc"]` differ.
  package init(of words: some Sequence<String>) {
    for word in words {
      add("\(word.utf8.count):".utf8)
      add(word.utf8)
    }
  }

  /// The hash as 32 lower-case hexadecimal digits.
  package var hexadecimal: String { high.hexadecimal(digits: 16) + low.hexadecimal(digits: 16) }

  /// Adds bytes without their number.
  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      low ^= UInt64(byte)
      // Multiplies by the prime 2^88 + 0x13b, modulo 2^128.
      let product = low.multipliedFullWidth(by: 0x13b)
      high = high &* 0x13b &+ product.high &+ (low << 24)
      low = product.low
    }
  }
}

extension [UInt8] {
  /// The bytes in lower-case hexadecimal, two digits each.
  package var hexadecimal: String {
    func digit(_ value: UInt8) -> UInt8 {
      value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
    var text: [UInt8] = []
    text.reserveCapacity(count * 2)
    for byte in self {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// The number in lower-case hexadecimal, with leading zeros.
  package func hexadecimal(digits: Int) -> String {
    let text = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
  }
}
