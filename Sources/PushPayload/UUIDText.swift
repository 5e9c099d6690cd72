extension String {
  /// Whether it is a UUID in its form of 8-4-4-4-12 hexadecimal digits, of either case (RFC 9562 section 4).
  package var isUUID: Bool {
    let bytes = utf8.span
    let dash = UInt8(ascii: "-")
    guard bytes.count == 36, bytes[8] == dash, bytes[13] == dash, bytes[18] == dash,
      bytes[23] == dash
    else { return false }
    // Without a way out of it: the compiler makes vectors of such a loop.
    var digits: UInt8 = 0
    for place in 0..<36 {
      let byte = bytes[place]
      digits &+= byte &- UInt8(ascii: "0") < 10 ? 1 : 0
      digits &+= (byte | 0x20) &- UInt8(ascii: "a") < 6 ? 1 : 0
    }
    return digits == 32
  }
}

extension String {
  /// Writes the 128 bits of a UUID, in lower case.
  package init(uuid high: UInt64, _ low: UInt64) {
    self.init(unsafeUninitializedCapacity: 36) { text in
      var place = 0
      func write(_ bits: UInt64, from first: UInt64, _ count: Int) {
        var shift = first
        for index in place..<place + count {
          let digit = UInt8(truncatingIfNeeded: bits >> shift) & 15
          text[index] = digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
          shift &-= 4
        }
        place += count
        if place < 36 { text[place] = UInt8(ascii: "-") }
        place += 1
      }
      write(high, from: 60, 8)
      write(high, from: 28, 4)
      write(high, from: 12, 4)
      write(low, from: 60, 4)
      write(low, from: 44, 12)
      return 36
    }
  }
}
