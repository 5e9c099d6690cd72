import NotificationCards

extension CardPainter {
  /// The visible height of each card of a stack below the one above it, in points.
  private static let step = 8.0

  /// The newest notification of a thread on a stack of `count` earlier ones, and their number.
  func stacked(_ card: NotificationCard, moreThan count: Int) -> Block {
    let top = collapsed(card)
    let sheets = min(count, 2)
    let label = type.layout(
      count == 1 ? "1 more from \(card.appName)" : "\(count) more from \(card.appName)",
      .init(size: 12.5, weight: 500), width: width - 2 * Self.padding, lines: 1)
    let height = top.height + Self.step * Double(sheets) + label.height + 6
    return Block(height: height) { canvas, origin in
      // The lowest first: each is a little narrower, and only its lower edge is visible.
      for sheet in stride(from: sheets, to: 0, by: -1) {
        let inset = 10 * Double(sheet)
        let rect = Rect(
          x: origin.x + inset, y: origin.y + Self.step * Double(sheet), width: width - 2 * inset,
          height: top.height)
        let above = Rect(
          x: rect.x - 10, y: rect.y - Self.step, width: rect.width + 20, height: rect.height)
        canvas.path(above, radius: radius)
        canvas.clippedOutside(of: rect.inset(by: -40)) {
          canvas.path(rect, radius: radius)
          canvas.fill(palette.sheet)
        }
      }
      top.draw(canvas, origin)
      label.drawLabel(
        on: canvas,
        at: Point(
          x: origin.x + (width - label.width) / 2, y: origin.y + height - label.height),
        palette.onWallpaper)
    }
  }
}
