/// A parser of property lists in the old text form, which accepts or refuses any bytes without crashing.
///
/// Source: `CFOldStylePList.c` of Apple's CoreFoundation.
struct OldPropertyListParser {
  /// A comment `/* … */` or `// …` of the file.
  struct Comment: Sendable {
    /// The text between the marks, without surrounding spaces.
    let text: String
    let range: Range<Int>
  }

  private let bytes: [UInt8]
  private var offset = 0
  private(set) var comments: [Comment] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads the single value of the file.
  mutating func read() throws(OldPropertyListError) -> OldPropertyList {
    guard bytes.count <= OldPropertyList.maximumBytes else {
      throw OldPropertyListError(
        message: "it has \(bytes.count) bytes; at most \(OldPropertyList.maximumBytes) are read")
    }
    if bytes.starts(with: "bplist".utf8) || bytes.starts(with: "<?xml".utf8) {
      throw OldPropertyListError(
        message: "it is a property list in XML or binary form; open it in Xcode and save it there")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw OldPropertyListError(message: "it is not UTF-8 text")
    }
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
    let list = try value(depth: 0)
    try skipSpace()
    guard offset == bytes.count else { throw error("there is text after the end of the list") }
    return list
  }

  private func error(_ message: String) -> OldPropertyListError {
    let line = 1 + bytes[..<min(offset, bytes.count)].count { $0 == UInt8(ascii: "\n") }
    return OldPropertyListError(line: line, message: message)
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func byte(_ distance: Int) -> UInt8? {
    offset + distance < bytes.count ? bytes[offset + distance] : nil
  }

  /// Skips spaces and comments.
  private mutating func skipSpace() throws(OldPropertyListError) {
    while let byte = next {
      switch byte {
      case UInt8(ascii: " "), 9...13: offset += 1
      case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "*"): try skipComment()
      case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "/"):
        let start = offset
        offset = bytes[offset...].firstIndex { $0 == 10 || $0 == 13 } ?? bytes.count
        add(start + 2..<offset, in: start..<offset)
      default: return
      }
    }
  }

  private mutating func skipComment() throws(OldPropertyListError) {
    let start = offset
    var end = offset + 2
    while end + 1 < bytes.count {
      if bytes[end] == UInt8(ascii: "*"), bytes[end + 1] == UInt8(ascii: "/") {
        offset = end + 2
        add(start + 2..<end, in: start..<offset)
        return
      }
      end += 1
    }
    throw error("a comment has no end")
  }

  private mutating func add(_ text: Range<Int>, in range: Range<Int>) {
    let inner = bytes[text].drop { $0 == 32 }
    let end = inner.lastIndex { $0 != 32 }.map { $0 + 1 } ?? inner.startIndex
    comments.append(
      Comment(text: String(decoding: inner[..<end], as: UTF8.self), range: range))
  }

  private mutating func value(depth: Int) throws(OldPropertyListError) -> OldPropertyList {
    guard depth < OldPropertyList.maximumDepth else {
      throw error("it is nested deeper than \(OldPropertyList.maximumDepth) levels")
    }
    try skipSpace()
    let start = offset
    switch next {
    case UInt8(ascii: "{"): return try dictionary(depth: depth)
    case UInt8(ascii: "("): return try array(depth: depth)
    case UInt8(ascii: "<"): return try data()
    default:
      let text = try string()
      return OldPropertyList(content: .string(text), range: start..<offset)
    }
  }

  private mutating func dictionary(depth: Int) throws(OldPropertyListError) -> OldPropertyList {
    let start = offset
    offset += 1
    var members: [OldPropertyList.Member] = []
    var keys: Set<String> = []
    while true {
      try skipSpace()
      if next == UInt8(ascii: "}") {
        offset += 1
        return OldPropertyList(content: .dictionary(members), range: start..<offset)
      }
      let keyStart = offset
      let key = try string()
      guard keys.insert(key).inserted else {
        throw error("it has the key \(key.debugDescription) twice")
      }
      try skipSpace()
      guard next == UInt8(ascii: "=") else { throw error("\"=\" is missing after a key") }
      offset += 1
      let value = try value(depth: depth + 1)
      try skipSpace()
      guard next == UInt8(ascii: ";") else { throw error("\";\" is missing after a value") }
      offset += 1
      members.append(.init(key: key, start: keyStart, value: value, end: offset))
    }
  }

  private mutating func array(depth: Int) throws(OldPropertyListError) -> OldPropertyList {
    let start = offset
    offset += 1
    var values: [OldPropertyList] = []
    var hasComma = false
    while true {
      try skipSpace()
      if next == UInt8(ascii: ")") {
        offset += 1
        var list = OldPropertyList(content: .array(values), range: start..<offset)
        list.hasTrailingComma = hasComma
        return list
      }
      guard values.isEmpty || hasComma else { throw error("\",\" is missing between elements") }
      values.append(try value(depth: depth + 1))
      try skipSpace()
      hasComma = next == UInt8(ascii: ",")
      if hasComma { offset += 1 }
    }
  }

  private mutating func data() throws(OldPropertyListError) -> OldPropertyList {
    let start = offset
    offset += 1
    var digits: [UInt8] = []
    while let byte = next {
      offset += 1
      if byte == UInt8(ascii: ">") {
        guard digits.count.isMultiple(of: 2) else { throw error("data have half a byte") }
        let content = stride(from: 0, to: digits.count, by: 2).map {
          digits[$0] << 4 | digits[$0 + 1]
        }
        return OldPropertyList(content: .data(content), range: start..<offset)
      }
      if byte == 32 || 9...13 ~= byte { continue }
      guard let digit = Self.digit(byte) else {
        throw error("the data have a byte that is not a digit")
      }
      digits.append(digit)
    }
    throw error("data have no end")
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
  }

  private mutating func string() throws(OldPropertyListError) -> String {
    guard let first = next else { throw error("it ends too early") }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return try quoted(first) }
    let start = offset
    while let byte = next, Self.isUnquoted(byte) { offset += 1 }
    guard offset > start else {
      throw error("there is \(String(UnicodeScalar(first)).debugDescription) instead of a value")
    }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// Whether a byte is allowed in a string without quotation marks.
  static func isUnquoted(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_$/:.-".utf8.contains(byte)
    }
  }

  private mutating func quoted(_ mark: UInt8) throws(OldPropertyListError) -> String {
    offset += 1
    var units: [UInt8] = []
    while let byte = next {
      offset += 1
      if byte == mark { return String(decoding: units, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        units.append(byte)
        continue
      }
      units += Array(escape().utf8)
    }
    throw error("a string has no end")
  }

  /// The character of an escape sequence after its backslash.
  private mutating func escape() -> String {
    guard let byte = next else { return "" }
    offset += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "a"): return "\u{7}"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "v"): return "\u{b}"
    case UInt8(ascii: "U"): return scalar(digits: 4, radix: 16, from: 0)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      return scalar(digits: 2, radix: 8, from: UInt32(byte - UInt8(ascii: "0")))
    default:
      // Any other character, even one of several bytes, stands for itself.
      offset -= 1
      let length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
      let end = min(offset + length, bytes.count)
      defer { offset = end }
      return String(decoding: bytes[offset..<end], as: UTF8.self)
    }
  }

  private mutating func scalar(digits: Int, radix: UInt32, from first: UInt32) -> String {
    var number = first
    for _ in 0..<digits {
      guard let byte = next, let digit = Self.digit(byte), digit < radix else { break }
      number = number * radix + UInt32(digit)
      offset += 1
    }
    return String(UnicodeScalar(number).map(Character.init) ?? "\u{fffd}")
  }
}
