package import NotificationCards

/// A renderer of notifications as iOS shows them on the lock screen.
package struct CardRenderer: Sendable {
  private let style: CardStyle
  private let pictures: PictureCache

  /// Makes a renderer.
  ///
  /// - Parameters:
  ///   - style: The look of the cards.
  ///   - pictures: The cache of decoded pictures; renderers may share one.
  package init(_ style: CardStyle = CardStyle(), pictures: PictureCache = PictureCache()) {
    self.style = style
    self.pictures = pictures
  }

  /// Whether the content of a picture file is damaged, so that it cannot be drawn.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: `false` for a file that is too large to be decoded here.
  package static func isDamaged(picture path: String) -> Bool { Bitmap.isDamaged(file: path) }

  /// Reads the size of a picture in pixels from its header; `nil` if it cannot be read.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: The width and the height of the picture as shown, after the rotation that the file asks for.
  package static func pixelSize(ofPicture path: String) -> (width: Int, height: Int)? {
    Bitmap.pixelSize(ofFile: path)
  }

  /// Draws the views one above the other on a wallpaper, as a PNG; the pages of a template side by side.
  ///
  /// The same card, style and files give the same bytes on a machine with the same fonts.
  ///
  /// - Parameters:
  ///   - card: The notification.
  ///   - views: The presentations of the notification, from top to bottom.
  /// - Returns: The bytes of the file.
  /// - Throws: ``CardError``, but not for a medium that cannot be read, which becomes an empty tile.
  package func png(
    _ card: NotificationCard, _ views: [NotificationCard.View] = [.collapsed, .expanded]
  ) throws(CardError) -> [UInt8] {
    try FontLock.withLock { () throws(CardError) in try canvas(card, views) }.png()
  }

  /// Draws the views as ``png(_:_:)`` does, as a JPEG of quality 92, and 75 with one pixel a point.
  ///
  /// It is encoded in a twentieth of the time, into a quarter of the bytes. A picture with one pixel a point is a first
  /// look, for which a person waits while typing.
  package func jpeg(
    _ card: NotificationCard, _ views: [NotificationCard.View] = [.collapsed, .expanded]
  ) throws(CardError) -> [UInt8] {
    try FontLock.withLock { () throws(CardError) in try canvas(card, views) }
      .jpeg(quality: style.scale > 1 ? 92 : 75)
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
    let margin = CardStyle.margin
    let gap = Self.gap
    let painter = CardPainter(style, width: style.width - 2 * margin, pictures)
    let rows = views.map { view -> [[Block]] in
      switch view.raw {
      case .collapsed: [[painter.collapsed(card)]]
      case .banner: [[painter.banner(card)]]
      case .lockScreen: [[painter.lockScreen(card)]]
      case .stacked(let count): [[painter.stacked(card, moreThan: count)]]
      case .expanded: painter.expanded(card)
      case .expandedInColumn: [painter.inColumn(painter.expanded(card), gap: gap)]
      case .expandedWithoutTemplate: painter.expanded(card.withoutTemplate)
      }
    }
    let heights = rows.map { row in row.map(Self.height(of:)).max() ?? 0 }
    let height = heights.reduce(2 * margin + 8 + gap * Double(rows.count - 1), +).rounded(.up)
    let columns = rows.map(\.count).max() ?? 1
    let width = style.width + Double(columns - 1) * (painter.width + gap)
    let canvas = try Canvas(width: width, height: height, scale: style.scale)
    let wallpaper = PictureCache.Key.wallpaper(
      style.appearance, width: canvas.pixelWidth, height: canvas.pixelHeight, scale: style.scale)
    if let drawn = pictures.bitmap(wallpaper) {
      canvas.fill(drawn)
    } else {
      painter.wallpaper(on: canvas, Rect(x: 0, y: 0, width: width, height: height))
      canvas.bitmap.map { pictures.insert($0, for: wallpaper) }
    }
    var y = margin + 4
    for (row, height) in zip(rows, heights) {
      for (number, column) in row.enumerated() {
        let distance = margin + Double(number) * (painter.width + gap)
        let x = style.isRightToLeft ? width - distance - painter.width : distance
        Self.draw(column, on: canvas, at: Point(x: x, y: y))
      }
      y += height + gap
    }
    return canvas
  }

  /// The space between two blocks.
  fileprivate static let gap = 12.0

  fileprivate static func height(of column: [Block]) -> Double {
    column.reduce(gap * Double(column.count - 1)) { $0 + $1.height }
  }

  fileprivate static func draw(_ column: [Block], on canvas: Canvas, at origin: Point) {
    var y = origin.y
    for block in column {
      block.draw(canvas, Point(x: origin.x, y: y))
      y += block.height + gap
    }
  }
}

