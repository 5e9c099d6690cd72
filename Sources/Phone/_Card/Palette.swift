import NotificationCards
import NotificationTemplates

extension TemplateTextSize {
  /// The factor by which text is larger than usual, measured by the body style.
  var factor: Double {
    TemplateFont(.body, self).size / TemplateFont(.body, .large).size
  }
}

/// A colour with components from 0 to 1.
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
  /// The colour of the edge of glass.
  let rim: Colour
  /// The colour of the lower cards of a stack.
  let sheet: Colour
  /// The colour of text on the wallpaper.
  let onWallpaper = Colour(0xffffff, 0.92)
  /// The colours of the gradient, from the top left to the bottom right.
  let wallpaper: [Colour]
  /// The colours of two soft lights on the wallpaper.
  let glows: [Colour]

  init(_ appearance: CardStyle.Appearance, _ look: CardStyle.Look) {
    let isGlass = look == .iOS26
    switch appearance.raw {
    case .light:
      platter = isGlass ? Colour(0xffffff, 0.68) : Colour(0xf4f4f8, 0.86)
      rim = Colour(0xffffff, 0.55)
      primary = Colour(0x0b0b0f)
      secondary = Colour(0x3c3c43, isGlass ? 0.78 : 0.66)
      separator = Colour(0x3c3c43, 0.16)
      hollow = Colour(0x787880, 0.16)
      sheet = Colour(0xfbfbfd, 0.5)
      wallpaper = [Colour(0x5b7fd9), Colour(0x9a86d8), Colour(0xe79ab4), Colour(0xf7c59f)]
      glows = [Colour(0xbfe3ff, 0.75), Colour(0xffe1c4, 0.7)]
    case .dark:
      platter = isGlass ? Colour(0x16161a, 0.62) : Colour(0x252529, 0.86)
      rim = Colour(0xffffff, 0.16)
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
