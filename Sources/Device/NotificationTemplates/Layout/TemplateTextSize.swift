/// A text size of Dynamic Type; ``large`` is the default of iOS.
package enum TemplateTextSize: String, Codable, Hashable, Sendable, CaseIterable {
  case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
  case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5

  /// Whether it is one of the five accessibility sizes, for which parts side by side are stacked.
  package var isAccessibility: Bool { number >= 7 }

  fileprivate var number: Int { Self.allCases.firstIndex(of: self) ?? 3 }
}

/// A text style of iOS with its size.
package struct TemplateFont: Hashable, Sendable {
  package enum Style: Hashable, Sendable {
    case title, headline, body, subheadline, footnote
  }

  package enum Weight: Hashable, Sendable {
    case regular, semibold, bold
  }

  package var style: Style
  /// The size in points.
  package var size: Double
  package var weight: Weight
  /// Whether all digits are as wide, so that a countdown does not move.
  package var hasEvenDigits = false

  package init(_ style: Style, _ textSize: TemplateTextSize, weight: Weight? = nil) {
    self.style = style
    size = style.sizes[textSize.number]
    self.weight = weight ?? (style == .headline || style == .title ? .semibold : .regular)
  }
}

extension TemplateFont.Style {
  /// The points from `xSmall` to `accessibility5` (Human Interface Guidelines, "Typography").
  fileprivate var sizes: [Double] {
    switch self {
    case .title: [17, 18, 19, 20, 22, 24, 26, 31, 37, 43, 49, 55]
    case .headline, .body: [14, 15, 16, 17, 19, 21, 23, 28, 33, 40, 47, 53]
    case .subheadline: [12, 13, 14, 15, 17, 19, 21, 25, 30, 36, 42, 49]
    case .footnote: [12, 12, 12, 13, 15, 17, 19, 23, 27, 33, 38, 44]
    }
  }
}

/// A measurer of texts: Core Text on Apple's systems, Pango on Linux.
package protocol TemplateTextMeasurer {
  /// The size of a text whose lines are broken at a width; a text of more lines than `lines` ends in an ellipsis.
  func size(of text: String, font: TemplateFont, width: Double, lines: Int?) -> TemplateSize

  /// The size of a text with its marks; by default a text with any bold part is measured in bold, so that nothing is cut off.
  func size(of text: TemplateText, font: TemplateFont, width: Double, lines: Int?) -> TemplateSize
}

extension TemplateTextMeasurer {
  package func size(
    of text: TemplateText, font: TemplateFont, width: Double, lines: Int?
  ) -> TemplateSize {
    var font = font
    if text.marks.contains(where: { $0.style == .bold }) { font.weight = .bold }
    return size(of: text.string, font: font, width: width, lines: lines)
  }
}
