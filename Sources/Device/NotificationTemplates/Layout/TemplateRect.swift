/// A size in points.
package struct TemplateSize: Hashable, Sendable {
  package var width: Double
  package var height: Double

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

/// A rectangle in points, from the top left.
package struct TemplateRect: Hashable, Sendable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package var maxX: Double { x + width }
  package var maxY: Double { y + height }

  /// Whether a point is inside; the right and the bottom edge are outside.
  func contains(x: Double, y: Double) -> Bool {
    self.x <= x && x < maxX && self.y <= y && y < maxY
  }

  /// The rectangle at the same distance from the other side of a view.
  func mirrored(in width: Double) -> TemplateRect {
    TemplateRect(x: width - maxX, y: y, width: self.width, height: height)
  }
}
