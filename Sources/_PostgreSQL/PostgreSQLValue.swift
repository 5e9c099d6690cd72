/// A value of a statement's parameter.
package enum PostgreSQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case bool(Bool)
  case text(String)
  /// A `bytea`.
  case bytes([UInt8])
  /// An array, for a parameter that the statement casts to one.
  case array([PostgreSQLValue])

  package static func optional(_ value: String?) -> PostgreSQLValue { value.map(text) ?? .null }

  /// Whether the value is text with U+0000, which PostgreSQL cannot store.
  var holdsZero: Bool {
    switch self {
    case .text(let text): text.utf8.contains(0)
    case .array(let values): values.contains(where: \.holdsZero)
    default: false
    }
  }

  /// The parameter as text, which the server reads by the parameter's type, or as binary for bytes.
  var parameter: (bytes: [UInt8]?, isBinary: Bool) {
    switch self {
    case .null: (nil, false)
    case .integer(let number): (Array("\(number)".utf8), false)
    case .real(let number): (Array("\(number)".utf8), false)
    case .bool(let truth): (Array((truth ? "t" : "f").utf8), false)
    case .text(let text): (Array(text.utf8), false)
    case .bytes(let bytes): (bytes, true)
    case .array(let values): (Self.text(of: values), false)
    }
  }
}
