/// A part of a path.
package enum Segment: Hashable, Sendable {
  case move(Double, Double)
  case line(Double, Double)
  /// A cubic Bézier curve by its two control points and its end.
  case curve(Double, Double, Double, Double, Double, Double)
  case close
}

/// The color or the gradient with which a path is filled.
package enum Paint: Sendable {
  /// A color by its components, 0…1.
  package struct Color: Hashable, Sendable {
    let red: Double
    let green: Double
    let blue: Double
    let alpha: Double

    package init(red: Double, green: Double, blue: Double, alpha: Double) {
      (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }
  }

  /// A color at a place of a gradient, 0…1.
  package struct Stop: Hashable, Sendable {
    let offset: Double
    let color: Color

    package init(offset: Double, color: Color) { (self.offset, self.color) = (offset, color) }
  }

  case color(Color)
  /// A gradient from one point to another one.
  case gradient([Stop], from: (Double, Double), to: (Double, Double))
}
