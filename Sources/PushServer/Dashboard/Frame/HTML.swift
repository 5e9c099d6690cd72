/// Markup that is whole and safe to send.
///
/// It is made from literals, which are markup as they stand, and from values put into them, which
/// are text: what a person or a device wrote is escaped because of its type, wherever it comes to
/// stand. Attributes are always quoted in the literals, so the same escapes serve there.
struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
  private(set) var markup: String

  static let empty: HTML = ""

  init(stringLiteral literal: StaticString) { markup = literal.description }

  init(stringInterpolation interpolation: StringInterpolation) { markup = interpolation.markup }

  static func + (left: HTML, right: HTML) -> HTML { "\(left)\(right)" }

  static func += (left: inout HTML, right: HTML) { left.markup += right.markup }

  var bytes: [UInt8] { Array(markup.utf8) }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    mutating func appendLiteral(_ literal: StaticString) { markup += literal.description }

    mutating func appendInterpolation(_ text: String) { Self.escape(text, into: &markup) }

    mutating func appendInterpolation(_ text: Substring) { Self.escape(text, into: &markup) }

    mutating func appendInterpolation(_ number: some BinaryInteger) {
      markup += number.description
    }

    mutating func appendInterpolation(_ html: HTML) { markup += html.markup }

    mutating func appendInterpolation(_ parts: [HTML]) {
      for part in parts { markup += part.markup }
    }

    /// Nothing where there is none.
    mutating func appendInterpolation(_ html: HTML?) { markup += html?.markup ?? "" }

    /// Markup that stands there under a condition: an attribute such as ` checked`.
    mutating func appendInterpolation(_ html: HTML, if condition: Bool) {
      if condition { markup += html.markup }
    }

    /// By bytes: what is escaped is ASCII, and a combining character after it must not hide it.
    private static func escape(_ text: some StringProtocol, into markup: inout String) {
      var rest = text.utf8[...]
      while let index = rest.firstIndex(where: { escapes($0) != nil }) {
        markup += String(decoding: rest[..<index], as: UTF8.self)
        markup += escapes(rest[index]) ?? ""
        rest = rest[rest.index(after: index)...]
      }
      markup += String(decoding: rest, as: UTF8.self)
    }

    private static func escapes(_ byte: UInt8) -> String? {
      switch byte {
      case UInt8(ascii: "&"): "&amp;"
      case UInt8(ascii: "<"): "&lt;"
      case UInt8(ascii: ">"): "&gt;"
      case UInt8(ascii: "\""): "&quot;"
      case UInt8(ascii: "'"): "&#39;"
      // A parser drops it or shows a replacement; no text needs it.
      case 0: "\u{FFFD}"
      default: nil
      }
    }
  }
}
