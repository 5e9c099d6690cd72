import PushModel

/// The lines of a file that its import rejects, or that lose a part, found while the file is read again.
struct ImportFaults {
  /// A line with the problem, and its fields if the file is a CSV file.
  struct Fault {
    var line: Int
    var problem: String
    var fields: [String] = []
  }

  private var rows: ImportRows?
  private var export: VendorExport?
  /// The lines that are valid and name their device, since the last call of ``takeNamed()``.
  private var named: [String: ImportRow] = [:]

  init(_ settings: ImportSettings) {
    if let vendor = settings.form.vendor {
      export = VendorExport(of: vendor, documentLimit: DeviceImport.documentLimit)
    } else {
      rows = ImportRows(of: settings.form == .csv ? .csv : .lines, columns: settings.mapping)
    }
  }

  /// Reads the next piece; `nil` reads what is left after the last one.
  ///
  /// - Throws: ``RequestError`` if the file as a whole is not valid.
  mutating func read(_ piece: [UInt8]?) throws -> [Fault] {
    if let piece {
      try rows?.feed(piece)
      try export?.read(piece)
    } else {
      try export?.finish()
    }
    var faults: [Fault] = []
    while let row = try rows?.next() ?? (piece == nil ? rows?.last() : nil) {
      if let fault = row.fault {
        faults.append(Fault(line: fault.line, problem: fault.error, fields: row.fields))
      }
      if case .success(let device) = row.device, device.isNamed { named[device.id] = row }
    }
    guard let taken = export?.take() else { return faults }
    return (taken.rejected + taken.losses).sorted { $0.line < $1.line }
      .map { Fault(line: $0.line, problem: $0.error) }
  }

  /// Returns the ids of the valid lines since the last call, with their lines; the store may have erased their devices.
  mutating func takeNamed() -> [String: ImportRow] {
    defer { named = [:] }
    return named
  }

  static func erased(_ row: ImportRow) -> Fault {
    Fault(line: row.line, problem: DeviceImport.Report.erased, fields: row.fields)
  }
}
