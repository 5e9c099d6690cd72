/// A reader of the tokens of a JSON text, by the grammar of RFC 8259.
package struct JSONTokens {
  private let bytes: [UInt8]
  package private(set) var offset: Int

  /// Makes a reader at the first token, after a byte order mark.
  ///
  /// - Throws: ``JSONFault`` if the bytes are not valid UTF-8.
  package init(_ bytes: [UInt8]) throws(JSONFault) {
    self.bytes = bytes
    offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    if let name = TextEncoding.wideEncoding(of: bytes) {
      throw JSONFault(
        kind: .encoding, offset: 0, message: "is \(name), not UTF-8: write it as UTF-8")
    }
    if let offset = TextEncoding.firstFault(in: bytes) {
      let advice = TextEncoding.advice(on: bytes, at: offset, of: "the text")
      throw JSONFault(
        kind: .encoding, offset: offset, message: "is not valid UTF-8; \(advice)")
    }
  }

  package var isAtEnd: Bool { offset >= bytes.count }
  package var next: UInt8? { isAtEnd ? nil : bytes[offset] }

  package func fault(_ message: String) -> JSONFault {
    JSONFault(kind: .syntax, offset: offset, message: message)
  }

  package mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      offset += 1
    }
  }

  /// Skips white space and then a punctuation mark; returns `false` if another token comes next.
  package mutating func skip(_ mark: UInt8) -> Bool {
    skipSpace()
    guard next == mark else { return false }
    offset += 1
    return true
  }

  package mutating func expect(_ mark: UInt8) throws(JSONFault) {
    if !skip(mark) { throw missing("“\(Character(Unicode.Scalar(mark)))”") }
  }

  private func missing(_ what: String) -> JSONFault {
    fault(isAtEnd ? "ends where \(what) is missing" : "has something else where \(what) belongs")
  }

  /// Reads a string, with its escape sequences replaced.
  package mutating func string() throws(JSONFault) -> String {
    guard next == UInt8(ascii: "\"") else { throw missing("a text in double quotes") }
    offset += 1
    var text = plainText()
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return text
      case UInt8(ascii: "\\"):
        text.unicodeScalars.append(try escaped())
        text += plainText()
      default: throw fault("has a control character in a text; write it as \\u00XX")
      }
    }
    throw missing("the end of a text")
  }

  /// Reads the part of a string up to the next quote, escape or control character.
  private mutating func plainText() -> String {
    // On a buffer, without bounds checks: this loop takes most of the time of parsing.
    let (text, count) = bytes[offset...].withUnsafeBufferPointer { rest in
      let count = rest.firstIndex(where: Self.isSpecial) ?? rest.count
      return (String(decoding: rest[..<count], as: UTF8.self), count)
    }
    offset += count
    return text
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escaped() throws(JSONFault) -> Unicode.Scalar {
    offset += 1
    let meaning: Unicode.Scalar? =
      switch next {
      case UInt8(ascii: "\""): "\""
      case UInt8(ascii: "\\"): "\\"
      case UInt8(ascii: "/"): "/"
      case UInt8(ascii: "b"): "\u{8}"
      case UInt8(ascii: "f"): "\u{C}"
      case UInt8(ascii: "n"): "\n"
      case UInt8(ascii: "r"): "\r"
      case UInt8(ascii: "t"): "\t"
      default: nil
      }
    if let meaning {
      offset += 1
      return meaning
    }
    guard next == UInt8(ascii: "u") else { throw fault("has an unknown escape sequence") }
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // RFC 8259 section 7: a scalar beyond 16 bits is written as a surrogate pair.
    let unpaired = fault("has an unpaired surrogate")
    guard UTF16.isLeadSurrogate(first), bytes[offset...].starts(with: [0x5C, 0x75]) else {
      throw unpaired
    }
    offset += 1
    let second = try hexadecimal()
    guard UTF16.isTrailSurrogate(second),
      let scalar = Unicode.Scalar(
        0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    else { throw unpaired }
    return scalar
  }

  private mutating func hexadecimal() throws(JSONFault) -> UInt16 {
    let digits = bytes[min(offset + 1, bytes.count)..<min(offset + 5, bytes.count)]
    let text = String(decoding: digits, as: UTF8.self)
    guard text.utf8.count == 4, text.allSatisfy(\.isHexDigit), let unit = UInt16(text, radix: 16)
    else { throw fault("has \\u without four hexadecimal digits") }
    offset += 5
    return unit
  }

  /// Reads a string, a number, `true`, `false` or `null`.
  package mutating func scalar() throws(JSONFault) -> JSONValue {
    switch next {
    case UInt8(ascii: "\""): return .string(try string())
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): return try number()
    case UInt8(ascii: "t"): return try word("true", true)
    case UInt8(ascii: "f"): return try word("false", false)
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw missing("a value")
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONFault) -> JSONValue {
    guard bytes[offset...].starts(with: word.utf8) else { throw missing("a value") }
    offset += word.utf8.count
    return value
  }

  private mutating func number() throws(JSONFault) -> JSONValue {
    let start = offset
    var isWhole = true
    if next == UInt8(ascii: "-") { offset += 1 }
    if next == UInt8(ascii: "0") {
      offset += 1
      if let byte = next, Self.isDigit(byte) { throw fault("has a number that begins with 0") }
    } else {
      try digits()
    }
    if next == UInt8(ascii: ".") {
      isWhole = false
      offset += 1
      try digits()
    }
    if let byte = next, byte | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      offset += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
      try digits()
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else {
      throw JSONFault(kind: .syntax, offset: start, message: "has a number that is too large")
    }
    return Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
  }

  private mutating func digits() throws(JSONFault) {
    let start = offset
    while let byte = next, Self.isDigit(byte) { offset += 1 }
    if offset == start { throw missing("a digit") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}

/// A fault of bytes that are not valid JSON, with its place.
package struct JSONFault: Error, Hashable, Sendable {
  package enum Kind: Sendable { case syntax, encoding, depth, repeatedKey }
  package var kind: Kind
  /// The number of bytes before the fault.
  package var offset: Int
  /// A description of the fault.
  ///
  /// It never contains text from the document.
  package var message: String

  package init(kind: Kind, offset: Int, message: String) {
    self.kind = kind
    self.offset = offset
    self.message = message
  }
}
