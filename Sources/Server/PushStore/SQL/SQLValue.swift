import PushModel
import PushPayload

/// A value of a statement's parameter.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case bool(Bool)
  case text(String)
  case blob([UInt8])
  /// An array, which is a JSON array on SQLite.
  case list([SQLValue])

  static func optional(_ value: (some SQLValueConvertible)?) -> SQLValue { value.sqlValue }
  static func time(_ time: Timestamp?) -> SQLValue { .optional(time) }
  static func json(_ value: JSONValue) -> SQLValue { value.sqlValue }
  static func list(of texts: some Sequence<String>) -> SQLValue { .list(texts.map(text)) }
}

/// A type whose values a statement can have as parameters.
protocol SQLValueConvertible {
  var sqlValue: SQLValue { get }
}

extension Int64: SQLValueConvertible {
  var sqlValue: SQLValue { .integer(self) }
}
extension Int: SQLValueConvertible {
  var sqlValue: SQLValue { .integer(Int64(self)) }
}
extension UInt32: SQLValueConvertible {
  var sqlValue: SQLValue { .integer(Int64(self)) }
}
extension Double: SQLValueConvertible {
  var sqlValue: SQLValue { .real(self) }
}
extension Bool: SQLValueConvertible {
  var sqlValue: SQLValue { .bool(self) }
}
extension String: SQLValueConvertible {
  var sqlValue: SQLValue { .text(self) }
}
extension Array: SQLValueConvertible where Element == UInt8 {
  var sqlValue: SQLValue { .blob(self) }
}
extension Timestamp: SQLValueConvertible {
  var sqlValue: SQLValue { .integer(milliseconds) }
}
extension JSONValue: SQLValueConvertible {
  var sqlValue: SQLValue { .text(String(decoding: bytes, as: UTF8.self)) }
}
extension Optional: SQLValueConvertible where Wrapped: SQLValueConvertible {
  var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
