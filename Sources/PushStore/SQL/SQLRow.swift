import PushPayload

/// A row of an answer; valid only inside the closure that it is given to, and therefore noncopyable.
///
/// Columns are read once each, in the order of the statement's `SELECT` or `RETURNING`, and each
/// read names its column. A debug build, and so every test, compares the name with the database's
/// own; a release build only counts columns, so naming them costs nothing. A read finds its column
/// first: as an argument it would be found while `values` is held, which copies them.
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

  /// The number in the first column, which stays to be read; 0 for NULL.
  func firstInteger(_ name: StaticString) -> Int64 {
    assert(next == 0 && values.name(ofColumn: 0) == "\(name)")
    return values.optionalInteger(0) ?? 0
  }

  /// Passes over a column.
  mutating func skip(_ name: StaticString) { _ = index(of: name) }

  mutating func optionalInteger(_ name: StaticString) -> Int64? {
    let column = index(of: name)
    return values.optionalInteger(column)
  }

  mutating func optionalReal(_ name: StaticString) -> Double? {
    let column = index(of: name)
    return values.optionalReal(column)
  }

  mutating func optionalText(_ name: StaticString) -> String? {
    let column = index(of: name)
    return values.optionalText(column)
  }

  mutating func optionalBlob(_ name: StaticString) -> [UInt8]? {
    let column = index(of: name)
    return values.optionalBlob(column)
  }

  mutating func bool(_ name: StaticString) -> Bool {
    let column = index(of: name)
    return values.bool(column)
  }

  /// The number in a column; 0 for NULL.
  mutating func integer(_ name: StaticString) -> Int64 { optionalInteger(name) ?? 0 }

  /// The number in a column; 0 for NULL.
  mutating func int(_ name: StaticString) -> Int { Int(integer(name)) }

  mutating func optionalInt(_ name: StaticString) -> Int? { optionalInteger(name).map { Int($0) } }

  /// The text in a column; empty for NULL.
  mutating func text(_ name: StaticString) -> String { optionalText(name) ?? "" }

  /// The bytes in a column; empty for NULL.
  mutating func blob(_ name: StaticString) -> [UInt8] { optionalBlob(name) ?? [] }

  /// The time in a column; 1970 for NULL.
  mutating func time(_ name: StaticString) -> Timestamp {
    Timestamp(milliseconds: integer(name))
  }

  mutating func optionalTime(_ name: StaticString) -> Timestamp? {
    optionalInteger(name).map(Timestamp.init(milliseconds:))
  }

  /// The JSON value in a column, which the store wrote.
  mutating func json(_ name: StaticString) -> JSONValue {
    (try? JSONValue(parsing: text(name))) ?? .null
  }
}

/// The values of a row by the index of their column, which begins at 0.
protocol SQLRowValues {
  /// The name of a column in the answer; `nil` where there is no such column.
  func name(ofColumn column: Int32) -> String?
  func optionalInteger(_ column: Int32) -> Int64?
  func optionalReal(_ column: Int32) -> Double?
  func optionalText(_ column: Int32) -> String?
  func optionalBlob(_ column: Int32) -> [UInt8]?
  func bool(_ column: Int32) -> Bool
}
