import NotificationCards

extension CardPainter {
  private static let bannerIconSide = 34.0
  private static let bannerThumbnailSide = 40.0

  /// The notification over an app in use: no app name, and up to two lines of body.
  func banner(_ card: NotificationCard) -> Block {
    let thumbnail = card.attachments.first.flatMap { $0.thumbnailHidden ? nil : $0 }
    let inset = Self.padding + Self.bannerIconSide + 11
    let column = width - inset - Self.padding
    let time = type.layout(card.time, .init(size: 12.5), width: column * 0.5, lines: 1)
    let mark = card.isTimeSensitive ? timeSensitiveMark(width: column - time.width - 10) : nil
    let bodyWidth = column - (thumbnail == nil ? 0 : Self.bannerThumbnailSide + 10)
    // Without a title the banner shows the app's name, so that its sender is visible.
    let title = type.layout(
      card.title.isEmpty ? card.appName : card.title, .init(size: 15, weight: 600),
      width: mark == nil ? column - time.width - 10 : bodyWidth, lines: 1)
    let texts = [(card.subtitle, 500, 1), (card.body, 400, 2)].filter { !$0.0.isEmpty }
      .map { type.layout($0.0, .init(size: 15, weight: $0.1), width: bodyWidth, lines: $0.2) }
    let textHeight = texts.reduce(title.height + (mark.map { $0.height + 1.5 } ?? 0)) {
      $0 + $1.height + 1.5
    }
    let least = thumbnail == nil ? Self.bannerIconSide : Self.bannerThumbnailSide + 16
    let height = max(textHeight, least) + 24
    return Block(height: height) { canvas, origin in
      let rect = Rect(x: origin.x, y: origin.y, width: width, height: height)
      platter(on: canvas, rect)
      let side = Self.bannerIconSide
      icon(
        card, on: canvas,
        placed(
          Rect(x: rect.x + Self.padding, y: rect.midY - side / 2, width: side, height: side),
          in: rect))
      var y = rect.midY - textHeight / 2
      func draw(_ label: TextLayout, atX x: Double, in color: Color) {
        let place = Rect(x: x, y: y, width: label.width, height: label.height)
        label.drawLabel(on: canvas, at: Point(x: placed(place, in: rect).x, y: y), color)
      }
      // The time is in the first line.
      draw(time, atX: rect.maxX - Self.padding - time.width, in: palette.secondary)
      if let mark {
        draw(mark, atX: rect.x + inset, in: palette.secondary)
        y += mark.height + 1.5
      }
      draw(title, atX: rect.x + inset, in: palette.primary)
      y += title.height + 1.5
      let body = placed(
        Rect(x: rect.x + inset, y: y, width: bodyWidth, height: textHeight), in: rect)
      for text in texts {
        text.draw(on: canvas, at: Point(x: body.x, y: y), palette.primary)
        y += text.height + 1.5
      }
      if let thumbnail {
        let side = Self.bannerThumbnailSide
        let top = rect.midY - textHeight / 2 + title.height
        let place = Rect(
          x: rect.maxX - Self.padding - side, y: min(top + 2, rect.maxY - 12 - side),
          width: side, height: side)
        tile(thumbnail, on: canvas, placed(place, in: rect))
      }
    }
  }
}
