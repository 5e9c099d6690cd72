import PushModel
import PushPayload

/// A row of an answer, which is valid only inside the closure that gets it, and is therefore noncopyable.
///
/// Columns are read once each, in the order of the statement's `SELECT` or `RETURNING`, and each read names its
/// column. A debug build, and therefore every test, compares the name with the database's. A release build only
/// counts columns, so the names cost nothing. A read finds its column first: as an argument, it would be found while
/// `values` is held, which copies them.
///
/// A value that the schema does not allow is never replaced: the read throws a ``StoredValueError``. A read without
/// `optional` in its name is for a column that is never NULL.
struct SQLRow: ~Copyable {
  private let values: any SQLRowValues
  private var next: Int32 = 0

  init(_ values: any SQLRowValues) { self.values = values }

  private mutating func index(of name: StaticString) -> Int32 {
    assert(
      values.name(ofColumn: next) == "\(name)",
      "column \(next) is \(values.name(ofColumn: next) ?? "missing"), and \(name) is read")
    defer { next += 1 }
    return next
  }

  /// The number in the first column, which can still be read afterwards.
  func firstInteger(_ name: StaticString) throws(StoredValueError) -> Int64 {
    assert(next == 0 && values.name(ofColumn: 0) == "\(name)")
    guard let number = values.optionalInteger(0) else { throw fault(name, "is not a number") }
    return number
  }

  /// Skips a column.
  mutating func skip(_ name: StaticString) { _ = index(of: name) }

  mutating func optionalInteger(_ name: StaticString) throws(StoredValueError) -> Int64? {
    let column = index(of: name)
    if let number = values.optionalInteger(column) { return number }
    guard values.isNull(column) else { throw fault(name, "is not a number") }
    return nil
  }

  mutating func optionalReal(_ name: StaticString) throws(StoredValueError) -> Double? {
    let column = index(of: name)
    if let number = values.optionalReal(column) { return number }
    guard values.isNull(column) else { throw fault(name, "is not a number") }
    return nil
  }

  mutating func optionalText(_ name: StaticString) throws(StoredValueError) -> String? {
    let column = index(of: name)
    if let text = values.optionalText(column) { return text }
    guard values.isNull(column) else { throw fault(name, "is not text in UTF-8") }
    return nil
  }

  mutating func optionalBlob(_ name: StaticString) throws(StoredValueError) -> [UInt8]? {
    let column = index(of: name)
    if let bytes = values.optionalBlob(column) { return bytes }
    guard values.isNull(column) else { throw fault(name, "is not bytes") }
    return nil
  }

  mutating func bool(_ name: StaticString) throws(StoredValueError) -> Bool {
    let column = index(of: name)
    guard let truth = values.bool(column) else { throw fault(name, "is neither true nor false") }
    return truth
  }

  mutating func integer(_ name: StaticString) throws(StoredValueError) -> Int64 {
    guard let number = try optionalInteger(name) else { throw fault(name, "is NULL") }
    return number
  }

  mutating func int(_ name: StaticString) throws(StoredValueError) -> Int { Int(try integer(name)) }

  mutating func optionalInt(_ name: StaticString) throws(StoredValueError) -> Int? {
    try optionalInteger(name).map { Int($0) }
  }

  mutating func text(_ name: StaticString) throws(StoredValueError) -> String {
    guard let text = try optionalText(name) else { throw fault(name, "is NULL") }
    return text
  }

  mutating func blob(_ name: StaticString) throws(StoredValueError) -> [UInt8] {
    guard let bytes = try optionalBlob(name) else { throw fault(name, "is NULL") }
    return bytes
  }

  mutating func time(_ name: StaticString) throws(StoredValueError) -> Timestamp {
    Timestamp(milliseconds: try integer(name))
  }

  mutating func optionalTime(_ name: StaticString) throws(StoredValueError) -> Timestamp? {
    try optionalInteger(name).map(Timestamp.init(milliseconds:))
  }

  /// The error for a value that its column cannot have.
  func fault(_ column: StaticString, _ problem: String) -> StoredValueError {
    StoredValueError(column: "\(column)", problem: problem, row: identity)
  }

  /// The name of the row for a person: its id or, without an id, its number, but never a secret or a token.
  private var identity: String? {
    for name in ["id", "name", "number", "key"] {
      var column: Int32 = 0
      while let found = values.name(ofColumn: column) {
        if found == name {
          let text = values.optionalText(column) ?? values.optionalInteger(column).map { "\($0)" }
          if let text { return text }
        }
        column += 1
      }
    }
    return nil
  }
}

/// The values of a row by the index of their column, which begins at 0.
///
/// A value is `nil` if it is NULL or does not have the requested type.
protocol SQLRowValues {
  /// The name of a column in the answer; `nil` if the answer has no such column.
  func name(ofColumn column: Int32) -> String?
  func isNull(_ column: Int32) -> Bool
  func optionalInteger(_ column: Int32) -> Int64?
  func optionalReal(_ column: Int32) -> Double?
  func optionalText(_ column: Int32) -> String?
  func optionalBlob(_ column: Int32) -> [UInt8]?
  func bool(_ column: Int32) -> Bool?
}
