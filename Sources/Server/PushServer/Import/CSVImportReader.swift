import PushModel

/// A reader of devices from a CSV file whose first line names the columns.
struct CSVImportReader: ImportReader {
  private var reader = CSVReader()
  private var columns: [ImportColumn]?
  private var ids = IdentifierSequence()
  private(set) var skippedCount = 0

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
      columns = try ImportColumn.columns(row.fields)
      return nil
    }
    if let problem = row.problem {
      return ImportRow(line: row.line, refused: RequestError(.invalid, "the row \(problem)"))
    }
    guard row.cutFields.isEmpty else {
      let error = RequestError(.invalid, "the row has a field \(CSVReader.Row.cutAdvice)")
      return ImportRow(line: row.line, refused: error)
    }
    if row.fields == [""] { return nil }
    if row.isFiller {
      skippedCount += 1
      return nil
    }
    return ImportRow(line: row.line) { () throws(RequestError) in
      try Self.device(row.fields, columns, id: ids.next())
    }
  }

  private static func device(
    _ fields: [String], _ columns: [ImportColumn], id: @autoclosure () -> String
  ) throws(RequestError) -> (ImportedDevice, losses: [String]) {
    guard fields.count == columns.count else {
      throw RequestError(
        .invalid, "the row has \(fields.count) fields, but the first line names \(columns.count)")
    }
    var patch = DevicePatch()
    var (token, osName, name) = ("", "", "")
    var losses: [String] = []
    for (field, column) in zip(fields, columns) {
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
