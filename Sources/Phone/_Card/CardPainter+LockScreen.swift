import NotificationCards

extension CardPainter {
  /// The time and date above the notification, those of Apple's own pictures.
  private static let clock = "9:41"
  private static let date = "Tuesday 9 September"
  /// The height of a lock screen without its lower part, in points.
  private static let lockScreenHeight = 430.0

  /// The notification on the lock screen: the date and the clock on top, the notification at the bottom.
  func lockScreen(_ card: NotificationCard) -> Block {
    let isGlass = style.look == .iOS26
    let date = labels.layout(
      Self.date, .init(size: 19, weight: 500), width: width, lines: 1)
    let clock = labels.layout(
      Self.clock, .init(size: isGlass ? 112 : 96, weight: isGlass ? 500 : 600), width: width,
      lines: 1)
    let notification = collapsed(card)
    let top = 24 + date.height + clock.height
    let height = max(Self.lockScreenHeight, top + 24 + notification.height)
    return Block(height: height) { canvas, origin in
      var y = origin.y + 24
      date.drawLabel(
        on: canvas, at: Point(x: origin.x + (width - date.width) / 2, y: y), palette.onWallpaper)
      y += date.height
      var color = palette.onWallpaper
      // The wallpaper is seen through digits of glass.
      if isGlass { color.alpha = 0.7 }
      clock.drawLabel(
        on: canvas, at: Point(x: origin.x + (width - clock.width) / 2, y: y), color)
      notification.draw(
        canvas, Point(x: origin.x, y: origin.y + height - notification.height))
    }
  }
}
