/// The rules for the cells that spreadsheets and databases write into a CSV file.
enum CSVCell {
  /// The characters with which a formula begins in a spreadsheet.
  static let formulaSigns = "=+-@\t\r\n＝＋－＠".unicodeScalars

  /// The text of a cell.
  ///
  /// `="00123"` is Excel's form of the text 00123; `NULL`, `null` and `\N` are a database's forms of an empty cell. The
  /// apostrophe that an export puts before a sign such as `+` is not part of the text.
  static func text(_ cell: String) -> String {
    if ["NULL", "null", "\\N"].contains(cell) { return "" }
    if cell.utf8.first == UInt8(ascii: "'") {
      let rest = cell.unicodeScalars.dropFirst()
      let isMarked = rest.first.map { formulaSigns.contains($0) } ?? false
      return isMarked ? String(rest) : cell
    }
    guard cell.utf8.count >= 3, cell.hasPrefix("=\""), cell.hasSuffix("\"") else { return cell }
    return String(cell.dropFirst(2).dropLast())
  }

  /// Whether a cell is a long number that a spreadsheet has rounded, such as `4.91512E+11`.
  ///
  /// It is not accepted as a text, because different numbers may look the same after rounding.
  static func isRounded(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: "+")) && text.wholeMatch(of: /\d([.,]\d+)?E\+\d+/) != nil
  }

  static let roundedAdvice =
    "is a number that a spreadsheet has rounded; format its column as text and export the file again"

  /// Whether a cell means yes; `nil` if it means neither yes nor no.
  static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "t", "1", "yes": true
    case "false", "f", "0", "no": false
    default: nil
    }
  }
}
