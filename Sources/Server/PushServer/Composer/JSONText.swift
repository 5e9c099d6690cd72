/// The escaping of text inside a JSON string (RFC 8259, section 7).
enum JSONText {
  static func isEscaped(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5c }

  static func escape(_ text: some Sequence<UInt8>, into output: inout [UInt8]) {
    for byte in text {
      guard isEscaped(byte) else {
        output.append(byte)
        continue
      }
      switch byte {
      case 0x08: output += #"\b"#.utf8
      case 0x09: output += #"\t"#.utf8
      case 0x0a: output += #"\n"#.utf8
      case 0x0c: output += #"\f"#.utf8
      case 0x0d: output += #"\r"#.utf8
      case 0x22, 0x5c: output += [0x5c, byte]
      default: output += #"\u00"#.utf8 + [digit(byte >> 4), digit(byte & 15)]
      }
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
