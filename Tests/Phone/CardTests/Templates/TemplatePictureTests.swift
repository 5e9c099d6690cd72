@testable import NotificationTemplates
import NotificationCards
import PushPayload
import Testing

@testable import _Card

/// A picture in one color.
private func plain(_ hex: UInt32, width: Double = 60, height: Double = 60) throws -> TemporaryFile {
  let canvas = try Canvas(width: width, height: height, scale: 1)
  canvas.path(Rect(x: 0, y: 0, width: width, height: height))
  canvas.fill(Color(hex))
  return try TemporaryFile(canvas.png())
}

private let red = Pixels.Color(red: 255, green: 0, blue: 0)
private let blue = Pixels.Color(red: 0, green: 0, blue: 255)
private let white = Pixels.Color(red: 255, green: 255, blue: 255)

@Suite("Card: the pixels of templates", .timeLimit(.minutes(10)))
struct TemplatePictureTests {
  private let first: TemporaryFile
  private let second: TemporaryFile

  init() throws {
    (first, second) = (try plain(0xFF0000), try plain(0x0000FF))
  }

  private func card(
    _ json: JSONValue, files: [String: String], buttons: [ExpandedTemplate.Button] = []
  ) throws -> NotificationCard {
    let payload: JSONValue = ["aps": ["category": "x"], "_martlet": ["template": json]]
    let template = try #require(TemplateTable.standard.read(payload, delivered: 0).template)
    var card = NotificationCard(appName: "App", title: "Title", body: "Body")
    card.template = ExpandedTemplate(template, files: files, buttons: buttons, now: 0)
    return card
  }

  private func carousel(pages: Int = 2) throws -> NotificationCard {
    let pages = (0..<pages).map { ["media": ["id": .string("\($0)"), "url": "u"]] as JSONValue }
    return try card(
      ["kind": "carousel", "aspect": 0.5, "wraps": false, "pages": .array(pages)],
      files: Dictionary(
        uniqueKeysWithValues: pages.indices.map {
          ("\($0)", $0 == 0 ? first.path : second.path)
        }))
  }

  private func pixels(
    _ card: NotificationCard, _ views: [NotificationCard.View] = [.expanded],
    isRightToLeft: Bool = false
  ) throws -> Pixels {
    let style = CardStyle(scale: 1, isRightToLeft: isRightToLeft)
    return try Pixels(png: CardRenderer(style).png(card, views))
  }

  @Test("pages are side by side, the first at the leading side")
  func sideBySide() throws {
    for (isRightToLeft, left, right) in [(false, red, blue), (true, blue, red)] {
      let picture = try pixels(carousel(), isRightToLeft: isRightToLeft)
      #expect(picture.width == 393 + 373 + 12)
      // The middle of the pictures, below a header of at most 50.
      #expect(picture[10 + 186, 120] == left && picture[10 + 373 + 12 + 186, 120] == right)
    }
  }

  @Test("in a column further pages are small below the first, in a picture as wide as a phone")
  func inColumn() throws {
    let wide = try pixels(carousel(pages: 4))
    for isRightToLeft in [false, true] {
      let picture = try pixels(
        carousel(pages: 4), [.expandedInColumn], isRightToLeft: isRightToLeft)
      #expect(picture.width == 393 && wide.width == 393 + 3 * 385)
      #expect(picture[196, 120] == red)
      // Pages 2 and 3, then 4 alone at the leading side.
      let (leading, trailing) = isRightToLeft ? (290, 100) : (100, 290)
      let columns = [leading, trailing].map { x in
        (0..<picture.height).count { picture[x, $0] == blue }
      }
      #expect(columns[0] > 150 && columns[1] > 75 && columns[0] > columns[1] + 75)
    }
  }

  @Test("one page is as wide as a phone, and the other views are not changed")
  func others() throws {
    var plain = try carousel()
    let views: [NotificationCard.View] = [.banner, .collapsed, .stacked(on: 2)]
    let with = try CardRenderer().png(plain, views)
    plain.template = nil
    #expect(try CardRenderer().png(plain, views) == with)
    let text = try card(["kind": "text", "texts": ["title": "T"]], files: [:])
    #expect(try pixels(text).width == 393)
    #expect(try pixels(text, [.expanded]).height == pixels(text, [.expandedInColumn]).height)
  }

  @Test("a picture covers its place or is wholly in it, has its corners and its border")
  func fit() throws {
    let high = try plain(0xFF0000, width: 30, height: 60)
    func banner(_ media: [String: JSONValue]) throws -> Pixels {
      let media = media.merging(["id": "m", "url": "u"]) { $1 }
      return try pixels(card(["kind": "banner", "media": .object(media)], files: ["m": high.path]))
    }
    let middle = 150
    let fill = try banner([:])
    #expect(fill[12, middle] == red && fill[380, middle] == red)
    // As high as the layout allows, 1.25 of 373, and half as wide as high.
    let fit = try banner(["fit": "fit"])
    #expect(fit[12, middle] == white && fit[380, middle] == white && fit[196, middle] == red)
    let row = (0..<393).count { fit[$0, middle] == red }
    #expect(abs(row - 233) <= 2)
    let border = try banner(["border": ["light": "#0000FF", "width": 10]])
    #expect(border[14, middle] == blue && border[30, middle] == red)
    let corner = try banner(["corner": 40])
    #expect(corner[12, middle] == red)
    #expect((50..<70).contains { corner[12, $0] == white })
  }

