extension PostgreSQLValue {
  /// An array as text, `{1,"a",NULL}` (PostgreSQL's manual, 8.15.6).
  static func text(of values: [PostgreSQLValue]) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    for (place, value) in values.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      value.append(toArray: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private func append(toArray bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "NULL".utf8
    case .text(let text): Self.quote(text.utf8, to: &bytes)
    case .bytes(let plain): Self.quote(Self.hex(plain).utf8, to: &bytes)
    // An array of arrays has no quotes of its own.
    case .integer, .real, .bool, .array: bytes += parameter.bytes ?? []
    }
  }

  private static func quote(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(UInt8(ascii: "\\"))
      }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Bytes in the hexadecimal form of a `bytea`.
  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return #"\x"#
      + String(
        decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
