import PushModel

/// A reader of devices from a CSV file whose first line names the columns.
struct CSVImportReader: ImportReader {
  private var reader: CSVReader
  /// What the columns are, if somebody has chosen; `nil` takes the first line for their names.
  private let mapping: ColumnMapping?
  /// What each column is, once the first line was read; `nil` for a column that is not imported.
  private var columns: [ImportColumn?]?
  private var ids = IdentifierSequence()
  private(set) var skippedCount = 0

  init(_ mapping: ColumnMapping? = nil) {
    self.mapping = mapping
    reader = mapping.map { CSVReader(separator: $0.separator.byte) } ?? CSVReader()
  }

  mutating func feed(_ piece: [UInt8]) { reader.feed(piece) }

  mutating func next() throws(RequestError) -> ImportRow? {
    while let row = reader.next() {
      if let row = try importRow(row) { return row }
    }
    return nil
  }

  mutating func last() throws(RequestError) -> ImportRow? {
    while let row = reader.last() {
      if let row = try importRow(row) { return row }
    }
    if columns == nil {
      throw RequestError(
        .invalid, "line 1: the file is empty; it must begin with a line of column names")
    }
    return nil
  }

  /// Returns the device of a row; `nil` for the header, an empty row, or a row that has only separators.
  private mutating func importRow(_ row: CSVReader.Row) throws(RequestError) -> ImportRow? {
    guard let columns else {
      try ImportFile.check(header: row)
      if let mapping {
        columns = mapping.columns
      } else {
        columns = try ImportColumn.columns(row.fields)
      }
      guard columns?.count == row.fields.count else {
        throw RequestError(
          .invalid,
          "line 1: the file has \(row.fields.count) columns, but others were chosen; choose again")
      }
      return nil
    }
    if let problem = row.problem {
      return ImportRow(
        line: row.line, refused: RequestError(.invalid, "the row \(problem)"), fields: row.fields)
    }
    guard row.cutFields.isEmpty else {
      let error = RequestError(.invalid, "the row has a field \(CSVReader.Row.cutAdvice)")
      return ImportRow(line: row.line, refused: error, fields: row.fields)
    }
    if row.fields == [""] { return nil }
    if row.isFiller {
      skippedCount += 1
      return nil
    }
    var read = ImportRow(line: row.line) { () throws(RequestError) in
      try Self.device(row.fields, columns, platform: mapping?.platform, id: ids.next())
    }
    read.fields = row.fields
    return read
  }

  private static func device(
    _ fields: [String], _ columns: [ImportColumn?], platform: String?,
    id: @autoclosure () -> String
  ) throws(RequestError) -> (ImportedDevice, losses: [String]) {
    guard fields.count == columns.count else {
      throw RequestError(
        .invalid, "the row has \(fields.count) fields, but the first line names \(columns.count)")
    }
    var patch = DevicePatch()
    var (token, osName, name) = ("", "", "")
    var losses: [String] = []
    if let platform {
      osName = try ImportColumn.platform(platform)
      patch.platform = .set(osName)
    }
    for (field, column) in zip(fields, columns) {
      guard let column else { continue }
      let text = CSVCell.text(field)
      switch column {
      case .token: token = text
      case .osName:
        osName = try ImportColumn.platform(text)
        patch.platform = .set(osName)
      case .id: name = text
      case .pushEnabled:
        if text.isEmpty { continue }
        guard let isEnabled = CSVCell.flag(text) else {
          throw RequestError(.invalid, "push_enabled must be true or false")
        }
        patch.isPushEnabled = .set(isEnabled)
      default:
        if text.isEmpty { continue }
        if let loss = column.read(text, into: &patch) {
          losses.append("\(column.name), which \(loss)")
        }
      }
    }
    do throws(PushToken.Refusal) {
      token = try PushToken.read(token, platform: osName)
    } catch { throw RequestError(.invalid, "token \(error.reason)") }
    guard !name.isEmpty else {
      return (ImportedDevice(id: id(), token: token, patch: patch), losses)
    }
    guard DeviceID.isValid(name) else {
      throw RequestError(.invalid, "id must be \(DeviceID.form)")
    }
    var device = ImportedDevice(id: name, token: token, patch: patch)
    device.isNamed = true
    return (device, losses)
  }
}