  @Test("a medium that cannot be read is an empty place, and one that is a movie has a play button")
  func unreadable() throws {
    let media: JSONValue = ["id": "m", "url": "https://a.example/m.jpg"]
    let empty = try pixels(card(["kind": "banner", "media": media], files: ["m": ""]))
    #expect(
      try empty.difference(from: pixels(card(["kind": "banner", "media": media], files: [:]))) == 0)
    #expect(empty[196, 150] != red)
    let film: JSONValue = ["id": "f", "url": "https://a.example/m.mp4"]
    var movie = try card(["kind": "media", "media": film], files: ["f": first.path])
    let dark = try pixels(movie)
    #expect(movie.template?.movies == ["f": first.path])
    movie.template?.posters["f"] = first.path
    let poster = try pixels(movie)
    // The poster is square, the place of a movie without one is 16:9; both have the button in the middle.
    #expect(poster.height > dark.height + 100)
    #expect(poster[40, 200].red > 200 && dark[40, 200].red < 100)
  }

  @Test("below a template are its own buttons, or those of the category that work in its state")
  func buttons() throws {
    func titles(_ json: [String: JSONValue], page: Int = 0) throws -> [String] {
      let pages: JSONValue = [
        ["media": ["id": "a", "url": "a"]], ["media": ["id": "b", "url": "b"]],
      ]
      let all = json.merging(["kind": "carousel", "wraps": false, "pages": pages]) { $1 }
      let card = try card(
        .object(all), files: ["a": "", "b": ""],
        buttons: [.init(id: "n", title: "Next one"), .init(id: "z", title: "Other")])
      let expanded = try #require(card.template)
      var state = TemplateState()
      state.page = page
      let environment = TemplateEnvironment(width: 373, now: 0)
      return expanded.buttons(
        in: TemplateLayout(
          expanded.template, state: state, in: environment, measuring: PangoTextMeasurer()))
    }
    #expect(try titles([:]) == ["Next one", "Other"])
    let known: JSONValue = [["id": "n", "effect": "next"]]
    #expect(try titles(["actions": known]) == ["Next one", "Other"])
    #expect(try titles(["actions": known], page: 1) == ["Other"])
    let own: JSONValue = [
      ["id": "n", "title": "Forward", "effect": "next"], ["id": "p", "effect": "dismiss"],
    ]
    #expect(try titles(["actions": own]) == ["Next one", "Other"])
    #expect(try titles(["actions": own], page: 1) == ["Other"])
    let more: JSONValue = .array((0..<4).map { ["id": .string("m\($0)"), "title": "M"] })
    #expect(try titles(["actions": more]) == ["Next one", "Other", "M", "M"])
  }

  @Test("every kind of part leaves pixels in its place")
  func parts() throws {
    let style = CardStyle(scale: 1)
    let media = TemplateMedia(id: "m", url: "https://a.example/m.jpg")
    var sound = TemplateMedia(id: "s", url: "https://a.example/s.mp3")
    sound.kind = .audio
    let color = TemplateColor(rgb: 0x123456)
    let colors = TemplateColors(light: color)
    let label = TemplateLabel(
      text: "Title", font: TemplateFont(.title, .large), color: color, lines: 1)
    let contents: [TemplateElement.Content] = [
      .fill(color), .veil, .picture(media), .picture(sound), .text(label),
      .button(label, color), .box(TemplateBox(background: colors)),
      .box(TemplateBox(border: TemplateBorder(colors: colors, width: 2))),
      .box(TemplateBox(gradient: TemplateGradient(from: color, to: color, isRadial: true))),
      .indicator(count: 3, page: 1, color), .star(isChosen: true, icon: nil, color),
      .star(isChosen: false, icon: nil, color), .star(isChosen: false, icon: media, color),
      .player(sound, poster: nil), .player(sound, poster: media),
      .webPage("https://a.example/page"),
    ]
    let text = try card(["kind": "text", "texts": ["title": "T"]], files: ["m": first.path])
    let expanded = try #require(text.template)
    let bare = expanded.layout(style)
    for content in contents {
      let png = try FontLock.withLock {
        let painter = CardPainter(style, width: 373, PictureCache())
        var layout = bare
        layout.elements = [
          TemplateElement(
            content: content, frame: TemplateRect(x: 20, y: 20, width: 100, height: 60))
        ]
        let canvas = try Canvas(width: 140, height: 100, scale: 1)
        canvas.path(Rect(x: 0, y: 0, width: 140, height: 100))
        canvas.fill(.white)
        painter.draw(layout, of: expanded, on: canvas, at: Point(x: 0, y: 0))
        return try canvas.png()
      }
      let picture = try Pixels(png: png)
      let outside = (0..<100).flatMap { y in
        (0..<140).filter { x in
          !(18..<122 ~= x && 18..<82 ~= y) && picture[x, y] != white
        }
      }
      let inside = (20..<80).reduce(0) { sum, y in
        sum + (20..<120).count { picture[$0, y] != white }
      }
      #expect(inside > 30 && outside.isEmpty, "\(content)")
    }
  }
}
