#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension JSONValue {
  /// The value as compact UTF-8 JSON with sorted keys, so that equal values give equal bytes.
  public func serialized() -> Data { Data(bytes) }

  /// The value as ``serialized()`` writes it, as an array.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    write(to: &bytes)
    return bytes
  }

  /// The JSON of an object whose members are already in the order of ``serialized()``.
  ///
  /// It saves making and sorting a dictionary.
  package static func bytes(ofSorted members: [(String, JSONValue)]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    for (key, value) in members {
      bytes.append(bytes.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
      write(key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      value.write(to: &bytes)
    }
    return members.isEmpty ? Array("{}".utf8) : bytes + [UInt8(ascii: "}")]
  }

  /// Appends the value as JSON (RFC 8259).
  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let truth): bytes += (truth ? "true" : "false").utf8
    case .integer(let number): bytes += String(number).utf8
    case .number(let number): Self.write(number, to: &bytes)
    case .string(let text): Self.write(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      var isFirst = true
      for (key, value) in members.sorted(by: precedes) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        Self.write(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Whether one key comes before another by the bytes of their UTF-8, the order of Foundation's encoder.
  private func precedes(
    _ left: (key: String, value: JSONValue), _ right: (key: String, value: JSONValue)
  ) -> Bool {
    // Contiguous storage is compared if it exists: with twenty keys, sorting takes most of the time of writing.
    let precedes = left.key.utf8.withContiguousStorageIfAvailable { left in
      right.key.utf8.withContiguousStorageIfAvailable { right in
        left.lexicographicallyPrecedes(right)
      }
    }
    return (precedes ?? nil) ?? left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
  }

  /// Appends the shortest digits that read as the same number; JSON has no digits for infinity and NaN.
  private static func write(_ number: Double, to bytes: inout [UInt8]) {
    guard number.isFinite else {
      let name = number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
      return write(name, to: &bytes)
    }
    let digits = number.description
    bytes += digits.hasSuffix(".0") ? digits.dropLast(2).utf8 : digits[...].utf8
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { text in
      // Most texts need no escapes.
      if text.contains(where: isEscaped) {
        for byte in text { escape(byte, to: &bytes) }
      } else {
        bytes.append(contentsOf: text)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
    if !isEscaped(byte) {
      bytes.append(byte)
    } else {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x08: bytes += #"\b"#.utf8
      case 0x09: bytes += #"\t"#.utf8
      case 0x0a: bytes += #"\n"#.utf8
      case 0x0c: bytes += #"\f"#.utf8
      case 0x0d: bytes += #"\r"#.utf8
      default: bytes += #"\u00"#.utf8 + [digit(byte >> 4), digit(byte & 15)]
      }
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
