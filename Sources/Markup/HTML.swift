/// Markup that is whole and safe to send.
///
/// It is made from literals, which are markup as they stand, and from values put into them, which
/// are text: what a person or a device wrote is escaped because of its type, wherever it comes to
/// stand. Attributes are always quoted in the literals, so the same escapes serve there.
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

    /// Nothing where there is none.
    package mutating func appendInterpolation(_ html: HTML?) { markup += html?.markup ?? "" }

    /// Markup that stands there under a condition: an attribute such as ` checked`.
    package mutating func appendInterpolation(_ html: HTML, if condition: Bool) {
      if condition { markup += html.markup }
    }

    /// By Unicode's scalars: a combining character must not hide what it follows.
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
      // A parser makes a line feed of it, and a stream of events the end of a line.
      case "\r": "&#13;"
      // No text needs the other controls; a parser drops them or does worse.
      case _ where scalar.value < 0x20 || 0x7f...0x9f ~= scalar.value: "\u{FFFD}"
      default: nil
      }
    }
  }
}
