import _HTTPServer

/// A table as a CSV file (RFC 4180) for spreadsheet programs.
struct CSVTable: Sendable {
  var rows: [[String]]

  var text: String {
    rows.map(Self.line).joined()
  }

  /// A row with its line break.
  static func line(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",") + "\r\n"
  }

  /// A response that makes a browser save the file.
  func response(named name: String) -> HTTPResponse {
    HTTPResponse(status: 200, headers: Self.headers(of: name), body: Array(text.utf8))
  }

  private static func headers(of name: String) -> [(String, String)] {
    [
      ("Content-Type", "text/csv; charset=utf-8"),
      ("Content-Disposition", "attachment; filename=\"\(name)\""),
      ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ]
  }

  /// Returns a response with a file whose rows are read page by page while it is sent.
  ///
  /// If a later page cannot be read, the last line says that the file is incomplete, because the status was already
  /// sent.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - header: The names of the columns.
  ///   - page: Reads the rows after a position, which is `nil` for the first page, and returns the position of the next
  ///     page, or `nil` after the last one.
  /// - Returns: The response.
  /// - Throws: The error of the first page.
  static func stream(
    named name: String, header: [String],
    page: @escaping @Sendable (String?) async throws -> Page
  ) async throws -> HTTPResponse {
    let pages = CSVPages(try await page(nil), header: header, read: page)
    return HTTPResponse(
      status: 200, headers: headers(of: name),
      body: .stream(AsyncStream { await pages.next() }))
  }

  /// Rows of a file, and the position of the next page, which is `nil` after the last page.
  typealias Page = (rows: [[String]], next: String?)

  /// A quoted field; an apostrophe precedes text that a spreadsheet would read as a formula.
  ///
  /// Source: OWASP, "CSV Injection".
  private static func field(_ text: String) -> String {
    // Unicode scalars are compared, since a combining character would hide the sign in a `Character`.
    let isFormula = text.unicodeScalars.first.map { CSVCell.formulaSigns.contains($0) }
    let safe = isFormula == true ? "'" + text : text
    guard safe.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(safe)\"" }
    return "\"" + safe.replacing("\"", with: "\"\"") + "\""
  }
}

/// The pages of a CSV file, each read after the previous one was sent.
private actor CSVPages {
  private let read: @Sendable (String?) async throws -> CSVTable.Page
  private var ready: CSVTable.Page?

  init(
    _ first: CSVTable.Page, header: [String],
    read: @escaping @Sendable (String?) async throws -> CSVTable.Page
  ) {
    ready = ([header] + first.rows, first.next)
    self.read = read
  }

  func next() async -> [UInt8]? {
    guard let page = ready else { return nil }
    ready = nil
    if let place = page.next {
      do {
        ready = try await read(place)
      } catch {
        ready = (
          [["The file is incomplete, since the store did not answer. Export it again."]], nil
        )
      }
    }
    return Array(CSVTable(rows: page.rows).text.utf8)
  }
}
