/// Draws notifications as the lock screen shows them.
package struct CardRenderer: Sendable {
  private let style: CardStyle
  private let pictures: PictureCache

  /// Pictures are decoded once for all renderers that share `pictures`.
  package init(_ style: CardStyle = CardStyle(), pictures: PictureCache = PictureCache()) {
    self.style = style
    self.pictures = pictures
  }

  /// A PNG of the views, one above the other on a wallpaper.
  ///
  /// The same card, style and files give the same bytes, on a machine with the same fonts.
  ///
  /// - Throws: `CardError`, never because of a medium: one that cannot be read is an empty tile.
  package func png(
    _ card: NotificationCard, _ views: [NotificationCard.View] = [.collapsed, .expanded]
  ) throws(CardError) -> [UInt8] {
    try canvas(card, views).png()
  }

  /// The same as a JPEG: encoded in a twentieth of the time, into a quarter of the bytes.
  ///
  /// - Throws: `CardError`, as ``png(_:_:)`` does.
  package func jpeg(
    _ card: NotificationCard, _ views: [NotificationCard.View] = [.collapsed, .expanded]
  ) throws(CardError) -> [UInt8] {
    try canvas(card, views).jpeg(quality: 92)
  }

  private func canvas(
    _ card: NotificationCard, _ views: [NotificationCard.View]
  ) throws(CardError) -> Canvas {
    guard (1...4).contains(style.scale), (200...1000).contains(style.width), !views.isEmpty
    else {
      throw CardError(
        code: .styleUnusable,
        message: "a card has a scale of 1 to 4, a width of 200 to 1000 points and at least one view"
      )
    }
    let margin = 10.0
    let gap = 12.0
    let painter = CardPainter(style, width: style.width - 2 * margin, pictures)
    let blocks = views.flatMap { view -> [Block] in
      switch view.raw {
      case .collapsed: [painter.collapsed(card)]
      case .banner: [painter.banner(card)]
      case .stacked(let count): [painter.stacked(card, moreThan: count)]
      case .expanded: painter.expanded(card)
      }
    }
    let height = blocks.reduce(2 * margin + 8 + gap * Double(blocks.count - 1)) { $0 + $1.height }
      .rounded(.up)
    let canvas = try Canvas(width: style.width, height: height, scale: style.scale)
    let wallpaper = PictureCache.Key.wallpaper(
      style.appearance, width: canvas.pixelWidth, height: canvas.pixelHeight, scale: style.scale)
    if let drawn = pictures.bitmap(wallpaper) {
      canvas.fill(drawn)
    } else {
      painter.wallpaper(on: canvas, Rect(x: 0, y: 0, width: style.width, height: height))
      canvas.bitmap.map { pictures.keep($0, wallpaper) }
    }
    var y = margin + 4
    for block in blocks {
      block.draw(canvas, Point(x: margin, y: y))
      y += block.height + gap
    }
    return canvas
  }
}

/// A measured part of the picture, drawn at a place that is known only when all are measured.
struct Block {
  let height: Double
  let draw: (_ canvas: Canvas, _ origin: Point) -> Void
}

/// What all parts share while one picture is made.
struct CardPainter {
  let style: CardStyle
  let palette: Palette
  let type: Typesetter
  /// Of the platter.
  let width: Double
  private let pictures: PictureCache

  static let radius = 24.0

  init(_ style: CardStyle, width: Double, _ pictures: PictureCache) {
    self.pictures = pictures
    self.style = style
    self.width = width
    palette = Palette(style.appearance)
    type = Typesetter(
      family: style.fontFamily, factor: style.textSize.factor, isRightToLeft: style.isRightToLeft)
  }

  /// A place written for left to right, where the style has it in `whole`.
  func placed(_ rect: Rect, in whole: Rect) -> Rect {
    guard style.isRightToLeft else { return rect }
    var mirrored = rect
    mirrored.x = whole.x + whole.maxX - rect.maxX
    return mirrored
  }

  /// A picture for a place of that many points.
  func picture(_ path: String, longestSide points: Double) -> Picture? {
    pictures.bitmap(file: path, longestSide: Int((points * style.scale).rounded(.up)))
      .flatMap(Picture.init)
  }

  func wallpaper(on canvas: Canvas, _ rect: Rect) {
    canvas.path(rect)
    canvas.fill(
      Gradient(
        from: Point(x: rect.x, y: rect.y), to: Point(x: rect.maxX, y: rect.maxY), palette.wallpaper)
    )
    let places = [
      Point(x: rect.width * 0.88, y: rect.height * 0.06),
      Point(x: rect.width * 0.06, y: rect.height * 0.92),
    ]
    for (place, glow) in zip(places, palette.glows) {
      var clear = glow
      clear.alpha = 0
      canvas.path(rect)
      canvas.fill(Gradient(at: place, radius: rect.width * 0.85, [glow, clear]))
    }
  }

  /// The translucent sheet a notification lies on, with a soft shadow around it.
  func platter(on canvas: Canvas, _ rect: Rect) {
    let spread = 14
    canvas.path(rect, radius: Self.radius)
    canvas.clippedOutside(of: rect.inset(by: -Double(spread) - 10)) {
      for step in 0..<spread {
        var shadow = rect.inset(by: -Double(step) * 0.9)
        shadow.y += 3
        canvas.path(shadow, radius: Self.radius + Double(step) * 0.9)
        canvas.fill(Colour(0x000000, 0.006))
      }
    }
    canvas.path(rect, radius: Self.radius)
    canvas.fill(palette.platter)
  }
}
