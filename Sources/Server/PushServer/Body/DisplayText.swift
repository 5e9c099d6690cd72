/// The rule for names that people enter: one line without hidden characters.
package enum DisplayText {
  /// The most combining marks on one letter.
  static let markLimit = 3

  /// The reason why a name is refused, which follows the name's place in a message; `nil` if it is accepted.
  ///
  /// - Parameters:
  ///   - text: The name.
  ///   - limit: The most code points, which are the characters of JSON Schema.
  /// - Returns: What is wrong and what to do, or `nil`.
  package static func problem(_ text: String, upTo limit: Int) -> String? {
    guard (1...limit).contains(text.unicodeScalars.count) else {
      return "must be 1 to \(limit) characters"
    }
    return hiddenPart(of: text)
  }

  /// The beginning of a text that fits a limit, up to a whole letter or emoji.
  static func beginning(of text: String, upTo limit: Int) -> String {
    var rest = limit
    let fitting = text.prefix { character in
      rest -= character.unicodeScalars.count
      return rest >= 0
    }
    return String(fitting)
  }

  /// The reason why a text of the right number of characters is refused.
  static func hiddenPart(of text: String) -> String? {
    var marks = 0
    var hasVisible = false
    for scalar in text.unicodeScalars {
      switch kind(of: scalar) {
      case .visible: (hasVisible, marks) = (true, 0)
      case .space: marks = 0
      case .mark:
        marks += 1
        guard hasVisible else { return "begins with a combining mark; write a letter before it" }
        guard marks <= markLimit else {
          return "has more than \(markLimit) combining marks on a letter; remove some"
        }
      case .joiner:
        guard hasVisible else { return hiding(scalar) }
      case .hidden: return hiding(scalar)
      }
    }
    return hasVisible ? nil : "has only spaces; write a name"
  }

  private enum Kind { case visible, space, mark, joiner, hidden }

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    // Joiners are part of words in Persian and Hindi, and of emoji. So are the variation selectors of emoji.
    if scalar == "\u{200C}" || scalar == "\u{200D}" { return .joiner }
    if scalar == "\u{FE0E}" || scalar == "\u{FE0F}" { return .mark }
    // The Braille pattern without dots is as blank as a space.
    if scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}" { return .hidden }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return .mark
    case .spaceSeparator: return scalar == " " || scalar == "\u{3000}" ? .space : .hidden
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      return .hidden
    default: return .visible
    }
  }

  private static func hiding(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let code = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return "has the character U+\(code), which people cannot see; remove it"
  }
}
