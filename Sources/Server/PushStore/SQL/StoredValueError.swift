import PushModel

/// An error about a stored value that its column cannot have: it is damaged, or a newer version wrote it.
struct StoredValueError: Error {
  var column: String
  /// The problem, such as "is not JSON".
  var problem: String
  /// The name of the row for a person; `nil` if its columns do not name it.
  var row: String?
  /// The work that the row belongs to; `nil` if the reader does not know it.
  var work: DamagedWork?

  func of(_ work: DamagedWork) -> StoredValueError {
    var error = self
    error.work = work
    return error
  }

  /// The error of the call that read the row by a statement.
  func error(reading sql: SQL) -> StoreError {
    let place = (Self.table(of: sql.text).map { "\($0)." } ?? "") + column
    var error = StoreError(
      .damaged,
      """
      \(place)\(row.map { " of \($0)" } ?? "") \(problem): it is damaged, or a newer version wrote it; \
      restore a backup, or upgrade this node
      """)
    error.work = work
    return error
  }

  /// The table whose rows a statement reads or returns: the first one outside of parentheses.
  private static func table(of sql: String) -> Substring? {
    var depth = 0
    var isNext = false
    for word in sql.split(whereSeparator: { " \n,".contains($0) }) {
      if isNext, depth == 0, word.first?.isLetter == true {
        return word.prefix { $0.isLetter || $0 == "_" }
      }
      isNext = depth == 0 && ["FROM", "INTO", "UPDATE"].contains(word)
      depth += word.count { $0 == "(" } - word.count { $0 == ")" }
    }
    return nil
  }
}

/// A reader of the rows of one answer, which keeps the first error until the answer ends.
struct RowReader {
  private(set) var failure: (any Error)?

  mutating func read<T>(
    _ values: any SQLRowValues, _ body: (inout SQLRow) throws -> T
  ) -> T? {
    guard failure == nil else { return nil }
    var row = SQLRow(values)
    do { return try body(&row) } catch {
      failure = error
      return nil
    }
  }

  /// Throws the error of the first row that could not be read.
  func finish(_ sql: SQL) throws {
    if let fault = failure as? StoredValueError { throw fault.error(reading: sql) }
    if let failure { throw failure }
  }
}