extension CardPainter {
  /// The first of several columns, and the others at half its size below it, two in a row.
  fileprivate func inColumn(_ columns: [[Block]], gap: Double) -> [Block] {
    var result = columns.first ?? []
    let scale = (width - gap) / 2 / width
    var rest = columns.dropFirst()
    while !rest.isEmpty {
      let row = rest.prefix(2)
      rest = rest.dropFirst(2)
      let height = row.map(CardRenderer.height(of:)).max() ?? 0
      result.append(
        Block(height: height * scale) { canvas, origin in
          for (number, column) in row.enumerated() {
            let left = number == (style.isRightToLeft ? 1 : 0)
            let x = origin.x + (left ? 0 : width * scale + gap)
            canvas.scaled(by: scale, at: Point(x: x, y: origin.y)) {
              CardRenderer.draw(column, on: canvas, at: Point(x: 0, y: 0))
            }
          }
        })
    }
    return result
  }
}

/// A part of the picture with a known height, drawn once its position is known.
struct Block {
  let height: Double
  let draw: (_ canvas: Canvas, _ origin: Point) -> Void
}

/// A painter of the parts of one card, with its style, fonts and pictures.
struct CardPainter {
  let style: CardStyle
  let palette: Palette
  let type: Typesetter
  /// Sets texts whose fonts have the text size already, or do not follow it.
  let labels: Typesetter
  /// The width of the platter, in points.
  let width: Double
  private let pictures: PictureCache

  init(_ style: CardStyle, width: Double, _ pictures: PictureCache) {
    self.pictures = pictures
    self.style = style
    self.width = width
    palette = Palette(style.appearance, style.look)
    type = Typesetter(
      family: style.fontFamily, factor: style.textSize.factor, isRightToLeft: style.isRightToLeft)
    labels = Typesetter(family: style.fontFamily, isRightToLeft: style.isRightToLeft)
  }

  /// The radius of a notification's corners, in points.
  var radius: Double { style.look == .iOS26 ? 28 : 22 }

  /// The size of a picture in pixels.
  func pixelSize(ofPicture path: String) -> (width: Int, height: Int)? {
    pictures.pixelSize(ofFile: path)
  }

  /// A rectangle of a left-to-right layout, mirrored within `whole` in a right-to-left style.
  func placed(_ rect: Rect, in whole: Rect) -> Rect {
    guard style.isRightToLeft else { return rect }
    var mirrored = rect
    mirrored.x = whole.x + whole.maxX - rect.maxX
    return mirrored
  }

  /// The picture in a file, decoded for a space whose longest side has `points`.
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

  /// Draws the translucent background of a notification, with a soft shadow around it.
  func platter(on canvas: Canvas, _ rect: Rect) {
    let spread = 14
    canvas.path(rect, radius: radius)
    canvas.clippedOutside(of: rect.inset(by: -Double(spread) - 10)) {
      for step in 0..<spread {
        var shadow = rect.inset(by: -Double(step) * 0.9)
        shadow.y += 3
        canvas.path(shadow, radius: radius + Double(step) * 0.9)
        canvas.fill(Color(0x000000, 0.006))
      }
    }
    canvas.path(rect, radius: radius)
    canvas.fill(palette.platter)
    guard style.look == .iOS26 else { return }
    // The edge of glass catches the light from above.
    canvas.path(rect.inset(by: 0.5), radius: radius - 0.5)
    canvas.stroke(palette.rim, width: 1)
  }
}
