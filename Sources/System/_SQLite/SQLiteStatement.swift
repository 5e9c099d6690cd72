import CSQLite

/// A value of a statement's parameter.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  package static func bool(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }
}

/// The owner of one prepared statement, which it finalizes.
@safe final class SQLiteStatement {
  fileprivate let handle: OpaquePointer
  /// The connection, which outlives the statement, because it removes its statements before it closes.
  private let database: OpaquePointer
  private let sql: String

  init(owning handle: OpaquePointer, of database: OpaquePointer, sql: String) {
    unsafe self.handle = handle
    unsafe self.database = database
    self.sql = sql
  }

  deinit { _ = unsafe sqlite3_finalize(handle) }

  /// Binds the parameters, which must be null before, as after a reset.
  func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    for (offset, value) in values.enumerated() {
      let index = Int32(offset + 1)
      let code: Int32
      switch value {
      case .null: continue
      case .integer(let number): code = unsafe sqlite3_bind_int64(handle, index, number)
      case .real(let number): code = unsafe sqlite3_bind_double(handle, index, number)
      case .text(var text):
        code = text.withUTF8 { bytes in
          unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
            unsafe martlet_sqlite3_bind_text(
              handle, index, characters.baseAddress, UInt64(characters.count))
          }
        }
      case .blob(let bytes):
        code = unsafe bytes.withUnsafeBytes { buffer in
          unsafe martlet_sqlite3_bind_blob(
            handle, index, buffer.baseAddress, UInt64(buffer.count))
        }
      }
      guard code == SQLITE_OK else { throw error }
    }
  }

  /// Whether the statement does not change the database.
  var onlyReads: Bool { unsafe sqlite3_stmt_readonly(handle) != 0 }

  /// Steps to the next row; `false` if no row is left.
  func step() throws(SQLiteError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw error
    }
  }

  /// Ends the execution and sets all parameters to null.
  func reset() {
    _ = unsafe sqlite3_reset(handle)
    _ = unsafe sqlite3_clear_bindings(handle)
  }

  private var error: SQLiteError { unsafe SQLiteConnection.error(of: database, sql: sql) }
}

/// The current row of a statement, which is valid only inside the closure that receives it.
package struct SQLiteRow {
  let statement: SQLiteStatement

  /// The name of a column; `nil` if the column does not exist.
  package func name(ofColumn column: Int32) -> String? {
    unsafe sqlite3_column_name(statement.handle, column).map { unsafe String(cString: $0) }
  }

  package func integer(_ column: Int32) -> Int64 {
    unsafe sqlite3_column_int64(statement.handle, column)
  }

  /// A number; `nil` if the value is NULL or of another type, which SQLite would convert.
  package func optionalInteger(_ column: Int32) -> Int64? {
    type(column) == SQLITE_INTEGER ? integer(column) : nil
  }

  package func optionalReal(_ column: Int32) -> Double? {
    [SQLITE_FLOAT, SQLITE_INTEGER].contains(type(column))
      ? unsafe sqlite3_column_double(statement.handle, column) : nil
  }

  package func optionalBlob(_ column: Int32) -> [UInt8]? {
    type(column) == SQLITE_BLOB ? blob(column) : nil
  }

  /// A boolean; `nil` if the value is not 0 or 1.
  package func bool(_ column: Int32) -> Bool? {
    switch optionalInteger(column) {
    case 0: false
    case 1: true
    default: nil
    }
  }

  package func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  /// Text in UTF-8; `nil` if the value is NULL or not text.
  package func optionalText(_ column: Int32) -> String? {
    guard type(column) == SQLITE_TEXT,
      let start = unsafe sqlite3_column_text(statement.handle, column)
    else { return nil }
    let count = Int(unsafe sqlite3_column_bytes(statement.handle, column))
    return unsafe String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package func blob(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(statement.handle, column) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(statement.handle, column))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  package func isNull(_ column: Int32) -> Bool { type(column) == SQLITE_NULL }

  private func type(_ column: Int32) -> Int32 {
    unsafe sqlite3_column_type(statement.handle, column)
  }
}
