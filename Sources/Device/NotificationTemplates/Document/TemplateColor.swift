/// A color in sRGB.
package struct TemplateColor: Hashable, Sendable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8
  package var alpha: UInt8 = 255

  package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Makes an opaque color of 24 bits, the red in the highest; higher bits are ignored.
  package init(rgb: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
      blue: UInt8(truncatingIfNeeded: rgb))
  }

  /// Reads six hexadecimal digits, or eight with the alpha last; `#` may precede them.
  package init?(hex: String) {
    var digits = hex[...].utf8
    if digits.first == UInt8(ascii: "#") { digits = digits.dropFirst() }
    guard digits.count == 6 || digits.count == 8 else { return nil }
    var number: UInt32 = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt32(digit & 15)
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        number = number << 4 | UInt32((digit & 7) + 9)
      default: return nil
      }
    }
    self.init(rgb: digits.count == 8 ? number >> 8 : number)
    if digits.count == 8 { alpha = UInt8(truncatingIfNeeded: number) }
  }

  /// The color as ``init(hex:)`` reads it: `#1C1C1E`, with the alpha if it is not opaque.
  package var hex: String {
    let parts = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
    return parts.reduce(into: "#") { text, part in
      let digits = String(part, radix: 16, uppercase: true)
      text += digits.utf8.count < 2 ? "0" + digits : digits
    }
  }
}

/// A color for light and for dark appearance; `nil` for the system's.
package struct TemplateColors: Hashable, Sendable {
  package var light: TemplateColor?
  package var dark: TemplateColor?

  package init(light: TemplateColor? = nil, dark: TemplateColor? = nil) {
    self.light = light
    self.dark = dark
  }

  package var isEmpty: Bool { light == nil && dark == nil }
}

/// The colors of a template.
package struct TemplateStyle: Hashable, Sendable {
  package var background = TemplateColors()
  package var title = TemplateColors()
  package var body = TemplateColors()
  /// The color of the parts that a person acts on: stars, the dots of pages.
  package var accent = TemplateColors()
}

/// The line around a picture or a box.
package struct TemplateBorder: Hashable, Sendable {
  package var colors = TemplateColors()
  /// The thickness in points.
  package var width = 0.0
}

/// A change from one color to another.
package struct TemplateGradient: Hashable, Sendable {
  package var from: TemplateColor
  package var to: TemplateColor
  /// The direction in degrees: 0 from left to right, 90 from bottom to top.
  package var degrees = 90.0
  package var isRadial = false
}

/// The look of a button or of the box around a countdown.
package struct TemplateBox: Hashable, Sendable {
  package var text = TemplateColors()
  package var background = TemplateColors()
  package var gradient: TemplateGradient?
  package var border = TemplateBorder()
  /// The radius of the corners in points.
  package var corner = 0.0
}
