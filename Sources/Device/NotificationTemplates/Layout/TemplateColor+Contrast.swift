extension TemplateColor {
  package static let black = TemplateColor(rgb: 0x000000)
  package static let white = TemplateColor(rgb: 0xFFFFFF)

  /// The contrast with another opaque color, from 1 to 21 (WCAG 2.2, "contrast ratio").
  package func contrast(with other: TemplateColor) -> Double {
    let (light, dark) = (max(luminance, other.luminance), min(luminance, other.luminance))
    return (light + 0.05) / (dark + 0.05)
  }

  /// The relative luminance (WCAG 2.2).
  private var luminance: Double {
    // A polynomial for sRGB's curve, at most 0.002 away from it, because the standard library has no powers.
    func linear(_ part: UInt8) -> Double {
      let value = Double(part) / 255
      return value * (value * (value * 0.305_306_011 + 0.682_171_111) + 0.012_522_878)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The opaque color that this one makes over another.
  package func over(_ other: TemplateColor) -> TemplateColor {
    func mix(_ top: UInt8, _ bottom: UInt8) -> UInt8 {
      let part = Double(alpha) / 255
      return UInt8((Double(top) * part + Double(bottom) * (1 - part)).rounded())
    }
    return TemplateColor(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }

  /// The least contrast of text and its background (WCAG 2.2, level AA).
  package static let leastContrast = 4.5

  /// The first of some colors that can be read on a background; black or white if none can.
  static func readable(
    _ colors: [TemplateColor?], on background: TemplateColor
  ) -> TemplateColor {
    readable(colors, on: [background])
  }

  /// The first of some colors that can be read on all of several backgrounds; if none can, black or white, whichever has more
  /// contrast.
  static func readable(
    _ colors: [TemplateColor?], on backgrounds: [TemplateColor]
  ) -> TemplateColor {
    func contrast(_ color: TemplateColor) -> Double {
      backgrounds.map { color.contrast(with: $0) }.min() ?? 21
    }
    for color in colors.compactMap(\.self) {
      let opaque = backgrounds.first.map(color.over) ?? color
      if contrast(opaque) >= leastContrast { return opaque }
    }
    return contrast(.black) >= contrast(.white) ? .black : .white
  }
}

/// The colors of a template in one appearance; all can be read on the background.
package struct TemplatePalette: Hashable, Sendable {
  package var background: TemplateColor
  package var title: TemplateColor
  package var body: TemplateColor
  package var accent: TemplateColor
  let isDark: Bool

  init(_ style: TemplateStyle, isDark: Bool) {
    let system = TemplateColor(rgb: isDark ? 0x1C1C1E : 0xFFFFFF)
    let background = (style.background[isDark]?.over(system)) ?? system
    self.background = background
    self.isDark = isDark
    title = .readable(
      [style.title[isDark], isDark ? .white : .black], on: background)
    body = .readable(
      [style.body[isDark], TemplateColor(rgb: isDark ? 0xAEAEB2 : 0x6C6C70)], on: background)
    accent = .readable(
      [style.accent[isDark], TemplateColor(rgb: isDark ? 0x409CFF : 0x0040DD)], on: background)
  }

  /// The text's own color if it can be read, or else the given one.
  func color(
    _ colors: TemplateColors, or color: TemplateColor, on background: TemplateColor? = nil
  ) -> TemplateColor {
    .readable([colors[isDark], color], on: background ?? self.background)
  }
}

extension TemplateColors {
  /// The color of an appearance.
  package subscript(isDark: Bool) -> TemplateColor? { isDark ? dark : light }
}
