import PushModel

/// The rows of an imported file; a row that repeats an earlier token or id is rejected.
struct ImportRows {
  private var reader: any ImportReader
  private var start: [UInt8] = []
  /// The line of each token, by a hash of 64 bits.
  ///
  /// Among a million lines, two tokens collide with a probability of one in 30 million.
  private var tokens: [TextHash: UInt32] = [:]
  /// The line of each id in the file, in the same form.
  private var ids: [TextHash: UInt32] = [:]

  /// Makes a reader of rows; `columns` says what the columns of a CSV file are, in place of its first line.
  init(of format: DeviceImport.Format, columns: ColumnMapping? = nil) {
    reader = format == .csv ? CSVImportReader(columns) : LineImportReader()
  }

  /// The number of rows that were skipped because they have only separators.
  var skippedCount: Int { reader.skippedCount }

  /// Appends the next piece of the file after ``next()`` has returned `nil`.
  ///
  /// - Throws: ``RequestError`` if the first bytes show that the file is not UTF-8 text.
  mutating func feed(_ piece: [UInt8]) throws(RequestError) {
    if start.count < ImportFile.startLength {
      start += piece.prefix(ImportFile.startLength - start.count)
      try ImportFile.check(start: start)
    }
    reader.feed(piece)
  }

  /// Returns the next complete row; `nil` if more bytes are needed.
  mutating func next() throws(RequestError) -> ImportRow? {
    guard let row = try reader.next() else { return nil }
    return checked(row)
  }

  /// Returns the last row of the file after every piece was appended; `nil` if no row is left.
  mutating func last() throws(RequestError) -> ImportRow? {
    guard let row = try reader.last() else { return nil }
    return checked(row)
  }

  private mutating func checked(_ row: ImportRow) -> ImportRow {
    guard case .success(let device) = row.device else { return row }
    func refused(_ name: String, since line: UInt32) -> ImportRow {
      ImportRow(
        line: row.line, refused: RequestError(.invalid, "the \(name) is on line \(line) already"),
        fields: row.fields)
    }
    let line = UInt32(clamping: row.line)
    let id = device.isNamed ? TextHash(device.id) : nil
    if let id, let first = ids[id] { return refused("id", since: first) }
    let token = TextHash(device.token)
    if let first = tokens.updateValue(line, forKey: token) {
      tokens[token] = first
      return refused("token", since: first)
    }
    if let id { ids[id] = line }
    return row
  }
}

extension DeviceImport {
  /// Reads a file in memory, and calls `body` with each line that its import rejects or that loses a part.
  ///
  /// It does not know which devices were erased.
  ///
  /// - Throws: ``RequestError`` if the file as a whole is not valid, and the errors of `body`.
  package static func forEachFault(
    of bytes: [UInt8], as format: Format, _ body: (Report.Row) throws -> Void
  ) throws {
    var rows = ImportRows(of: format)
    func pass(_ row: ImportRow) throws { if let fault = row.fault { try body(fault) } }
    for start in stride(from: 0, to: bytes.count, by: pieceSize) {
      try rows.feed(Array(bytes[start..<min(bytes.count, start + pieceSize)]))
      while let row = try rows.next() { try pass(row) }
    }
    if let row = try rows.last() { try pass(row) }
  }
}

extension ImportRow {
  /// The problem with the row; `nil` if its whole device is imported.
  var fault: DeviceImport.Report.Row? {
    switch device {
    case .failure(let problem): (line, problem.message)
    case .success:
      losses.isEmpty ? nil : (line, DeviceImport.Report.text(ofLosses: losses))
    }
  }
}
