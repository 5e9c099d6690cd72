/// Reads RFC 4180 rows out of pieces of a file as they come, so that it is never held whole.
struct CSVReader {
  typealias Row = (line: Int, fields: [String])

  /// The longest field and the most fields of a row; what is beyond is cut off, and the row then
  /// does not fit its header.
  static let fieldLimit = 4096
  static let countLimit = 200

  private var bytes: [UInt8] = []
  private var position = 0
  /// Whether the file has begun behind the mark of its order of bytes, which it may have.
  private var hasBegun = false
  private var line = 1
  /// Where the row under way began.
  private var start = 1
  private var fields: [String] = []
  /// What is known of a field that needs a closer look; `nil` between two.
  private var field: Field?

  private struct Field {
    var content: [UInt8] = []
    var isQuoted = false
    /// The byte before ended the quotation, unless it is doubled.
    var isQuoteBefore = false
  }

  /// Takes the next piece; to be called once ``next()`` has found no further row.
  mutating func feed(_ piece: [UInt8]) {
    bytes = position == bytes.count ? piece : bytes[position...] + piece
    position = 0
    guard !hasBegun, bytes.count >= 3 else { return }
    hasBegun = true
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
  }

  /// The next row that is whole, with the number of its first line.
  mutating func next() -> Row? {
    guard hasBegun else { return nil }
    while position < bytes.count {
      let endsRow = (field == nil ? takePlainField() : nil) ?? takeField()
      if endsRow { return takeRow() }
    }
    return nil
  }

  /// The row that the file ends with where no line's end follows it.
  mutating func last() -> Row? {
    hasBegun = true
    if let row = next() { return row }
    guard field != nil || !fields.isEmpty else { return nil }
    end(field ?? Field(), isLast: true)
    return takeRow()
  }

  private mutating func takeRow() -> Row {
    defer {
      fields.removeAll(keepingCapacity: true)
      start = line
    }
    return (start, fields)
  }

  private mutating func end(_ field: Field, isLast: Bool) {
    var content = field.content[...]
    if isLast, content.last == UInt8(ascii: "\r") { content.removeLast() }
    append(String(decoding: content, as: UTF8.self))
    self.field = nil
  }

  private mutating func append(_ text: String) {
    if fields.count <= Self.countLimit { fields.append(text) }
  }

  /// Reads on in a field of any kind; `true` where it ended the row.
  private mutating func takeField() -> Bool {
    var field = self.field ?? Field()
    if self.field == nil, bytes[position] == UInt8(ascii: "\"") {
      field.isQuoted = true
      position += 1
    }
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\n") { line += 1 }
      let isDoubled = field.isQuoteBefore && byte == UInt8(ascii: "\"")
      field.isQuoteBefore = false
      switch byte {
      case UInt8(ascii: "\"") where isDoubled:
        field.isQuoted = true
        field.content.append(byte)
      case UInt8(ascii: "\"") where field.isQuoted:
        field.isQuoted = false
        field.isQuoteBefore = true
      case UInt8(ascii: ",") where !field.isQuoted:
        end(field, isLast: false)
        return false
      case UInt8(ascii: "\n") where !field.isQuoted:
        end(field, isLast: true)
        return true
      default: if field.content.count < Self.fieldLimit { field.content.append(byte) }
      }
    }
    self.field = field
    return false
  }

  /// A field without quotes that ends within the piece, with a comma or with its line, and is not too
  /// long; `true` where it ended the row, `nil` where it is none.
  private mutating func takePlainField() -> Bool? {
    let limit = min(bytes.count, position + Self.fieldLimit)
    for end in position..<limit {
      switch bytes[end] {
      case UInt8(ascii: "\""), UInt8(ascii: "\r"): return nil
      case UInt8(ascii: ","), UInt8(ascii: "\n"):
        append(String(decoding: bytes[position..<end], as: UTF8.self))
        position = end + 1
        guard bytes[end] == UInt8(ascii: "\n") else { return false }
        line += 1
        return true
      default: continue
      }
    }
    return nil
  }
}
