import _HTTPServer

/// A table to open in a program for tables (RFC 4180).
struct CSVTable: Sendable {
  var rows: [[String]]

  var text: String {
    rows.map { row in row.map(Self.field).joined(separator: ",") + "\r\n" }.joined()
  }

  /// Where a browser saves it.
  func response(named name: String) -> HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [
        ("Content-Type", "text/csv; charset=utf-8"),
        ("Content-Disposition", "attachment; filename=\"\(name)\""),
        ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
      ], body: Array(text.utf8))
  }

  /// Always in quotes; what a program would compute stands behind an apostrophe, as text.
  ///
  /// Source: OWASP, "CSV Injection".
  private static func field(_ text: String) -> String {
    // By scalars: a combining character after it must not hide the sign.
    let computes = text.unicodeScalars.first.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) }
    let safe = computes == true ? "'" + text : text
    return "\"" + safe.replacing("\"", with: "\"\"") + "\""
  }
}
