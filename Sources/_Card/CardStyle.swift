/// What decides the look of a card beside its content.
///
/// Together they decide every byte of the picture.
package struct CardStyle: Sendable {
  /// Pixels a point, as on a device: 1 to 4.
  package var scale: Double
  /// Must be installed; scripts it lacks come from the system's other fonts.
  package var fontFamily: String
  /// Points across the screen.
  package var width: Double
  package var appearance: Appearance
  package var textSize: TextSize
  /// As on a phone set to Arabic or Hebrew: icon and text at the right, thumbnail at the left.
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

  package struct Appearance: Hashable, Sendable {
    enum Raw { case light, dark }
    let raw: Raw
    package static let light = Appearance(raw: .light)
    package static let dark = Appearance(raw: .dark)
  }

  /// A size of Dynamic Type; `large` is how a phone comes.
  package struct TextSize: Hashable, Sendable {
    /// Of Apple's body style, in points.
    let bodySize: Double
    package static let xSmall = TextSize(bodySize: 14)
    package static let small = TextSize(bodySize: 15)
    package static let medium = TextSize(bodySize: 16)
    package static let large = TextSize(bodySize: 17)
    package static let xLarge = TextSize(bodySize: 19)
    package static let xxLarge = TextSize(bodySize: 21)
    package static let xxxLarge = TextSize(bodySize: 23)

    var factor: Double { bodySize / Self.large.bodySize }
  }
}

struct Colour: Hashable {
  var red, green, blue, alpha: Double

  init(_ hex: UInt32, _ alpha: Double = 1) {
    red = Double(hex >> 16 & 255) / 255
    green = Double(hex >> 8 & 255) / 255
    blue = Double(hex & 255) / 255
    self.alpha = alpha
  }

  static let white = Colour(0xffffff)
}

/// The colours of an appearance.
struct Palette {
  let platter, primary, secondary, separator, hollow: Colour
  /// Of what looks out from under a platter, and of text beside one.
  let sheet: Colour
  let onWallpaper = Colour(0xffffff, 0.92)
  /// From the top left to the bottom right.
  let wallpaper: [Colour]
  /// Two soft lights on the wallpaper.
  let glows: [Colour]

  init(_ appearance: CardStyle.Appearance) {
    switch appearance.raw {
    case .light:
      platter = Colour(0xfbfbfd, 0.78)
      primary = Colour(0x0b0b0f)
      secondary = Colour(0x3c3c43, 0.62)
      separator = Colour(0x3c3c43, 0.16)
      hollow = Colour(0x787880, 0.16)
      sheet = Colour(0xfbfbfd, 0.5)
      wallpaper = [Colour(0x5b7fd9), Colour(0x9a86d8), Colour(0xe79ab4), Colour(0xf7c59f)]
      glows = [Colour(0xbfe3ff, 0.75), Colour(0xffe1c4, 0.7)]
    case .dark:
      platter = Colour(0x1e1e22, 0.76)
      primary = Colour(0xffffff)
      secondary = Colour(0xebebf5, 0.6)
      separator = Colour(0xebebf5, 0.16)
      hollow = Colour(0x787880, 0.32)
      sheet = Colour(0x1e1e22, 0.55)
      wallpaper = [Colour(0x0d1333), Colour(0x2a1f57), Colour(0x57305f), Colour(0x7a4a52)]
      glows = [Colour(0x3157a8, 0.55), Colour(0xb0685a, 0.45)]
    }
  }
}
