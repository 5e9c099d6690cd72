/// A stored value that is not what its column holds: it is damaged, or a newer version wrote it.
struct StoredValueError: Error {
  var column: String
  /// What is wrong, such as "is not JSON".
  var problem: String
  /// What names the row; `nil` where its columns do not.
  var row: String?
  /// The work that the row belongs to, where the reader knows it.
  var work: DamagedWork?

  func of(_ work: DamagedWork) -> StoredValueError {
    var error = self
    error.work = work
    return error
  }

  /// The error of the call that read the row by a statement.
  func error(reading sql: String) -> StoreError {
    let place = (Self.table(of: sql).map { "\($0)." } ?? "") + column
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

/// Reads the rows of one answer, and keeps the first error for when the answer is over.
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

  /// Throws what a row could not be read for.
  func finish(_ sql: String) throws {
    if let fault = failure as? StoredValueError { throw fault.error(reading: sql) }
    if let failure { throw failure }
  }
}
