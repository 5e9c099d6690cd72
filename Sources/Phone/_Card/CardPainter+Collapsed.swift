import NotificationCards
import NotificationTemplates

extension CardPainter {
  static let padding = 14.0
  static let iconSide = 38.0
  static let textInset = padding + iconSide + 11
  private static let thumbnailSide = 44.0

  /// The notification in the list: up to four lines of body, and a thumbnail at the trailing edge.
  func collapsed(_ card: NotificationCard) -> Block {
    let thumbnail = card.attachments.first.flatMap { $0.thumbnailHidden ? nil : $0 }
    let text = textColumn(
      card, width: width - Self.textInset - Self.padding,
      trailing: thumbnail == nil ? 0 : Self.thumbnailSide + 10, limited: true)
    // The thumbnail is below the time, so a short text begins at the top beside it.
    let least = thumbnail == nil ? text.height : max(text.height, Self.thumbnailSide + 18)
    let height = max(least, Self.iconSide) + 25
    return Block(height: height) { canvas, origin in
      let rect = Rect(x: origin.x, y: origin.y, width: width, height: height)
      platter(on: canvas, rect)
      icon(
        card, on: canvas,
        placed(
          Rect(
            x: rect.x + Self.padding, y: rect.midY - Self.iconSide / 2, width: Self.iconSide,
            height: Self.iconSide), in: rect))
      let textTop = rect.midY - least / 2
      text.draw(canvas, Point(x: textX(in: rect), y: textTop))
      if let thumbnail {
        // Below the time, in the middle of the space beside the other lines.
        let isLarge = style.textSize.isAccessibility
        let top = textTop + 18 * (isLarge ? style.textSize.factor : 1)
        let room = rect.maxY - 12 - top
        tile(
          thumbnail, on: canvas,
          placed(
            Rect(
              x: rect.maxX - Self.padding - Self.thumbnailSide,
              y: top + max(0, min(room - Self.thumbnailSide, 30)) / 2,
              width: Self.thumbnailSide, height: Self.thumbnailSide), in: rect))
      }
    }
  }

  /// The left edge of a platter's text column.
  func textX(in rect: Rect) -> Double {
    rect.x + (style.isRightToLeft ? Self.padding : Self.textInset)
  }

  /// The title with the time, subtitle and body, one below the other.
  ///
  /// Without a title the app's name is in its place, so that the sender is visible.
  func textColumn(
    _ card: NotificationCard, width: Double, trailing: Double, limited: Bool
  ) -> Block {
    let time = type.layout(card.time, .init(size: 12.5), width: width * 0.5, lines: 1)
    let mark = card.isTimeSensitive ? timeSensitiveMark(width: width - time.width - 10) : nil
    let title = type.layout(
      card.title.isEmpty ? card.appName : card.title, .init(size: 15.5, weight: 600),
      // The time is in the first line.
      width: width - (mark == nil ? time.width + 10 : trailing), lines: limited ? 1 : 6)
    let top = mark.map { $0.height + 1.5 } ?? 0
    var lines: [(layout: TextLayout, y: Double)] = []
    var y = top + title.height + 1.5
    for (text, weight, maximumLines) in [
      (card.subtitle, UInt32(500), limited ? 1 : 6), (card.body, 400, limited ? 4 : 120),
    ] where !text.isEmpty {
      let layout = type.layout(
        text, .init(size: 15, weight: weight), width: width - trailing, lines: maximumLines)
      lines.append((layout, y))
      y += layout.height + 1.5
    }
    let height = y - 1.5
    return Block(height: height) { canvas, origin in
      let column = Rect(x: origin.x, y: origin.y, width: width, height: height)
      func draw(_ label: TextLayout, atX x: Double, y: Double, in color: Color) {
        let place = Rect(x: x, y: origin.y + y, width: label.width, height: label.height)
        label.drawLabel(
          on: canvas, at: Point(x: placed(place, in: column).x, y: place.y), color)
      }
      if let mark { draw(mark, atX: column.x, y: 0, in: palette.secondary) }
      draw(title, atX: column.x, y: top, in: palette.primary)
      draw(time, atX: column.maxX - time.width, y: mark == nil ? 1.5 : 0, in: palette.secondary)
      let x = origin.x + (style.isRightToLeft ? trailing : 0)
      for line in lines {
        line.layout.draw(on: canvas, at: Point(x: x, y: origin.y + line.y), palette.primary)
      }
    }
  }

  /// The line above the title of a notification that is shown at once.
  func timeSensitiveMark(width: Double) -> TextLayout {
    type.layout("TIME SENSITIVE", .init(size: 11.5, weight: 600), width: width, lines: 1)
  }

  func icon(_ card: NotificationCard, on canvas: Canvas, _ rect: Rect) {
    if case .file(let path) = card.icon.source,
      let picture = picture(path, longestSide: rect.width)
    {
      canvas.path(rect, radius: rect.width * 0.235)
      canvas.clipped { picture.draw(on: canvas, filling: rect) }
    } else {
      let colors = Self.monogramColors(card.appName)
      canvas.path(rect, radius: rect.width * 0.235)
      canvas.fill(
        Gradient(
          from: Point(x: rect.x, y: rect.y), to: Point(x: rect.x, y: rect.maxY), colors))
      let letter = card.appName.first.map { String($0).uppercased() } ?? "•"
      // An icon is as large at every text size.
      let layout = labels.layout(
        letter, .init(size: rect.width * 0.54, weight: 600), width: rect.width * 2, lines: 1)
      layout.drawLabel(
        on: canvas,
        at: Point(x: rect.midX - layout.width / 2, y: rect.midY - layout.height / 2), .white)
    }
  }

  /// Two colors chosen by a hash (FNV-1a) of the app's name.
  private static func monogramColors(_ name: String) -> [Color] {
    let pairs: [(UInt32, UInt32)] = [
      (0xff7a6b, 0xe5383b), (0xffb347, 0xf3722c), (0xffd75e, 0xe0a100), (0x6fdc8c, 0x1e9e57),
      (0x5fd6d3, 0x0f8f9c), (0x64b5ff, 0x1d6fe0), (0x9a8cff, 0x5b3fd6), (0xff8fc7, 0xd6338a),
    ]
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let pair = pairs[Int((hash >> 32) % UInt64(pairs.count))]
    return [Color(pair.0), Color(pair.1)]
  }
}
