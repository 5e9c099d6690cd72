import PushModel

/// The first rows of an uploaded file, for a look before it is imported.
struct ImportSample {
  /// The number of bytes that are read, and the most rows.
  static let length = 64 << 10
  static let rowLimit = 10

  /// The names in the first line of a CSV file.
  private(set) var header: [String] = []
  /// The rows of a CSV file as they are, with their lines.
  private(set) var cells: [CSVReader.Row] = []
  /// The devices of another file as they are read.
  private(set) var devices: [ImportRow] = []

  /// Reads the first bytes of a file; what cannot be read is left out, because a check of the file says so.
  init(of start: [UInt8], as settings: ImportSettings) {
    let start = Array(start.prefix(Self.length))
    switch settings.form {
    case .csv:
      var reader = CSVReader(separator: settings.mapping?.separator.byte ?? UInt8(ascii: ","))
      reader.feed(start)
      header = Self.next(&reader, isWhole: start.count < Self.length)?.fields ?? []
      while cells.count < Self.rowLimit,
        let row = Self.next(&reader, isWhole: start.count < Self.length)
      {
        if row.fields != [""], !row.isFiller { cells.append(row) }
      }
    case .lines: read(start)
    case .oneSignal, .airship:
      guard let vendor = settings.form.vendor else { return }
      var export = VendorExport(of: vendor, documentLimit: Self.length)
      guard (try? export.read(start)) != nil else { return }
      if start.count < Self.length, (try? export.finish()) == nil { return }
      read(export.take().lines)
    }
  }

  private mutating func read(_ lines: [UInt8]) {
    var rows = ImportRows(of: .lines)
    guard (try? rows.feed(lines)) != nil else { return }
    while devices.count < Self.rowLimit, let row = try? rows.next() { devices.append(row) }
    if lines.count < Self.length, devices.count < Self.rowLimit, let row = try? rows.last() {
      devices.append(row)
    }
  }

  /// The next row; the last one of a file that was read as a whole needs no line break.
  private static func next(_ reader: inout CSVReader, isWhole: Bool) -> CSVReader.Row? {
    reader.next() ?? (isWhole ? reader.last() : nil)
  }

  /// The names in the first line of a CSV file.
  static func header(of start: [UInt8], separator: ColumnMapping.Separator) -> [String] {
    let mapping = ColumnMapping(columns: [], platform: nil, separator: separator)
    return ImportSample(of: start, as: ImportSettings(form: .csv, mapping: mapping)).header
  }
}
