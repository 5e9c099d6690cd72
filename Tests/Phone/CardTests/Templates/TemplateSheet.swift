import NotificationCards
import NotificationTemplates
import Testing

@testable import _Card

/// One picture of a template at three text sizes in both directions, light above dark.
struct TemplateSheet {
  static let textSizes: [TemplateTextSize] = [.large, .xxxLarge, .accessibility5]
  /// The width of the screen in points.
  private static let width = 393.0
  private static let space = 16.0

  /// The pictures that all sheets show: wide, high and square.
  let pictures: [TemporaryFile]

  init() throws {
    let sizes = [(320.0, 200.0), (160, 240), (200, 200)]
    let skies: [UInt32] = [0x64B5FF, 0xFFB347, 0x9A8CFF]
    pictures = try zip(sizes, skies).map { size, sky in
      try TemporaryFile(Self.landscape(width: size.0, height: size.1, sky: Color(sky)))
    }
  }

  /// A picture in four colors, so that the sheets are small.
  private static func landscape(width: Double, height: Double, sky: Color) throws -> [UInt8] {
    let canvas = try Canvas(width: width, height: height, scale: 1)
    canvas.path(Rect(x: 0, y: 0, width: width, height: height))
    canvas.fill(sky)
    canvas.path(circleAt: Point(x: width * 0.72, y: height * 0.28), radius: height * 0.14)
    canvas.fill(Color(0xFFF3C4))
    for (peak, color) in [(0.3, 0x2E7D4F), (0.68, 0x1B5E3A)] as [(Double, UInt32)] {
      canvas.path(polygon: [
        Point(x: width * (peak - 0.45), y: height), Point(x: width * peak, y: height * 0.45),
        Point(x: width * (peak + 0.45), y: height),
      ])
      canvas.fill(Color(color))
    }
    return try canvas.png()
  }

  /// Draws the first face of a kind in every style.
  func png(_ kind: TemplateKind, scale: Double = 1) throws -> [UInt8] {
    try FontLock.withLock {
      let cache = PictureCache()
      let rows = try [CardStyle.Appearance.light, .dark].map { appearance in
        try [false, true].flatMap { isRightToLeft in
          try Self.textSizes.map { textSize in
            let style = CardStyle(
              scale: scale, width: Self.width, appearance: appearance, textSize: textSize,
              isRightToLeft: isRightToLeft)
            let painter = CardPainter(style, width: Self.width - 2 * CardStyle.margin, cache)
            let sample = TemplateSample(
              kind: kind, isArabic: isRightToLeft, pictures: pictures.map(\.path))
            return try #require(painter.expanded(sample.card()).first)
          }
        }
      }
      let height = rows.reduce(Self.space) { $0 + Self.height($1) }
      let columns = Double(rows[0].count)
      let canvas = try Canvas(
        width: columns * (Self.width - 20 + Self.space) + Self.space, height: height, scale: scale)
      var y = Self.space
      for (row, color) in zip(rows, [Color(0xC9D6EE), Color(0x2A2F45)]) {
        canvas.path(
          Rect(x: 0, y: y - Self.space, width: 9999, height: Self.height(row) + Self.space))
        canvas.fill(color)
        var x = Self.space
        for column in row {
          var top = y
          for block in column {
            block.draw(canvas, Point(x: x, y: top))
            top += block.height + 12
          }
          x += Self.width - 20 + Self.space
        }
        y += Self.height(row)
      }
      return try canvas.png()
    }
  }

  private static func height(_ row: [[Block]]) -> Double {
    (row.map { $0.reduce(0) { $0 + $1.height + 12 } }.max() ?? 0) + space - 12
  }
}
