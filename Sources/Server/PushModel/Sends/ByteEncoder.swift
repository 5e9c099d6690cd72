/// A writer of numbers, text and bytes, one after the other.
///
/// An integer takes seven bits a byte, the lowest first (LEB128); text and bytes follow their
/// length.
struct ByteEncoder {
  private(set) var bytes: [UInt8] = []

  mutating func append(byte: UInt8) { bytes.append(byte) }

  mutating func append(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes a signed number in zigzag encoding, in which small numbers of either sign are short.
  mutating func append(signed value: Int64) {
    append(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  mutating func append(_ text: String) { append(Array(text.utf8)) }

  mutating func append(_ blob: [UInt8]) {
    append(UInt64(blob.count))
    bytes.append(contentsOf: blob)
  }
}
