import PushPayload

/// An incremental reader of CSV (RFC 4180), which never holds the whole file in memory.
struct CSVReader {
  struct Row {
    /// The number of the row's first line.
    var line: Int
    var fields: [String]
    /// The problem with the row, which follows "line 2" in the message; `nil` if the row is valid.
    var problem: String?
    /// The indexes of the fields that were cut at ``fieldLimit``.
    var cutFields: Set<Int> = []

    static let cutAdvice = "of more than \(fieldLimit) bytes; is a quotation mark missing?"

    /// Whether the row has only separators, as spreadsheets write emptied rows.
    var isFiller: Bool { fields.count > 1 && fields.allSatisfy(\.isEmpty) }
  }

  /// The most bytes of a field, and the most fields of a row.
  ///
  /// What exceeds them is dropped: the row lists its cut fields, and does not match the header if fields are missing.
  static let fieldLimit = 4096
  static let countLimit = 200

  /// The byte between two fields of a row.
  private let separator: UInt8
  private var bytes: [UInt8] = []
  private var position = 0
  /// Whether the start of the file, which may have a byte order mark, was read.
  private var hasBegun = false
  private var line = 1
  /// The line on which the current row begins.
  private var start = 1
  private var fields: [String] = []
  private var problem: String?
  private var cutFields: Set<Int> = []
  /// The state of a field with quotes, or of an incomplete field; `nil` between two fields.
  private var field: Field?

  private struct Field {
    var content: [UInt8] = []
    var isQuoted = false
    /// Whether the previous byte was a quote inside quotes; it ends them, unless this byte is also a quote.
    var isQuoteBefore = false
    /// Whether bytes beyond ``fieldLimit`` were dropped.
    var isCut = false
  }

  init(separator: UInt8 = UInt8(ascii: ",")) { self.separator = separator }

  /// Appends the next piece of the file after ``next()`` has returned `nil`.
  mutating func feed(_ piece: [UInt8]) {
    bytes = position == bytes.count ? piece : bytes[position...] + piece
    position = 0
    guard !hasBegun, bytes.count >= 3 else { return }
    hasBegun = true
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
  }

  /// Returns the next complete row with the number of its first line; `nil` if more bytes are needed.
  mutating func next() -> Row? {
    guard hasBegun else { return nil }
    while position < bytes.count {
      let endsRow = (field == nil ? readPlainField() : nil) ?? readField()
      if endsRow { return finishRow() }
    }
    return nil
  }

  /// Returns the last row of the file, which may not end with a line break.
  mutating func last() -> Row? {
    hasBegun = true
    if let row = next() { return row }
    guard field != nil || !fields.isEmpty else { return nil }
    end(field ?? Field(), isLast: true)
    return finishRow()
  }

  private mutating func finishRow() -> Row {
    defer {
      fields.removeAll(keepingCapacity: true)
      problem = nil
      cutFields.removeAll()
      start = line
    }
    return Row(line: start, fields: fields, problem: problem, cutFields: cutFields)
  }

  private mutating func end(_ field: Field, isLast: Bool) {
    var content = field.content[...]
    if isLast, content.last == UInt8(ascii: "\r") { content.removeLast() }
    if field.isCut {
      if fields.count <= Self.countLimit { cutFields.insert(fields.count) }
      append(String(decoding: content, as: UTF8.self), nil)
    } else {
      append(content)
    }
    self.field = nil
  }

  private mutating func append(_ content: ArraySlice<UInt8>) {
    guard let text = String(validating: content, as: UTF8.self), !CallerText.hasZero(text) else {
      return append("", CallerText.problem(in: Array(content), of: "the file"))
    }
    append(text, nil)
  }

  private mutating func append(_ text: String, _ problem: String?) {
    self.problem = self.problem ?? problem
    if fields.count <= Self.countLimit { fields.append(text) }
  }

  /// Continues a field of any kind.
  ///
  /// - Returns: Whether the field ended the row.
  private mutating func readField() -> Bool {
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
      case separator where !field.isQuoted:
        end(field, isLast: false)
        return false
      case UInt8(ascii: "\n") where !field.isQuoted:
        end(field, isLast: true)
        return true
      default:
        if field.content.count < Self.fieldLimit {
          field.content.append(byte)
        } else {
          field.isCut = field.isCut || byte != UInt8(ascii: "\r")
        }
      }
    }
    self.field = field
    return false
  }

  /// Reads a field without quotes that ends within the piece and is not too long.
  ///
  /// - Returns: Whether the field ended the row; `nil` if the next field is of another kind.
  private mutating func readPlainField() -> Bool? {
    let limit = min(bytes.count, position + Self.fieldLimit)
    for end in position..<limit {
      switch bytes[end] {
      case UInt8(ascii: "\""), UInt8(ascii: "\r"): return nil
      case separator, UInt8(ascii: "\n"):
        append(bytes[position..<end])
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
