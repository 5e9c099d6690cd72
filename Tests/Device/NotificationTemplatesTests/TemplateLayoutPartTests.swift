import NotificationTemplates
import PushPayload
import Testing

@Suite("Parts of layouts that depend on their content")
struct TemplateLayoutPartTests {
  private func items(_ titles: [String]) -> JSONValue {
    .array(
      titles.enumerated().map { number, title in
        ["media": ["id": .string("m\(number)"), "url": "u"], "title": .string(title)]
      })
  }

  /// How many pictures are in each row.
  private func rows(_ layout: TemplateLayout) -> [Int] {
    let pictures = layout.elements.filter(\.isPicture)
    return Dictionary(grouping: pictures, by: \.frame.y).sorted { $0.key < $1.key }
      .map(\.value.count)
  }

  @Test(
    "icons are in as few rows as leave all words whole, and in a list at the accessibility sizes",
    arguments: [
      // A row of four has 76 points for each: 11 letters of 6.5 points; a row of two has 160: 24.
      (["Sea", "Lake", "City", String(repeating: "m", count: 11)], TemplateTextSize.large, [4]),
      (["Sea", "Lake", "City", String(repeating: "m", count: 12)], .large, [2, 2]),
      (["Sea", "Lake", "City", "mmmmmm mmmmmm"], .large, [4]),
      (["Sea", "Lake", "City", String(repeating: "m", count: 25)], .large, [1, 1, 1, 1]),
      (["A", "B", "C", "D", String(repeating: "m", count: 12)], .large, [3, 2]),
      (["Sea", "Lake", "City", "Hill"], .accessibility1, [1, 1, 1, 1]),
    ] as [([String], TemplateTextSize, [Int])])
  func icons(titles: [String], size: TemplateTextSize, expected: [Int]) throws {
    let template = try template(["kind": "icons", "pages": items(titles)])
    #expect(rows(layout(template, in: environment { $0.textSize = size })) == expected)
  }

  @Test("a row of icons that is not full is in the middle")
  func middle() throws {
    let long = String(repeating: "m", count: 12)
    let template = try template(["kind": "icons", "pages": items(["A", "B", "C", "D", long])])
    let frames = layout(template).elements.filter(\.isPicture).map(\.frame)
    #expect(frames.count == 5)
    let (left, right) = (frames[3].x, 361 - frames[4].maxX)
    #expect(abs(left - right) <= 1 && left > frames[0].x + 10)
  }

  @Test("the chosen product alone has a border, in a color that can be read")
  func chosen() throws {
    let template = try template(["kind": "catalog", "pages": items(["A", "B", "C"])])
    for page in 0...2 {
      var state = TemplateState()
      state.page = page
      let layout = layout(template, state: state)
      let bordered = layout.elements.filter { element in
        if case .picture(let media) = element.content { media.border.width > 0 } else { false }
      }
      #expect(bordered.map(\.page) == [page])
      #expect(bordered.first?.accessibility?.traits.contains(.selected) == true)
    }
  }

  @Test("a gradient on which no text can be read gives way to the color")
  func gradient() throws {
    func boxes(_ from: String, _ to: String) throws -> (TemplateBox?, TemplateColor?) {
      let gradient: JSONValue = [
        "from": .string(from), "to": .string(to), "shape": "linear",
      ]
      let template = try template([
        "kind": "banner", "media": ["id": "m", "url": "u"],
        "button": ["title": "B", "corner": 4, "gradient": gradient],
      ])
      let layout = layout(template)
      var box: TemplateBox?
      for element in layout.elements {
        if case .box(let found) = element.content { box = found }
      }
      return (box, layout.elements.first(where: \.isButton)?.label?.color)
    }
    let readable = try boxes("#000000", "#333333")
    #expect(readable.0?.gradient != nil && readable.1 == .white)
    let other = try boxes("#000000", "#FFFFFF")
    #expect(other.0 != nil && other.0?.gradient == nil)
    #expect(other.0?.background.light != nil)
  }

  @Test("a button that nobody styled has no box, and one with corners has one of its size")
  func buttons() throws {
    for (corner, hasBox) in [(0, false), (4, true)] as [(Int64, Bool)] {
      let template = try template([
        "kind": "banner", "media": ["id": "m", "url": "u"],
        "button": ["title": "B", "corner": .integer(corner)],
      ])
      let layout = layout(template)
      let box = layout.elements.first { element in
        if case .box = element.content { true } else { false }
      }
      #expect((box != nil) == hasBox)
      if let box { #expect(box.frame == layout.elements.first(where: \.isButton)?.frame) }
    }
  }

  @Test("at the accessibility sizes a page has the whole width, whatever the layout")
  func largePages() throws {
    for name in ["full", "peek", "filmstrip"] {
      let template = try template([
        "kind": "carousel", "layout": .string(name), "pages": items(["A", "B", "C"]),
      ])
      let layout = layout(template, in: environment { $0.textSize = .accessibility1 })
      let shown = layout.elements.filter { $0.isPicture && $0.frame.x == 0 }
      #expect(shown.map(\.frame.width) == [361], "\(name)")
    }
  }

  @Test("a countdown without a box begins at the margin, and one with a box has space in it")
  func countdown() throws {
    func frame(_ box: JSONValue) throws -> TemplateRect? {
      let template = try template(["kind": "timer", "end": 1_795_950_090, "box": box])
      return layout(template).elements.first { $0.label?.font.hasEvenDigits == true }?.frame
    }
    let bare = try #require(try frame([:]))
    let boxed = try #require(try frame(["background": ["light": "#000000"]]))
    #expect(boxed.width == bare.width + 16 && boxed.height == bare.height + 8)
    #expect(bare.maxX == 345 && boxed.maxX == 345)
  }
}
