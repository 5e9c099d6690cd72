import NotificationCards
import NotificationTemplates

extension TemplateTextSize {
  /// The factor by which text is larger than usual, measured by the body style.
  var factor: Double {
    TemplateFont(.body, self).size / TemplateFont(.body, .large).size
  }
}

/// A color with components from 0 to 1.
struct Color: Hashable {
  var red, green, blue, alpha: Double

  init(_ hex: UInt32, _ alpha: Double = 1) {
    red = Double(hex >> 16 & 255) / 255
    green = Double(hex >> 8 & 255) / 255
    blue = Double(hex & 255) / 255
    self.alpha = alpha
  }

  static let white = Color(0xffffff)
}

/// The colors of an appearance.
struct Palette {
  let platter, primary, secondary, separator, hollow: Color
  /// The color of the edge of glass.
  let rim: Color
  /// The color of the lower cards of a stack.
  let sheet: Color
  /// The color of text on the wallpaper.
  let onWallpaper = Color(0xffffff, 0.92)
  /// The colors of the gradient, from the top left to the bottom right.
  let wallpaper: [Color]
  /// The colors of two soft lights on the wallpaper.
  let glows: [Color]

  init(_ appearance: CardStyle.Appearance, _ look: CardStyle.Look) {
    let isGlass = look == .iOS26
    switch appearance.raw {
    case .light:
      platter = isGlass ? Color(0xffffff, 0.68) : Color(0xf4f4f8, 0.86)
      rim = Color(0xffffff, 0.55)
      primary = Color(0x0b0b0f)
      secondary = Color(0x3c3c43, isGlass ? 0.78 : 0.66)
      separator = Color(0x3c3c43, 0.16)
      hollow = Color(0x787880, 0.16)
      sheet = Color(0xfbfbfd, 0.5)
      wallpaper = [Color(0x5b7fd9), Color(0x9a86d8), Color(0xe79ab4), Color(0xf7c59f)]
      glows = [Color(0xbfe3ff, 0.75), Color(0xffe1c4, 0.7)]
    case .dark:
      platter = isGlass ? Color(0x16161a, 0.62) : Color(0x252529, 0.86)
      rim = Color(0xffffff, 0.16)
      primary = Color(0xffffff)
      secondary = Color(0xebebf5, 0.6)
      separator = Color(0xebebf5, 0.16)
      hollow = Color(0x787880, 0.32)
      sheet = Color(0x1e1e22, 0.55)
      wallpaper = [Color(0x0d1333), Color(0x2a1f57), Color(0x57305f), Color(0x7a4a52)]
      glows = [Color(0x3157a8, 0.55), Color(0xb0685a, 0.45)]
    }
  }
}
