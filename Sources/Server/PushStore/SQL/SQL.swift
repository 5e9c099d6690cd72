/// A statement, or a part of one, with the values of its parameters.
///
/// Each value is interpolated, as in `"SELECT name FROM apps WHERE number = \(app)"`, and becomes a parameter: `$1`,
/// `$2` and so on. So the text has no values, and a database prepares it once. A text may repeat the number of an
/// earlier parameter. Another part is interpolated with its values, and other text as `\(raw: text)`.
struct SQL: Hashable, Sendable, ExpressibleByStringInterpolation, StringInterpolationProtocol {
  private(set) var text = ""
  private(set) var values: [SQLValue] = []

  init(stringLiteral text: String) { self.text = text }
  init(stringInterpolation statement: SQL) { self = statement }
  init(literalCapacity: Int, interpolationCount: Int) {
    text.reserveCapacity(literalCapacity + 3 * interpolationCount)
  }

  mutating func appendLiteral(_ literal: String) {
    // SQLite numbers parameters by their first appearance, PostgreSQL by their names.
    assert(
      literal.split(separator: "$").dropFirst(literal.hasPrefix("$") ? 0 : 1).allSatisfy {
        Int($0.prefix { $0.isWholeNumber }) ?? 0 <= values.count
      }, "a text repeats only parameters that stand before it: \(literal)")
    text += literal
  }
  mutating func appendInterpolation(raw text: String) { self.text += text }
  mutating func appendInterpolation(_ value: (some SQLValueConvertible)?) {
    appendInterpolation(SQLValue.optional(value))
  }

  mutating func appendInterpolation(_ value: SQLValue) {
    values.append(value)
    text += "$\(values.count)"
  }

  /// Appends a parameter for each value, separated by commas.
  mutating func appendInterpolation(_ values: [SQLValue]) {
    for (place, value) in values.enumerated() {
      if place > 0 { text += ", " }
      appendInterpolation(value)
    }
  }

  /// Appends a part, whose parameters get the numbers after those of this text.
  mutating func appendInterpolation(_ part: SQL) {
    if values.isEmpty || part.values.isEmpty {
      text += part.text
    } else {
      var rest = part.text.utf8[...]
      while let mark = rest.firstIndex(of: UInt8(ascii: "$")) {
        text += Substring(rest[...mark])
        rest = rest[mark...].dropFirst()
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if let number = Int(Substring(digits)) { text += "\(values.count + number)" }
        rest = rest[digits.endIndex...]
      }
      text += Substring(rest)
    }
    values += part.values
  }
}

extension Sequence<SQL> {
  /// The parts with a text between each two of them.
  func joined(separator: String) -> SQL {
    enumerated().reduce(into: SQL(stringLiteral: "")) { joined, part in
      if part.offset > 0 { joined.appendLiteral(separator) }
      joined.appendInterpolation(part.element)
    }
  }
}
