extension String {
  /// Whether this is a UUID of 8-4-4-4-12 hexadecimal digits in either case (RFC 9562 section 4).
  package var isUUID: Bool {
    utf8.withContiguousStorageIfAvailable(Self.isUUID)
      ?? Array(utf8).withUnsafeBufferPointer(Self.isUUID)
  }

  private static func isUUID(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let dash = UInt8(ascii: "-")
    guard bytes.count == 36, bytes[8] == dash, bytes[13] == dash, bytes[18] == dash,
      bytes[23] == dash
    else { return false }
    // Without an early exit, so that the compiler vectorizes the loop.
    var digits: UInt8 = 0
    for index in 0..<36 {
      let byte = bytes[index]
      digits &+= byte &- UInt8(ascii: "0") < 10 ? 1 : 0
      digits &+= (byte | 0x20) &- UInt8(ascii: "a") < 6 ? 1 : 0
    }
    return digits == 32
  }
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
