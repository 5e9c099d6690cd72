import CPostgreSQL

extension PostgreSQLConnection {
  /// Adds rows to a table with one `COPY`.
  ///
  /// `nextRow` is called for each row, and returns `nil` after the last one.
  package func copy(
    into table: String, columns: [String], _ nextRow: () -> [PostgreSQLValue]?
  ) throws(PostgreSQLError) {
    let sql = "COPY \(table) (\(columns.joined(separator: ", "))) FROM STDIN"
    try beginCopying(sql)
    var bytes: [UInt8] = []
    while let row = nextRow() {
      guard !row.contains(where: \.holdsZero) else {
        try endCopying(sql, because: "text with the character U+0000")
        throw .holdsZero(sql)
      }
      for (place, value) in row.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: "\t")) }
        value.append(toCopy: &bytes)
      }
      bytes.append(UInt8(ascii: "\n"))
      if bytes.count >= 64 * 1024 {
        try putCopied(bytes, sql)
        bytes.removeAll(keepingCapacity: true)
      }
    }
    try putCopied(bytes, sql)
    try endCopying(sql)
  }
}

extension PostgreSQLValue {
  /// Appends the value in the text format of `COPY`, with escaped tabs, line ends and backslashes.
  fileprivate func append(toCopy bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += #"\N"#.utf8
    case .integer, .real, .bool: append(toParameter: &bytes)
    case .text(let text): Self.escape(text.utf8, to: &bytes)
    case .bytes(let plain):
      bytes += #"\\x"#.utf8
      Self.append(hexadecimal: plain, to: &bytes)
    case .array(let values):
      var text: [UInt8] = []
      Self.append(values, to: &text)
      Self.escape(text, to: &bytes)
    }
  }

  private static func escape(_ text: some Collection<UInt8>, to bytes: inout [UInt8]) {
    // Most text needs no escapes, and is copied as a whole.
    guard text.contains(where: { $0 <= UInt8(ascii: "\r") || $0 == UInt8(ascii: "\\") }) else {
      bytes += text
      return
    }
    for byte in text {
      switch byte {
      case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
      case UInt8(ascii: "\t"): bytes += #"\t"#.utf8
      case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
      case UInt8(ascii: "\r"): bytes += #"\r"#.utf8
      default: bytes.append(byte)
      }
    }
  }
}
