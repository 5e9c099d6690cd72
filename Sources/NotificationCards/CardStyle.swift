package import NotificationTemplates

/// The look of a card: scale, font, width, appearance, text size and direction.
///
/// A card and a style determine every byte of the picture.
package struct CardStyle: Codable, Sendable {
  /// Pixels per point, 1 to 4; 2 and 3 on phones.
  package var scale: Double
  /// The name of an installed font; characters that it lacks come from other installed fonts.
  package var fontFamily: String
  /// The width of the screen in points, 200 to 1000.
  package var width: Double
  package var appearance: Appearance
  package var textSize: TextSize
  /// Whether the layout is that of a phone set to Arabic or Hebrew: icon and text at the right.
  package var isRightToLeft: Bool

  package init(
    scale: Double = 2, fontFamily: String = "Inter", width: Double = 393,
    appearance: Appearance = .light, textSize: TextSize = .large, isRightToLeft: Bool = false
  ) {
    self.scale = scale
    self.fontFamily = fontFamily
    self.width = width
    self.appearance = appearance
    self.textSize = textSize
    self.isRightToLeft = isRightToLeft
  }

  package struct Appearance: Codable, Hashable, Sendable {
    package enum Raw: Codable, Sendable { case light, dark }
    package let raw: Raw
    package static let light = Appearance(raw: .light)
    package static let dark = Appearance(raw: .dark)
  }

  package typealias TextSize = TemplateTextSize

  /// The space between the notification and the side of the screen, in points.
  package static let margin = 10.0
}
