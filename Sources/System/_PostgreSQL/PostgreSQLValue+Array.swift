extension PostgreSQLValue {
  /// Appends an array as text, such as `{1,"a",NULL}` (PostgreSQL's manual, 8.15.6).
  static func append(_ values: [PostgreSQLValue], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    for (place, value) in values.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      value.append(toArray: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private func append(toArray bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "NULL".utf8
    case .text(let text): Self.quote(text, to: &bytes)
    // The backslash before a hexadecimal `bytea` is escaped.
    case .bytes(let plain):
      bytes += #""\\x"#.utf8
      Self.append(hexadecimal: plain, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    // An array in an array has no quotes.
    case .integer, .real, .bool, .array: append(toParameter: &bytes)
    }
  }

  private static func quote(_ text: String, to bytes: inout [UInt8]) {
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    bytes.append(quote)
    if text.utf8.contains(where: { $0 == quote || $0 == backslash }) {
      for byte in text.utf8 {
        if byte == quote || byte == backslash { bytes.append(backslash) }
        bytes.append(byte)
      }
    } else {
      bytes += text.utf8
    }
    bytes.append(quote)
  }

  /// Appends bytes as the hexadecimal digits of a `bytea`.
  static func append(hexadecimal plain: [UInt8], to bytes: inout [UInt8]) {
    func digit(_ value: UInt8) -> UInt8 {
      value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
    for byte in plain {
      bytes.append(digit(byte >> 4))
      bytes.append(digit(byte & 15))
    }
  }
}
