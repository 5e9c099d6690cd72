/// HTML markup in which interpolated text is escaped.
///
/// A literal is markup; a string that is interpolated into it is text and gets escaped, so text from a person or a
/// device can never become markup. Literals must quote the values of attributes. Within quotes, the same escapes are
/// enough.
package struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
  package private(set) var markup: String

  package static let empty: HTML = ""

  package init(stringLiteral literal: StaticString) { markup = literal.description }

  package init(stringInterpolation interpolation: StringInterpolation) {
    markup = interpolation.markup
  }

  package static func + (left: HTML, right: HTML) -> HTML { "\(left)\(right)" }

  package static func += (left: inout HTML, right: HTML) { left.markup += right.markup }

  package var bytes: [UInt8] { Array(markup.utf8) }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    package mutating func appendLiteral(_ literal: StaticString) { markup += literal.description }

    package mutating func appendInterpolation(_ text: String) {
      Self.escape(text[...], into: &markup)
    }

    package mutating func appendInterpolation(_ text: Substring) {
      Self.escape(text, into: &markup)
    }

    package mutating func appendInterpolation(_ number: some BinaryInteger) {
      markup += number.description
    }

    package mutating func appendInterpolation(_ html: HTML) { markup += html.markup }

    package mutating func appendInterpolation(_ parts: [HTML]) {
      for part in parts { markup += part.markup }
    }

    /// Appends markup, or nothing for `nil`.
    package mutating func appendInterpolation(_ html: HTML?) { markup += html?.markup ?? "" }

    /// Appends markup if a condition holds, such as the attribute ` checked`.
    package mutating func appendInterpolation(_ html: HTML, if condition: Bool) {
      if condition { markup += html.markup }
    }

    /// Escapes by Unicode scalars, because a combining character after `<` makes one character of both.
    private static func escape(_ text: Substring, into markup: inout String) {
      var rest = text.unicodeScalars[...]
      while let index = rest.firstIndex(where: { replacement(for: $0) != nil }) {
        markup += Substring(rest[..<index])
        markup += replacement(for: rest[index]) ?? ""
        rest = rest[rest.index(after: index)...]
      }
      markup += Substring(rest)
    }

    private static func replacement(for scalar: Unicode.Scalar) -> String? {
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      case "\n", "\t": nil
      // HTML parsers read a bare CR as a line feed, and server-sent events as the end of a line.
      case "\r": "&#13;"
      // Text needs no other control characters, and parsers drop or misread them.
      case _ where scalar.value < 0x20 || 0x7f...0x9f ~= scalar.value: "\u{FFFD}"
      default: nil
      }
    }
  }
}
