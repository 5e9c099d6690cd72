import NotificationCards
import Foundation
import NotificationTemplates
import Testing

@testable import _Card

/// The pixels of a card at one pixel per point: the platter spans 10 to 383, the text column 73 to 369.
private func pixels(
  _ card: NotificationCard, _ views: [NotificationCard.View] = [.collapsed]
) throws -> Pixels {
  try Pixels(png: CardRenderer(CardStyle(scale: 1)).png(card, views))
}

/// A picture whose left half is red and right half blue.
func redAndBlue() throws -> TemporaryFile {
  let canvas = try Canvas(width: 200, height: 100, scale: 1)
  canvas.path(Rect(x: 0, y: 0, width: 100, height: 100))
  canvas.fill(Color(0xff0000))
  canvas.path(Rect(x: 100, y: 0, width: 100, height: 100))
  canvas.fill(Color(0x0000ff))
  return try TemporaryFile(canvas.png())
}

private let red = Pixels.Color(red: 255, green: 0, blue: 0)
private let blue = Pixels.Color(red: 0, green: 0, blue: 255)

@Suite("Card: text", .timeLimit(.minutes(10)))
struct CardTextTests {
  @Test("the same card gives the same bytes, and its size follows the scale")
  func deterministic() throws {
    for scale in [1.0, 2, 3] {
      let renderer = CardRenderer(CardStyle(scale: scale))
      let first = try renderer.png(Sample.image, [.collapsed])
      #expect(try renderer.png(Sample.image, [.collapsed]) == first)
      #expect(try Pixels(png: first).width == Int((393 * scale).rounded(.up)))
    }
  }

  @Test("cards drawn by many threads at the same time have the bytes of cards drawn alone")
  func concurrent() async throws {
    let samples = [Sample.image, Sample.video, Sample.audio, Sample.broken, Sample.scripts]
    let renderer = CardRenderer(CardStyle(scale: 1))
    let alone = try samples.map { try renderer.png($0) }
    try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
      for turn in 0..<40 {
        let index = turn % samples.count
        group.addTask { try (index, renderer.png(samples[index])) }
      }
      for try await (index, bytes) in group { #expect(bytes == alone[index]) }
    }
  }

