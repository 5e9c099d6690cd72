/// A measurer of texts in the font of cards.
package struct TextMeasurer: Sendable {
  private let family: String

  package init(fontFamily: String = CardStyle().fontFamily) { family = fontFamily }

  /// The size in points of a text whose lines are broken at a width; a text of more than `lines` ends in an ellipsis.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - fontSize: The size of the font in points.
  ///   - weight: The weight as in CSS: 400 is regular, 600 semibold.
  ///   - width: The width in points.
  ///   - lines: The most lines; `nil` for 200.
  /// - Returns: The width of the longest line, at most `width`, and the height of all.
  package func size(
    of text: String, fontSize: Double, weight: UInt32, width: Double, lines: Int?
  ) -> (width: Double, height: Double) {
    FontLock.withLock {
      let font = Typesetter.Font(size: fontSize, weight: weight)
      let layout = Typesetter(family: family)
        .layout(text, font, width: width, lines: max(1, lines ?? 200))
      return (min(layout.width, width), layout.height)
    }
  }
}
