extension String {
  /// Whether this is a UUID of 8-4-4-4-12 hexadecimal digits in either case (RFC 9562 section 4).
  package var isUUID: Bool {
    utf8.withContiguousStorageIfAvailable(Self.isUUID)
      ?? Array(utf8).withUnsafeBufferPointer(Self.isUUID)
  }

  private static func isUUID(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == 36, bytes[8] == dash, bytes[13] == dash, bytes[18] == dash,
      bytes[23] == dash
    else { return false }
    // Eight bytes at a time, because each push is checked: one by one took 2 % of a send.
    func areDigits(at first: Int, dashes: UInt64 = 0) -> Bool {
      var word: UInt64 = 0
      for index in 0..<8 { word |= UInt64(bytes[first + index]) &<< (8 * UInt64(index)) }
      return areHexDigits(word & ~dashes | dashes & repeated(UInt8(ascii: "0")))
    }
    return areDigits(at: 0) && areDigits(at: 8, dashes: 0x0000_ff00_0000_00ff)
      && areDigits(at: 16, dashes: 0xff00_0000_00ff_0000) && areDigits(at: 24)
      && areDigits(at: 28)
  }

  private static let dash = UInt8(ascii: "-")

  /// Whether each of eight bytes is a hexadecimal digit.
  private static func areHexDigits(_ word: UInt64) -> Bool {
    let top = repeated(0x80)
    guard word & top == 0 else { return false }
    /// The bytes whose top bit says that they are from `first` to `last`; no sum carries into the next byte.
    func bytes(of word: UInt64, from first: UInt8, to last: UInt8) -> UInt64 {
      (word &+ repeated(0x80 - first)) & ~(word &+ repeated(0x7f - last))
    }
    let lowercase = word | repeated(0x20)
    let digits = bytes(of: word, from: UInt8(ascii: "0"), to: UInt8(ascii: "9"))
    let letters = bytes(of: lowercase, from: UInt8(ascii: "a"), to: UInt8(ascii: "f"))
    return (digits | letters) & top == top
  }

  /// A word whose bytes all have one value.
  private static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
}

extension String {
  /// Makes the text of a UUID in lower case from the high and the low half of its 128 bits.
  package init(uuid high: UInt64, _ low: UInt64) {
    self.init(unsafeUninitializedCapacity: 36) { text in
      var position = 0
      func write(_ bits: UInt64, digits count: Int, shiftedBy first: UInt64) {
        var shift = first
        for index in position..<position + count {
          let digit = UInt8(truncatingIfNeeded: bits >> shift) & 15
          text[index] = digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
          shift &-= 4
        }
        position += count
        if position < 36 { text[position] = UInt8(ascii: "-") }
        position += 1
      }
      write(high, digits: 8, shiftedBy: 60)
      write(high, digits: 4, shiftedBy: 28)
      write(high, digits: 4, shiftedBy: 12)
      write(low, digits: 4, shiftedBy: 60)
      write(low, digits: 12, shiftedBy: 44)
      return 36
    }
  }
}
