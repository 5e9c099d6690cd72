import PushModel
import PushPayload

/// The checks of an imported file's first bytes.
enum ImportFile {
  /// The number of bytes that are checked.
  static let startLength = 4

  /// The most bytes of a form with a file.
  static let formLimit = FileImport.sizeLimit + (1 << 20)

  /// Whether the page at a path takes a file of devices, and reads it while it arrives.
  static func isPage(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 5 && parts[1] == "apps" && parts[3...] == ["people", "import"]
  }

  /// Refuses a file whose first bytes show that it is not text in UTF-8.
  ///
  /// - Throws: ``RequestError`` `.invalid` with the kind of the file, and what to do.
  static func check(start bytes: some Sequence<UInt8>) throws(RequestError) {
    let start = Array(bytes.prefix(startLength))
    if CallerText.isGzip(start) {
      throw RequestError(.invalid, "the file is compressed by gzip; unpack it with gunzip first")
    }
    if start == Array("PK\u{3}\u{4}".utf8) {
      throw RequestError(
        .invalid,
        "the file is an Excel workbook or a ZIP archive; unpack it, or save the table as CSV in UTF-8"
      )
    }
    if let name = TextEncoding.wideEncoding(of: start) {
      throw RequestError(
        .invalid, "the file is \(name), not UTF-8: save it as UTF-8, in Excel as \"CSV UTF-8\"")
    }
  }

  /// Refuses a CSV file whose first line cannot be read or has separators other than commas.
  static func check(header: CSVReader.Row) throws(RequestError) {
    if let problem = header.problem {
      throw RequestError(.invalid, "line \(header.line) \(problem)")
    }
    guard header.fields.count == 1 else { return }
    for (separator, name) in [(";", "semicolons"), ("\t", "tabs"), ("|", "vertical bars")]
    where header.fields[0].contains(separator) {
      throw RequestError(
        .invalid,
        "line 1: \(name) separate the columns; save the file with commas between the columns, which"
          + " spreadsheet programs call the field delimiter or the list separator")
    }
  }
}
