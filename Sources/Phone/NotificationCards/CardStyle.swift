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
  package var look: Look
  package var textSize: TextSize
  /// Whether the layout is that of a phone set to Arabic or Hebrew: icon and text at the right.
  package var isRightToLeft: Bool

  package init(
    scale: Double = 2, fontFamily: String = "Inter", width: Double = 393,
    appearance: Appearance = .light, look: Look = .iOS26, textSize: TextSize = .large,
    isRightToLeft: Bool = false
  ) {
    self.scale = scale
    self.fontFamily = fontFamily
    self.width = width
    self.appearance = appearance
    self.look = look
    self.textSize = textSize
    self.isRightToLeft = isRightToLeft
  }

  package struct Appearance: Codable, Hashable, Sendable {
    package enum Raw: Codable, Sendable { case light, dark }
    package let raw: Raw
    package static let light = Appearance(raw: .light)
    package static let dark = Appearance(raw: .dark)
  }

  /// The release of iOS whose notifications the card is a likeness of.
  package struct Look: Codable, Hashable, Sendable {
    package enum Raw: String, Codable, CaseIterable, Sendable { case ios18, ios26 }
    package let raw: Raw
    /// An opaque material.
    package static let iOS18 = Look(raw: .ios18)
    /// Glass through which the wallpaper is seen, with rounder corners.
    package static let iOS26 = Look(raw: .ios26)

    /// The names of the looks in commands and forms.
    package static let names = Raw.allCases.map(\.rawValue)

    /// Creates the look with a name; `nil` if no look has the name.
    package init?(_ name: String) {
      guard let raw = Raw(rawValue: name) else { return nil }
      self.raw = raw
    }

    private init(raw: Raw) { self.raw = raw }
  }

  package typealias TextSize = TemplateTextSize

  /// The space between the notification and the side of the screen, in points.
  package static let margin = 10.0
}
