/// The words of a JSON text, one after the other (RFC 8259).
struct JSONTokens {
  private let bytes: [UInt8]
  private(set) var offset: Int

  init(_ bytes: [UInt8], from offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  var isAtEnd: Bool { offset >= bytes.count }
  private var next: UInt8? { isAtEnd ? nil : bytes[offset] }

  func fault(_ message: String) -> JSONScan.Fault {
    JSONScan.Fault(kind: .syntax, offset: offset, message: message)
  }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      offset += 1
    }
  }

  /// Takes a mark, if it is the next thing.
  mutating func take(_ mark: UInt8) -> Bool {
    skipSpace()
    guard next == mark else { return false }
    offset += 1
    return true
  }

  mutating func expect(_ mark: UInt8) throws(JSONScan.Fault) {
    if !take(mark) { throw missing("“\(Character(Unicode.Scalar(mark)))”") }
  }

  private func missing(_ what: String) -> JSONScan.Fault {
    fault(isAtEnd ? "ends where \(what) is missing" : "has something else where \(what) belongs")
  }

  /// Takes a string and gives what it says; a lone surrogate reads as U+FFFD.
  mutating func string() throws(JSONScan.Fault) -> String {
    guard next == UInt8(ascii: "\"") else { throw missing("a text in double quotes") }
    offset += 1
    var units: [UInt8] = []
    var surrogates: [UInt16] = []
    while let byte = next {
      if byte == UInt8(ascii: "\\") {
        offset += 1
        if next == UInt8(ascii: "u") {
          surrogates.append(try hexadecimal())
          continue
        }
        flush(&surrogates, to: &units)
        units.append(try escaped())
        continue
      }
      flush(&surrogates, to: &units)
      if byte == UInt8(ascii: "\"") {
        offset += 1
        return String(decoding: units, as: UTF8.self)
      }
      if byte < 0x20 { throw fault("has a control character in a text; write it as \\u00XX") }
      units.append(byte)
      offset += 1
    }
    throw missing("the end of a text")
  }

  private func flush(_ surrogates: inout [UInt16], to units: inout [UInt8]) {
    guard !surrogates.isEmpty else { return }
    units += String(decoding: surrogates, as: UTF16.self).utf8
    surrogates = []
  }

  private mutating func escaped() throws(JSONScan.Fault) -> UInt8 {
    let plain: [UInt8: UInt8] = [
      UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
      UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12,
      UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
    ]
    guard let byte = next, let meaning = plain[byte] else {
      throw fault("has a backslash before what needs none")
    }
    offset += 1
    return meaning
  }

  private mutating func hexadecimal() throws(JSONScan.Fault) -> UInt16 {
    let digits = bytes[min(offset + 1, bytes.count)..<min(offset + 5, bytes.count)]
    let text = String(decoding: digits, as: UTF8.self)
    guard text.utf8.count == 4, text.allSatisfy(\.isHexDigit), let unit = UInt16(text, radix: 16)
    else { throw fault("has \\u without four hexadecimal digits") }
    offset += 5
    return unit
  }

  /// Takes a string, a number or a word.
  mutating func scalar() throws(JSONScan.Fault) {
    switch next {
    case UInt8(ascii: "\""): _ = try string()
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): try number()
    default:
      for word in ["true", "false", "null"] where bytes[offset...].starts(with: word.utf8) {
        offset += word.utf8.count
        return
      }
      throw missing("a value")
    }
  }

  private mutating func number() throws(JSONScan.Fault) {
    if next == UInt8(ascii: "-") { offset += 1 }
    if next == UInt8(ascii: "0") {
      offset += 1
      if let byte = next, Self.isDigit(byte) { throw fault("has a number that begins with 0") }
    } else {
      try digits()
    }
    if next == UInt8(ascii: ".") {
      offset += 1
      try digits()
    }
    if let byte = next, byte | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
      try digits()
    }
  }

  private mutating func digits() throws(JSONScan.Fault) {
    let start = offset
    while let byte = next, Self.isDigit(byte) { offset += 1 }
    if offset == start { throw missing("a digit") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
