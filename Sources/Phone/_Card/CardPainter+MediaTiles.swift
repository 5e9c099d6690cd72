import NotificationCards

extension CardPainter {
  /// Draws an attachment as a thumbnail.
  func tile(
    _ attachment: NotificationCard.Attachment, on canvas: Canvas, _ rect: Rect, radius: Double = 7
  ) {
    let side = min(rect.width, rect.height)
    canvas.path(rect, radius: radius)
    canvas.clipped {
      switch attachment.kind {
      case .audio:
        canvas.path(rect)
        canvas.fill(Self.audioGradient(rect))
        let wave = Rect(x: rect.midX - side / 2, y: rect.midY - side / 2, width: side, height: side)
        waveform(
          of: attachment.name, bars: 7, on: canvas, wave.inset(by: side * 0.22), color: .white)
      case .video:
        let poster = attachment.posterPath.flatMap { picture($0, longestSide: rect.width * 2) }
        still(poster, part: attachment.thumbnailClippingRect, on: canvas, rect)
        playMark(on: canvas, Point(x: rect.midX, y: rect.midY), radius: side * 0.25)
      default:
        // A clipped part is a small piece of the picture, which has to be decoded at a higher resolution.
        let detail = attachment.thumbnailClippingRect == nil ? 2.0 : 8.0
        guard let picture = picture(attachment.path, longestSide: rect.width * detail) else {
          return emptyPlace("", on: canvas, rect)
        }
        picture.draw(on: canvas, filling: rect, part: attachment.thumbnailClippingRect)
      }
    }
    canvas.path(rect.inset(by: 0.25), radius: radius)
    canvas.stroke(Color(0x000000, 0.10), width: 0.5)
  }

  /// Draws an expanded video: its poster, a play button and its length.
  func film(
    _ attachment: NotificationCard.Attachment, poster: Picture?, on canvas: Canvas, _ rect: Rect
  ) {
    still(poster, part: nil, on: canvas, rect)
    playMark(on: canvas, Point(x: rect.midX, y: rect.midY), radius: 29)
    guard let seconds = attachment.durationSeconds else { return }
    let label = type.layout(
      Self.clock(seconds), .init(size: 12.5, weight: 600), width: 100, lines: 1)
    let pill = Rect(
      x: rect.maxX - label.width - 26, y: rect.maxY - label.height - 16, width: label.width + 14,
      height: label.height + 6)
    canvas.path(pill, radius: pill.height / 2)
    canvas.fill(Color(0x000000, 0.5))
    label.drawLabel(on: canvas, at: Point(x: pill.x + 7, y: pill.y + 3), .white)
  }

  /// Draws an expanded sound: a play button, a waveform, its name and its length.
  func player(_ attachment: NotificationCard.Attachment, on canvas: Canvas, _ rect: Rect) {
    canvas.path(rect)
    canvas.fill(Self.audioGradient(rect))
    let button = Point(x: rect.x + 42, y: rect.midY)
    canvas.path(circleAt: button, radius: 24)
    canvas.fill(Color(0xffffff, 0.22))
    playTriangle(on: canvas, button, size: 11, .white)

    let column = Rect(x: rect.x + 84, y: rect.y, width: rect.width - 102, height: rect.height)
    let time = type.layout(
      attachment.durationSeconds.map(Self.clock) ?? "", .init(size: 12.5, weight: 500), width: 100,
      lines: 1)
    let name = type.layout(
      attachment.name.isEmpty ? "Audio" : attachment.name, .init(size: 14, weight: 600),
      width: column.width - time.width - 8, lines: 1)
    name.drawLabel(on: canvas, at: Point(x: column.x, y: rect.y + 15), .white)
    time.drawLabel(
      on: canvas,
      at: Point(x: column.maxX - time.width, y: rect.y + 15 + (name.height - time.height) / 2),
      Color(0xffffff, 0.8))
    waveform(
      of: attachment.name, bars: Int(column.width / 5), on: canvas,
      Rect(x: column.x, y: rect.y + 40, width: column.width, height: 30),
      color: Color(0xffffff, 0.9))
  }

