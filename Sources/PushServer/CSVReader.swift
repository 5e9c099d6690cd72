/// Reads RFC 4180 rows one at a time, so that a large file is never held as rows.
struct CSVReader {
  /// The longest field and the most fields of a row; what is beyond is cut off, and the row then
  /// does not fit its header.
  static let fieldLimit = 4096
  static let countLimit = 200

  private let bytes: [UInt8]
  private(set) var position: Int
  private var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
  }

  /// The next row and the number of its first line; `nil` at the end.
  mutating func next() -> (line: Int, fields: [String])? {
    guard position < bytes.count else { return nil }
    let start = line
    var fields: [String] = []
    while true {
      let (field, isLast) = field()
      if fields.count <= Self.countLimit { fields.append(field) }
      if isLast { return (start, fields) }
    }
  }

  private mutating func field() -> (String, isLast: Bool) {
    if let plain = plainField() { return plain }
    var content: [UInt8] = []
    var isQuoted = false
    if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
      isQuoted = true
      position += 1
    }
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\n") { line += 1 }
      switch byte {
      case UInt8(ascii: "\"") where isQuoted:
        if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
          position += 1
          content.append(byte)
        } else {
          isQuoted = false
        }
      case UInt8(ascii: ",") where !isQuoted: return (text(content), false)
      case UInt8(ascii: "\n") where !isQuoted:
        if content.last == UInt8(ascii: "\r") { content.removeLast() }
        return (text(content), true)
      default: if content.count < Self.fieldLimit { content.append(byte) }
      }
    }
    if content.last == UInt8(ascii: "\r") { content.removeLast() }
    return (text(content), true)
  }

  /// A field without quotes that ends with a comma, or with its line, and is not too long.
  private mutating func plainField() -> (String, isLast: Bool)? {
    var end = position
    let limit = min(bytes.count, position + Self.fieldLimit)
    while end < limit {
      switch bytes[end] {
      case UInt8(ascii: "\""), UInt8(ascii: "\r"): return nil
      case UInt8(ascii: ","), UInt8(ascii: "\n"):
        let isLast = bytes[end] == UInt8(ascii: "\n")
        let field = String(decoding: bytes[position..<end], as: UTF8.self)
        position = end + 1
        if isLast { line += 1 }
        return (field, isLast)
      default: end += 1
      }
    }
    return nil
  }

  private func text(_ content: [UInt8]) -> String { String(decoding: content, as: UTF8.self) }
}