  @Test("the time is an input")
  func time() throws {
    var later = Sample.image
    later.time = "9:42"
    let renderer = CardRenderer()
    #expect(
      try renderer.png(later, [.collapsed]) != renderer.png(Sample.image, [.collapsed]))
  }

  @Test(
    "fonts for every script are installed, and its letters are drawn",
    arguments: [
      "Latin ÄÖÅ ß", "Ελληνικά", "Кириллица", "Հայերեն", "עברית", "العربية", "हिन्दी क्षत्रिय",
      "বাংলা", "தமிழ்", "తెలుగు", "ไทย", "ລາວ", "ភាសាខ្មែរ", "မြန်မာ", "ქართული", "አማርኛ", "中文漢字",
      "日本語かな", "한국어", "👍🏽👩‍🚀🏳️‍🌈🇪🇺",
    ])
  func scripts(_ text: String) throws {
    let missing = FontLock.withLock {
      Typesetter(family: "Inter").layout(text, .init(size: 15), width: 300, lines: 4).missingGlyphs
    }
    #expect(missing == 0)
    let with = try pixels(NotificationCard(appName: "App", title: "Title", body: text))
    let without = try pixels(NotificationCard(appName: "App", title: "Title", body: " "))
    let region = 52..<(with.height - 16)
    let differing = region.reduce(0) { sum, y in
      sum
        + (73..<369).count {
          y >= without.height || with[$0, y].distance(to: without[$0, y]) > 60
        }
    }
    #expect(differing > 60)
  }

  @Test("a title that is too long for its line is cut at the margin")
  func longTitle() throws {
    let long = String(repeating: "Wide words without an end ", count: 20)
    let card = try pixels(NotificationCard(appName: "App", title: long, body: "Body"))
    #expect(card.ink(x: 370..<382, y: 20..<(card.height - 20)).isEmpty)
    #expect(!card.ink(x: 340..<369, y: 36..<54).isEmpty)
    let short = try pixels(NotificationCard(appName: "App", title: "Short", body: "Body"))
    #expect(card.height == short.height)
  }

  @Test("a word longer than the line is broken, not cut")
  func longWord() throws {
    let word = String(repeating: "a", count: 120)
    let card = try pixels(NotificationCard(appName: "App", title: "T", body: word))
    #expect(card.ink(x: 370..<382, y: 20..<(card.height - 20)).isEmpty)
    let lines = FontLock.withLock {
      Typesetter(family: "Inter").layout(word, .init(size: 15), width: 296, lines: 9).lineCount
    }
    #expect(lines > 2)
  }

  @Test("the collapsed card has at most four lines of body, the expanded one all")
  func bodyLines() throws {
    func height(_ lines: Int, _ view: NotificationCard.View) throws -> Int {
      let body = (1...lines).map { "Line \($0)" }.joined(separator: "\n")
      return try pixels(NotificationCard(appName: "App", title: "T", body: body), [view]).height
    }
    #expect(try height(3, .collapsed) < height(4, .collapsed))
    #expect(try height(4, .collapsed) == height(5, .collapsed))
    #expect(try height(4, .collapsed) == height(60, .collapsed))
    #expect(try height(4, .expanded) < height(5, .expanded))
    #expect(try height(20, .expanded) < height(60, .expanded))
  }

  @Test("four paragraphs fit; with a fifth the fourth ends in an ellipsis")
  func paragraphs() throws {
    func width(_ text: String) -> Double {
      FontLock.withLock {
        Typesetter(family: "Inter").layout(text, .init(size: 15), width: 296, lines: 4).width
      }
    }
    #expect(width("a\nb\nc\nd") < width("a\nb\nc\nd\ne"))
    #expect(width("a\nb\nc\nd") == width("a\nb\nc\nd\n\n"))
  }

  @Test("right-to-left text is aligned right, other text left")
  func direction() throws {
    func edges(_ body: String) throws -> (left: Int, right: Int) {
      let card = try pixels(NotificationCard(appName: "App", title: "", body: body))
      // Below the line with the app's name and the time.
      let ink = card.ink(x: 73..<369, y: 48..<(card.height - 16)).map(\.x)
      return (ink.min() ?? 0, ink.max() ?? 0)
    }
    for text in ["مرحبا", "שלום"] {
      let edges = try edges(text)
      #expect(edges.right > 360 && edges.left > 300)
    }
    let edges = try edges("Hello")
    #expect(edges.left < 78 && edges.right < 130)
  }

  @Test("control characters and very long texts are drawn without an error")
  func hostileText() throws {
    let control = String(String.UnicodeScalarView((0..<0x20).compactMap(Unicode.Scalar.init)))
    let zalgo = "a" + String(repeating: "\u{0301}", count: 2000)
    let lines = String(repeating: "\n", count: 4000) + "end"
    for text in [control, zalgo, lines, String(repeating: "W", count: 100_000), "\u{202e}txt", ""] {
      let card = NotificationCard(
        appName: text, time: text, title: text, subtitle: text, body: text, actions: [text])
      #expect(throws: Never.self) { try CardRenderer().png(card) }
    }
  }

  @Test("a card without texts is drawn")
  func empty() throws {
    #expect(try pixels(NotificationCard(appName: "")).height > 60)
  }
}

@Suite("Card: media", .timeLimit(.minutes(10)))
struct CardMediaTests {
  private func card(_ attachment: NotificationCard.Attachment) -> NotificationCard {
    NotificationCard(appName: "App", title: "Title", body: "Body", attachments: [attachment])
  }

  @Test("the thumbnail is at the trailing edge and shows the middle of the picture")
  func thumbnail() throws {
    let file = try redAndBlue()
    let card = try pixels(card(.init(path: file.path, kind: .image)))
    let y = card.height / 2 + 6
    #expect(card[330, y].distance(to: red) < 8)
    #expect(card[364, y].distance(to: blue) < 8)
    #expect(card[322, y].distance(to: red) > 60)
  }

  @Test("a clipping rectangle chooses the part that the thumbnail shows")
  func clippedThumbnail() throws {
    let file = try redAndBlue()
    for (x, color) in [(0.0, red), (0.5, blue)] {
      let part = NotificationCard.Attachment.UnitRect(x: x, y: 0, width: 0.5, height: 1)
      let card = try pixels(
        card(.init(path: file.path, kind: .image, thumbnailClippingRect: part)))
      let y = card.height / 2 + 6
      #expect(card[330, y].distance(to: color) < 8)
      #expect(card[364, y].distance(to: color) < 8)
    }
  }