  /// Draws the empty tile of a picture that cannot be read.
  func emptyPlace(_ name: String, on canvas: Canvas, _ rect: Rect) {
    canvas.path(rect)
    canvas.fill(palette.hollow)
    let side = min(rect.width, rect.height) * (name.isEmpty ? 0.5 : 0.3)
    let label = type.layout(name, .init(size: 12.5), width: rect.width - 40, lines: 1)
    let lift = name.isEmpty ? 0 : label.height / 2 + 3
    let frame = Rect(
      x: rect.midX - side / 2, y: rect.midY - side * 0.4 - lift, width: side, height: side * 0.8)
    canvas.path(frame, radius: side * 0.12)
    canvas.stroke(palette.secondary, width: max(1, side * 0.05))
    canvas.path(frame.inset(by: side * 0.025), radius: side * 0.1)
    canvas.clipped {
      canvas.path(
        circleAt: Point(x: frame.x + side * 0.28, y: frame.y + side * 0.26), radius: side * 0.085)
      canvas.fill(palette.secondary)
      canvas.path(polygon: [
        Point(x: frame.x, y: frame.maxY), Point(x: frame.x + side * 0.34, y: frame.y + side * 0.42),
        Point(x: frame.x + side * 0.52, y: frame.y + side * 0.6),
        Point(x: frame.x + side * 0.7, y: frame.y + side * 0.36),
        Point(x: frame.maxX, y: frame.y + side * 0.66), Point(x: frame.maxX, y: frame.maxY),
      ])
      canvas.fill(palette.secondary)
    }
    guard !name.isEmpty else { return }
    label.drawLabel(
      on: canvas, at: Point(x: rect.midX - label.width / 2, y: frame.maxY + 8), palette.secondary)
  }

  func still(
    _ poster: Picture?, part: NotificationCard.Attachment.UnitRect?, on canvas: Canvas, _ rect: Rect
  ) {
    if let poster {
      poster.draw(on: canvas, filling: rect, part: part)
      canvas.path(rect)
      canvas.fill(Color(0x000000, 0.12))
    } else {
      canvas.path(rect)
      canvas.fill(
        Gradient(
          from: Point(x: rect.x, y: rect.y), to: Point(x: rect.maxX, y: rect.maxY),
          [Color(0x3b4358), Color(0x171a24)]))
    }
  }

  func playMark(on canvas: Canvas, _ centre: Point, radius: Double) {
    canvas.path(circleAt: centre, radius: radius)
    canvas.fill(Color(0xffffff, 0.92))
    playTriangle(on: canvas, centre, size: radius * 0.46, Color(0x1c1c22))
  }

  private func playTriangle(on canvas: Canvas, _ centre: Point, size: Double, _ color: Color) {
    // The triangle's centre of mass is to the left of its middle, so it is moved to the right.
    let x = centre.x + size * 0.14
    canvas.path(polygon: [
      Point(x: x - size * 0.78, y: centre.y - size), Point(x: x + size * 0.94, y: centre.y),
      Point(x: x - size * 0.78, y: centre.y + size),
    ])
    canvas.fill(color)
  }

  /// Draws bars that look like sound; the same name gives the same bars.
  private func waveform(
    of name: String, bars: Int, on canvas: Canvas, _ rect: Rect, color: Color
  ) {
    var state = name.utf8.reduce(UInt64(88_172_645_463_325_252)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    let step = rect.width / Double(bars)
    for bar in 0..<bars {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      let noise = Double(state % 1000) / 1000
      let place = Double(bar) / Double(max(1, bars - 1)) * 2 - 1
      let height = rect.height * (0.22 + 0.78 * noise * (1 - 0.55 * place * place))
      let x = rect.x + step * Double(bar) + step * 0.2
      canvas.path(
        Rect(x: x, y: rect.midY - height / 2, width: step * 0.6, height: height), radius: step * 0.3
      )
      canvas.fill(color)
    }
  }

  private static func audioGradient(_ rect: Rect) -> Gradient {
    Gradient(
      from: Point(x: rect.x, y: rect.y), to: Point(x: rect.maxX, y: rect.maxY),
      [Color(0xff5f8f), Color(0xa24bdb)])
  }

  /// A length as `1:05` or `1:00:00`, up to 99:59:59.
  static func clock(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? Int(max(0, min(seconds, 359_999)).rounded()) : 0
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return hours > 0 ? "\(hours):\(padded(minutes)):\(padded(rest))" : "\(minutes):\(padded(rest))"
  }
}
