import NotificationCards
package import NotificationTemplates

/// The measurer of templates on Linux, in the font of the drawn cards.
package struct PangoTextMeasurer: TemplateTextMeasurer {
  private let family: String

  /// Makes a measurer.
  ///
  /// - Parameter fontFamily: The name of an installed font, as in ``CardStyle/fontFamily``.
  package init(fontFamily: String = CardStyle().fontFamily) { family = fontFamily }

  package func size(
    of text: String, font: TemplateFont, width: Double, lines: Int?
  ) -> TemplateSize {
    size(of: TemplateText(text), font: font, width: width, lines: lines)
  }

  package func size(
    of text: TemplateText, font: TemplateFont, width: Double, lines: Int?
  ) -> TemplateSize {
    FontLock.withLock {
      LabelMeasurer(type: Typesetter(family: family))
        .size(of: text, font: font, width: width, lines: lines)
    }
  }
}

/// A measurer for callers that hold ``FontLock``.
struct LabelMeasurer: TemplateTextMeasurer {
  let type: Typesetter

  func size(of text: String, font: TemplateFont, width: Double, lines: Int?) -> TemplateSize {
    size(of: TemplateText(text), font: font, width: width, lines: lines)
  }

  func size(
    of text: TemplateText, font: TemplateFont, width: Double, lines: Int?
  ) -> TemplateSize {
    let layout = type.layout(text, font, width: width, lines: lines)
    return TemplateSize(
      width: min(layout.width, width).rounded(.up), height: layout.height.rounded(.up))
  }
}

extension Typesetter {
  /// The most lines of a text that a template does not cut off.
  private static let maximumLines = 200

  /// The lines of a text of a template, as they are measured and drawn.
  func layout(
    _ text: TemplateText, _ font: TemplateFont, width: Double, lines: Int?,
    isCentered: Bool = false
  ) -> TextLayout {
    let weight: UInt32 =
      switch font.weight {
      case .regular: 400
      case .semibold: 600
      case .bold: 700
      }
    return layout(
      text, Font(size: font.size, weight: weight, hasEvenDigits: font.hasEvenDigits), width: width,
      lines: max(1, lines ?? Self.maximumLines), isCentered: isCentered)
  }
}
