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
