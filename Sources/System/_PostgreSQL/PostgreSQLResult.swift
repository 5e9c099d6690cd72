import CPostgreSQL
import Glibc

/// The answer to one statement, which it frees.
@safe package final class PostgreSQLResult {
  fileprivate let raw: OpaquePointer

  init(owning raw: OpaquePointer) { unsafe self.raw = raw }

  deinit { unsafe PQclear(raw) }

  var isSuccess: Bool {
    let status = unsafe PQresultStatus(raw)
    return [PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_COPY_IN, PGRES_EMPTY_QUERY].contains(status)
  }

  var rowCount: Int { Int(unsafe PQntuples(raw)) }

  package func rows<T>(map: (PostgreSQLRow) -> T) -> [T] {
    (0..<rowCount).map { map(PostgreSQLRow(result: self, row: Int32($0))) }
  }

  /// The number of rows changed by the statement.
  package var changedCount: Int { Int(unsafe String(cString: PQcmdTuples(raw))) ?? 0 }

  /// Whether the error ends the connection, because the server closes it, or because libpq lost it and therefore has no
  /// SQLSTATE.
  var endsConnection: Bool {
    guard field(Int32(UInt8(ascii: "C"))) != nil else { return true }
    let severity = field(Int32(UInt8(ascii: "V")))  // in English whatever the server's language
    return severity == "FATAL" || severity == "PANIC"
  }

  /// The error with the server's primary message; the detail is omitted, because it quotes values.
  func error(sql: String) -> PostgreSQLError {
    let message = field(Int32(UInt8(ascii: "M"))) ?? "the connection to the server broke"
    var code = field(Int32(UInt8(ascii: "C"))).map { PostgreSQLError.Code($0) }
    // Citus reports the error of a worker's COPY with its message, which its servers write in English, but without its
    // code.
    if code == .internalError, message.hasPrefix("duplicate key value violates unique constraint") {
      code = .uniqueViolation
    }
    // It also does so if a server on which it locks rows is away, without giving the kind of error.
    if code == .internalError, message.hasPrefix("failure on connection marked as essential") {
      code = .connectionFailure
    }
    return PostgreSQLError(code: code ?? .connectionFailure, message: message, sql: sql)
  }

  private func field(_ code: Int32) -> String? {
    guard let text = unsafe PQresultErrorField(raw, code) else { return nil }
    return unsafe String(cString: text)
  }
}

/// A row of an answer, which is valid only inside the closure that receives it.
package struct PostgreSQLRow {
  let result: PostgreSQLResult
  let row: Int32

  /// The name of a column; `nil` if the column does not exist.
  package func name(ofColumn column: Int32) -> String? {
    unsafe PQfname(result.raw, column).map { unsafe String(cString: $0) }
  }

  /// The value of a column as text; `nil` if it is NULL.
  private func value(_ column: Int32) -> UnsafeMutablePointer<CChar>? {
    guard unsafe PQgetisnull(result.raw, row, column) == 0 else { return nil }
    return unsafe PQgetvalue(result.raw, row, column)
  }

  package func optionalText(_ column: Int32) -> String? {
    unsafe value(column).map { unsafe String(cString: $0) }
  }

  package func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  /// A number, read without a string of its digits; `nil` if it is NULL or not a number of 64 bits.
  package func optionalInteger(_ column: Int32) -> Int64? {
    guard let start = unsafe value(column) else { return nil }
    var end: UnsafeMutablePointer<CChar>?
    errno = 0
    let number = unsafe strtoll(start, &end, 10)
    return unsafe errno == 0 && end != start && end?.pointee == 0 ? Int64(number) : nil
  }
  package func integer(_ column: Int32) -> Int64 { optionalInteger(column) ?? 0 }
  package func optionalReal(_ column: Int32) -> Double? {
    optionalText(column).flatMap { Double($0) }
  }
  package func optionalBytes(_ column: Int32) -> [UInt8]? {
    unsafe PQgetisnull(result.raw, row, column) == 0 ? bytes(column) : nil
  }
  package func real(_ column: Int32) -> Double { optionalText(column).flatMap { Double($0) } ?? 0 }
  /// A boolean; `nil` if the value is NULL or neither true nor false.
  package func bool(_ column: Int32) -> Bool? {
    switch unsafe value(column)?.pointee {
    case CChar(UInt8(ascii: "t")): true
    case CChar(UInt8(ascii: "f")): false
    default: nil
    }
  }
  package func isNull(_ column: Int32) -> Bool {
    unsafe PQgetisnull(result.raw, row, column) != 0
  }

  /// The bytes of a `bytea`; empty if it is NULL.
  package func bytes(_ column: Int32) -> [UInt8] {
    guard let start = unsafe value(column) else { return [] }
    var count = 0
    let text = unsafe UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self)
    guard let plain = unsafe PQunescapeBytea(text, &count) else { return [] }
    defer { unsafe PQfreemem(plain) }
    return unsafe [UInt8](UnsafeBufferPointer(start: plain, count: count))
  }
}