  @Test(
    "a clipping rectangle outside of the picture is no error",
    arguments: [
      (-1, -1, 0.5, 0.5), (2, 2, 1, 1), (0, 0, 0, 0), (.nan, 0, 1, 1), (0, 0, .infinity, 1),
      (0.999, 0.999, 1, 1),
    ] as [(Double, Double, Double, Double)])
  func oddClipping(x: Double, y: Double, width: Double, height: Double) throws {
    let file = try redAndBlue()
    let part = NotificationCard.Attachment.UnitRect(x: x, y: y, width: width, height: height)
    #expect(throws: Never.self) {
      try pixels(card(.init(path: file.path, kind: .image, thumbnailClippingRect: part)))
    }
  }

  @Test("a hidden thumbnail leaves its space to the text; the expanded card shows the picture")
  func hiddenThumbnail() throws {
    let file = try redAndBlue()
    let hidden = card(.init(path: file.path, kind: .image, thumbnailHidden: true))
    let without = NotificationCard(appName: "App", title: "Title", body: "Body")
    #expect(try pixels(hidden).difference(from: pixels(without)) == 0)
    let expanded = try pixels(hidden, [.expanded])
    #expect(expanded[60, 80].distance(to: red) < 8)
    #expect(expanded[330, 80].distance(to: blue) < 8)
    #expect(expanded[11, 80].distance(to: red) < 40, "edge to edge")
  }

  @Test("a video shows its poster under a play button, and without a poster a dark tile")
  func video() throws {
    let poster = try redAndBlue()
    let withPoster = try pixels(
      card(.init(path: media("gold.mp4"), kind: .video, posterPath: poster.path)), [.expanded])
    #expect(withPoster[60, 60].distance(to: red) < 40)
    let without = try pixels(card(.init(path: media("gold.mp4"), kind: .video)), [.expanded])
    #expect(without[60, 60].lightness < 90)
    for (picture, middle) in [(withPoster, 14 + 373 / 4), (without, 14 + 373 * 9 / 32)] {
      #expect(picture[196 - 22, middle].lightness > 220, "the disc")
      #expect(picture[196, middle].lightness < 60, "the triangle")
    }
  }

  @Test("a sound is drawn as a player with its name, length and waveform")
  func audio() throws {
    let named = try pixels(
      card(.init(path: "", kind: .audio, name: "Song", durationSeconds: 65)), [.expanded])
    let other = try pixels(card(.init(path: "", kind: .audio)), [.expanded])
    #expect(named[14, 60].red > 200 && named[14, 60].green < 140)
    #expect(named.difference(from: other) > 0.005)
  }

  @Test(
    "a length is written in hours, minutes and seconds",
    arguments: [
      (0.0, "0:00"), (2.5, "0:03"), (65, "1:05"), (3600, "1:00:00"), (-4, "0:00"), (.nan, "0:00"),
      (.infinity, "0:00"), (1e300, "99:59:59"),
    ])
  func clock(_ seconds: Double, _ text: String) {
    #expect(CardPainter.clock(seconds) == text)
  }

  @Test("an animation is drawn as its first frame")
  func animation() throws {
    let card = try pixels(card(.init(path: media("cloudy.gif"), kind: .image)), [.expanded])
    #expect(card[30, 40].blue > 200 && card[30, 40].red < 120)
  }

  @Test("a file that is no picture is drawn as an empty tile")
  func broken() throws {
    let picture = try [UInt8](Data(contentsOf: URL(fileURLWithPath: media("picture.png"))))
    let halfHeader = try TemporaryFile(Array(picture.prefix(20)))
    let empty = try TemporaryFile([])
    let vector = try TemporaryFile(
      Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".utf8))
    let reference = try pixels(card(.init(path: "/no/such/file.png", kind: .image)))
    for path in [
      media("not-an-image.png"), halfHeader.path, empty.path, vector.path, bomb.path, "/tmp",
      "/dev/zero", "",
    ] {
      let card = try pixels(card(.init(path: path, kind: .image)))
      #expect(card.difference(from: reference) == 0, "\(path)")
      #expect(throws: Never.self) {
        try pixels(self.card(.init(path: path, kind: .video, posterPath: path)), [.expanded])
      }
    }
  }

  @Test("a truncated picture is no error")
  func cutOff() throws {
    for name in ["picture.png", "photo.jpg", "cloudy.gif"] {
      let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: media(name))))
      for part in [10, 100, bytes.count / 2, bytes.count - 1] {
        let file = try TemporaryFile(Array(bytes.prefix(part)), name: name)
        #expect(throws: Never.self) {
          try pixels(card(.init(path: file.path, kind: .image)), [.collapsed, .expanded])
        }
      }
    }
  }

  /// A PNG whose header announces 60,000 by 60,000 pixels.
  private let bomb: TemporaryFile

  init() throws {
    bomb = try TemporaryFile(
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        + [0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60, 8, 6, 0, 0, 0, 0x4f, 0x7e, 0x02, 0x19])
  }

  @Test(
    "a picture of up to 64 million pixels is decoded, a larger one is not",
    arguments: [
      (8000, 8000, true), (8000, 8001, false), (64_000_000, 1, true), (64_000_001, 1, false),
      (0, 8, false), (8, 0, false), (-1, 8, false), (Int.max, Int.max, false),
    ])
  func pixelLimit(width: Int, height: Int, expected: Bool) {
    #expect(Bitmap.isDecoded(width: width, height: height) == expected)
  }

  @Test("a file over the size limit of iOS is not opened")
  func byteLimit() throws {
    let picture = try [UInt8](Data(contentsOf: URL(fileURLWithPath: media("picture.png"))))
    let padding = [UInt8](repeating: 0, count: Bitmap.maximumBytes - picture.count)
    let largest = try TemporaryFile(picture + padding)
    let tooLarge = try TemporaryFile(picture + padding + [0])
    #expect(Bitmap(file: largest.path, longestSide: 100) != nil)
    #expect(Bitmap(file: tooLarge.path, longestSide: 100) == nil)
  }

  @Test(
    "a picture is decoded once until its file is replaced, within the cache's limit")
  func cache() throws {
    let file = try redAndBlue()
    let one = try #require(Bitmap(file: file.path, longestSide: 200)).bytes
    let cache = PictureCache(maximumBytes: one.count * 2)
    for side in [200, 201, 200] {
      #expect(cache.bitmap(file: file.path, longestSide: side)?.bytes.count == one.count)
    }
    #expect(cache.bytes == one.count * 2)
    // The least recently used one is removed.
    _ = cache.bitmap(file: file.path, longestSide: 202)
    #expect(cache.bytes == one.count * 2)
    try Data(contentsOf: URL(fileURLWithPath: media("picture.png")))
      .write(to: URL(fileURLWithPath: file.path))
    #expect(cache.bitmap(file: file.path, longestSide: 200)?.bytes != one)
    try FileManager.default.removeItem(atPath: file.path)
    #expect(cache.bitmap(file: file.path, longestSide: 100) == nil)
    #expect(PictureCache(maximumBytes: 1).bitmap(file: bomb.path, longestSide: 100) == nil)
  }

  @Test("a cache changes no byte of the picture", arguments: [1.0, 2.0])
  func cachedBytes(scale: Double) throws {
    let cache = PictureCache()
    let style = CardStyle(scale: scale, appearance: .dark)
    let fresh = try CardRenderer(style).png(Sample.image)
    for _ in 1...2 {
      #expect(try CardRenderer(style, pictures: cache).png(Sample.image) == fresh)
    }
    #expect(cache.bytes > 0)
  }

  @Test("the JPEG of a card shows the same picture as the PNG")
  func jpeg() throws {
    let card = NotificationCard(appName: "App", title: "Title", body: "Body")
    let renderer = CardRenderer(CardStyle(scale: 1))
    let file = try TemporaryFile(try renderer.jpeg(card))
    let original = try TemporaryFile(try renderer.png(card))
    let (shown, wanted) = (
      try #require(Bitmap(file: file.path, longestSide: 2000)),
      try #require(Bitmap(file: original.path, longestSide: 2000))
    )
    #expect(shown.width == wanted.width && shown.height == wanted.height)
    let apart = zip(shown.bytes, wanted.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(Double(apart) / Double(wanted.bytes.count) < 4)
  }

  @Test("the icon is drawn from its file, and as a monogram where the file cannot be read")
  func icon() throws {
    let file = try redAndBlue()
    let withIcon = try pixels(NotificationCard(appName: "App", icon: .png(file.path), title: "T"))
    let y = withIcon.height / 2
    #expect(withIcon[30, y].distance(to: red) < 8)
    #expect(withIcon[55, y].distance(to: blue) < 8)
    let unreadable = NotificationCard(appName: "App", icon: .png("/none"), title: "T")
    let monogram = NotificationCard(appName: "App", title: "T")
    #expect(try pixels(unreadable).difference(from: pixels(monogram)) == 0)
  }
}

