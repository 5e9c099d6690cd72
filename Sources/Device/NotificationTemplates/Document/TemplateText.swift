/// A text with the marks of HTML that a notification can show: bold, italic, underlined and struck through.
package struct TemplateText: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The style of a part of a text.
  package enum Style: String, Hashable, Sendable, CaseIterable {
    case bold, italic, underline, strikethrough
  }

  /// A part of a text that is drawn in one style; parts may overlap.
  package struct Mark: Hashable, Sendable {
    package var style: Style
    /// The part in UTF-16 code units, as `NSRange` counts.
    package var range: Range<Int>
  }

  /// The text without marks.
  package var string: String
  /// The styled parts, by their beginning.
  package var marks: [Mark] = []

  package init(_ string: String, marks: [Mark] = []) {
    self.string = string
    self.marks = marks
  }

  package init(stringLiteral value: String) { self.init(value) }

  /// The text up to a number of characters; `nil` if it is not longer.
  func cut(to limit: Int) -> TemplateText? {
    // A character has at least one byte.
    guard string.utf8.count > limit,
      let end = string.index(string.startIndex, offsetBy: limit, limitedBy: string.endIndex),
      end != string.endIndex
    else { return nil }
    let short = String(string[..<end])
    let length = short.utf16.count
    let kept = marks.filter { $0.range.lowerBound < length }.map { mark in
      Mark(style: mark.style, range: mark.range.clamped(to: 0..<length))
    }
    return TemplateText(short, marks: kept)
  }
}

/// The texts of a template or of one of its faces; `nil` for a text that it does not have.
package struct TemplateTexts: Hashable, Sendable {
  package var title: TemplateText?
  package var subtitle: TemplateText?
  package var body: TemplateText?

  package init(
    title: TemplateText? = nil, subtitle: TemplateText? = nil, body: TemplateText? = nil
  ) {
    self.title = title
    self.subtitle = subtitle
    self.body = body
  }
}
