/// A measurer without fonts: each letter is half as wide as high, as the average of Latin text is.
package struct EstimatedText: TemplateTextMeasurer {
  package init() {}

  /// The lines that a text needs within a width.
  package static func lines(of text: String, _ font: TemplateFont, width: Double) -> Int {
    let perLine = max(1, Int(width / (font.size * 0.5)))
    return max(1, (text.count + perLine - 1) / perLine)
  }

  package func size(
    of text: String, font: TemplateFont, width: Double, lines: Int?
  ) -> TemplateSize {
    let count = min(Self.lines(of: text, font, width: width), lines ?? .max)
    return TemplateSize(
      width: min(width, Double(text.count) * font.size * 0.5),
      height: Double(count) * font.size * 1.2)
  }
}
