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

  var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// Whether the parameter is sent as binary, and not as text that the server parses by the parameter's type.
  var isBinary: Bool {
    if case .bytes = self { true } else { false }
  }

  /// Appends the value in the form of a parameter; NULL appends nothing.
  func append(toParameter bytes: inout [UInt8]) {
    switch self {
    case .null: break
    case .integer(let number): bytes += number.description.utf8
    case .real(let number): bytes += number.description.utf8
    case .bool(let truth): bytes.append(UInt8(ascii: truth ? "t" : "f"))
    case .text(let text): bytes += text.utf8
    case .bytes(let plain): bytes += plain
    case .array(let values): Self.append(values, to: &bytes)
    }
  }
}