@Suite("Card: style")
struct CardStyleTests {
  @Test("a style outside of the limits is an error")
  func unusable() {
    for style in [
      CardStyle(scale: 0), CardStyle(scale: .nan), CardStyle(scale: 5), CardStyle(width: 10),
      CardStyle(width: .infinity),
    ] {
      #expect {
        try CardRenderer(style).png(Sample.image)
      } throws: {
        ($0 as? CardError)?.code == .styleUnusable
      }
    }
  }

  @Test("a picture over the size limit is an error that suggests a smaller scale")
  func tooLarge() {
    #expect {
      try CardRenderer(CardStyle(scale: 4)).png(
        Sample.image, Array(repeating: .expanded, count: 40))
    } throws: {
      guard let error = $0 as? CardError else { return false }
      return error.code == .tooLarge && error.message.contains("smaller scale")
    }
  }

  @Test("a larger text size gives a higher card")
  func textSize() throws {
    let sizes: [CardStyle.TextSize] = [
      .xSmall, .small, .medium, .large, .xLarge, .xxLarge, .xxxLarge,
    ]
    let heights = try sizes.map {
      try Pixels(png: CardRenderer(.init(scale: 1, textSize: $0)).png(Sample.image)).height
    }
    #expect(heights == heights.sorted() && Set(heights).count > 4)
  }

  @Test("right to left the icon and the text are at the right, the thumbnail at the left")
  func rightToLeft() throws {
    let file = try redAndBlue()
    let card = NotificationCard(
      appName: "App", icon: .png(file.path), title: "T",
      attachments: [.init(path: file.path, kind: .image)])
    let picture = try Pixels(
      png: CardRenderer(.init(scale: 1, isRightToLeft: true)).png(card, [.collapsed]))
    #expect(picture[336, picture.height / 2].distance(to: red) < 8)
    #expect(picture[363, picture.height / 2].distance(to: blue) < 8)
    #expect(picture[30, picture.height / 2 + 6].distance(to: red) < 8)
    let ink = picture.ink(x: 80..<322, y: 16..<(picture.height - 16)).map(\.x)
    #expect((ink.min() ?? 0) > 290)
  }

  @Test("the light appearance is light and the dark one dark")
  func appearance() throws {
    let light = try Pixels(png: CardRenderer(.init(scale: 1)).png(Sample.audio))
    let dark = try Pixels(png: CardRenderer(.init(scale: 1, appearance: .dark)).png(Sample.audio))
    #expect(light[200, 16].lightness > 180 && dark[200, 16].lightness < 80)
  }

  @Test("a banner is lower than the collapsed card; without a title it shows the app's name")
  func banner() throws {
    func pixels(_ card: NotificationCard, _ view: NotificationCard.View) throws -> Pixels {
      try Pixels(png: CardRenderer(CardStyle(scale: 1)).png(card, [view]))
    }
    #expect(try pixels(Sample.image, .banner).height < pixels(Sample.image, .collapsed).height)
    var untitled = Sample.image
    untitled.title = ""
    var named = untitled
    named.title = untitled.appName
    #expect(try pixels(untitled, .banner).difference(from: pixels(named, .banner)) == 0)
  }

  @Test("a stack shows at most two cards below the first, and a stack of one is the collapsed card")
  func stack() throws {
    func height(_ view: NotificationCard.View) throws -> Int {
      try Pixels(png: CardRenderer(CardStyle(scale: 1)).png(Sample.image, [view])).height
    }
    #expect(NotificationCard.View.stacked(on: 0) == .collapsed)
    let heights = try [0, 1, 2, 1000].map { try height(.stacked(on: $0)) }
    #expect(heights[0] < heights[1] && heights[1] < heights[2] && heights[2] == heights[3])
  }
}
