package import NotificationTemplates
import _Card

/// The measurer of templates on Linux, in the font of the drawn cards.
package struct PangoTextMeasurer: TemplateTextMeasurer {
  private let measurer = TextMeasurer()

  package init() {}

  package func size(
    of text: String, font: TemplateFont, width: Double, lines: Int?
  ) -> TemplateSize {
    let weight: UInt32 =
      switch font.weight {
      case .regular: 400
      case .semibold: 600
      case .bold: 700
      }
    let size = measurer.size(
      of: text, fontSize: font.size, weight: weight, width: width, lines: lines)
    return TemplateSize(width: size.width.rounded(.up), height: size.height.rounded(.up))
  }
}
