import _HTTPServer

/// A table as a CSV file (RFC 4180) for spreadsheet programs.
struct CSVTable: Sendable {
  var rows: [[String]]

  var text: String {
    rows.map { row in row.map(Self.field).joined(separator: ",") + "\r\n" }.joined()
  }

  /// The response that makes a browser save the file.
  func response(named name: String) -> HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [
        ("Content-Type", "text/csv; charset=utf-8"),
        ("Content-Disposition", "attachment; filename=\"\(name)\""),
        ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
      ], body: Array(text.utf8))
  }

  /// A quoted field; an apostrophe precedes text that a spreadsheet would read as a formula.
  ///
  /// Source: OWASP, "CSV Injection".
  private static func field(_ text: String) -> String {
    // Unicode scalars are compared, since a combining character would hide the sign in a `Character`.
    let isFormula = text.unicodeScalars.first.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) }
    let safe = isFormula == true ? "'" + text : text
    return "\"" + safe.replacing("\"", with: "\"\"") + "\""
  }
}
