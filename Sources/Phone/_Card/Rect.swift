/// A rectangle in points, from the top left.
struct Rect: Hashable {
  var x, y, width, height: Double

  var maxX: Double { x + width }
  var maxY: Double { y + height }
  var midX: Double { x + width / 2 }
  var midY: Double { y + height / 2 }

  func inset(by distance: Double) -> Rect {
    Rect(
      x: x + distance, y: y + distance, width: width - 2 * distance, height: height - 2 * distance)
  }
}

struct Point: Hashable {
  var x, y: Double
}
