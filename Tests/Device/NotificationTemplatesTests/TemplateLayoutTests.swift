import NotificationTemplates
import PushPayload
import Testing

@Suite("Layouts of all templates")
struct TemplateLayoutTests {
  struct Setting: CustomTestStringConvertible, Sendable {
    var width: Double
    var textSize: TemplateTextSize
    var isDark: Bool
    var testDescription: String { "\(width) \(textSize.rawValue)\(isDark ? " dark" : "")" }

    static let all: [Setting] = [320, 361, 700].flatMap { width in
      [TemplateTextSize.xSmall, .large, .accessibility1, .accessibility5].flatMap { size in
        [false, true].map { Setting(width: width, textSize: size, isDark: $0) }
      }
    }

    var environment: TemplateEnvironment {
      var environment = TemplateEnvironment(width: width, now: 1_795_950_000)
      environment.textSize = textSize
      environment.isDark = isDark
      environment.isRegular = width > 600
      return environment
    }
  }

  /// The template of every case of every vendor.
  static let templates: [NotificationTemplate] = TemplateFile.all.flatMap(\.cases).compactMap {
    TemplateTable.standard.read($0.payload, delivered: TemplateFile.delivered).template
  }

  @Test("every part is inside the view, except for the neighbors of a page", arguments: Setting.all)
  func inside(setting: Setting) {
    for template in Self.templates {
      let layout = layout(template, in: setting.environment)
      #expect(layout.size.width == setting.width)
      #expect(layout.ratio == layout.size.height / setting.width)
      for element in layout.elements {
        let frame = element.frame
        #expect(frame.width > 0 && frame.height > 0, "\(template.kind): \(element.content)")
        #expect(frame.y >= 0 && frame.maxY <= layout.size.height + 0.01, "\(template.kind)")
        guard element.accessibility != nil else { continue }
        #expect(frame.x >= 0 && frame.maxX <= setting.width + 0.01, "\(template.kind): \(frame)")
      }
    }
  }

  @Test("no text covers another, and none a button or a star", arguments: Setting.all)
  func overlaps(setting: Setting) {
    for template in Self.templates {
      let layout = layout(template, in: setting.environment)
      let parts = layout.elements.filter { $0.label != nil || $0.isStar }
      for (index, one) in parts.enumerated() {
        for other in parts[(index + 1)...] {
          // Of two pages and a carousel that wraps, one page stands on both sides.
          if case .carousel(let carousel) = template.content, carousel.layout != .full,
            carousel.pages.count <= 4, one.page == other.page
          {
            continue
          }
          #expect(
            !one.frame.overlaps(other.frame),
            "\(template.kind): \(one.label?.text.string ?? "") \(other.label?.text.string ?? "")")
        }
      }
    }
  }

  @Test("all text can be read on its background", arguments: [false, true])
  func contrast(isDark: Bool) throws {
    let red: JSONValue = ["light": "#FF4444", "dark": "#FF4444"]
    let pale: JSONValue = [
      "background": ["light": "#FFEEEE", "dark": "#FFEEEE"], "title": red, "body": red,
      "accent": red,
    ]
    let own = try template([
      "kind": "rating", "commit": "submit", "texts": ["title": "T", "body": "B"], "style": pale,
    ])
    for template in Self.templates + [own] {
      let layout = layout(template, in: environment { $0.isDark = isDark })
      guard case .fill(let background)? = layout.elements.first?.content else {
        Issue.record("the first part is not the background")
        continue
      }
      for element in layout.elements {
        switch element.content {
        case .text(let label) where isOverPicture(element, in: layout):
          let gray = TemplateColor(red: 0x66, green: 0x66, blue: 0x66)
          #expect(label.color.contrast(with: gray) >= 4.5)
        case .text(let label):
          let behind = fill(behind: element, in: layout, isDark: isDark) ?? background
          #expect(label.color.contrast(with: behind) >= 4.5, "\(template.kind): \(label)")
        case .button(let label, let fill):
          let box = box(behind: element, in: layout)
          let colors = box?.gradient.map { [$0.from, $0.to] } ?? [fill]
          for color in colors { #expect(label.color.contrast(with: color) >= 4.5) }
          #expect((fill.alpha == 255) == (box == nil))
        case .star(_, _, let color): #expect(color.contrast(with: background) >= 4.5)
        default: break
        }
      }
    }
  }

  private func isOverPicture(_ element: TemplateElement, in layout: TemplateLayout) -> Bool {
    layout.elements.contains { other in
      if case .veil = other.content { other.frame.overlaps(element.frame) } else { false }
    }
  }

  /// The color of the page, or of the countdown's box, on which an element stands.
  private func fill(
    behind element: TemplateElement, in layout: TemplateLayout, isDark: Bool
  ) -> TemplateColor? {
    var color: TemplateColor?
    for other in layout.elements.dropFirst() where other.frame.overlaps(element.frame) {
      if case .fill(let fill) = other.content, other.page == element.page { color = fill }
    }
    let box = box(behind: element, in: layout)
    return (isDark ? box?.background.dark : box?.background.light) ?? color
  }

  /// The box that has the frame of an element.
  private func box(
    behind element: TemplateElement, in layout: TemplateLayout
  ) -> TemplateBox? {
    for other in layout.elements where other.frame == element.frame {
      if case .box(let box) = other.content { return box }
    }
    return nil
  }

  @Test("right to left, every part is at the same distance from the other side")
  func rightToLeft() {
    for template in Self.templates {
      let left = layout(template)
      let right = layout(template, in: environment { $0.isRightToLeft = true })
      #expect(left.size == right.size)
      #expect(left.elements.count == right.elements.count)
      for (one, other) in zip(left.elements, right.elements) {
        #expect(one.content == other.content && one.frame.y == other.frame.y)
        #expect(abs(other.frame.x - (361 - one.frame.maxX)) < 0.01)
      }
    }
  }

  @Test("larger text makes no view lower, and large text is never cut off")
  func textSizes() {
    for template in Self.templates {
      var height = 0.0
      for size in TemplateTextSize.allCases {
        let layout = layout(template, in: environment { $0.textSize = size })
        // Side by side becomes stacked at the first of the accessibility sizes, and icons get smaller rows.
        if template.kind != .icons, template.kind != .carousel {
          #expect(layout.size.height >= height - 0.01, "\(template.kind) \(size)")
        }
        height = layout.size.height
        guard size.isAccessibility else { continue }
        for element in layout.elements {
          if case .text(let label) = element.content {
            #expect(label.lines == nil, "\(template.kind): \(label.text.string)")
          }
        }
      }
    }
  }

  @Test("what a finger taps is at least 44 points high")
  func targets() {
    for template in Self.templates {
      for size in [TemplateTextSize.xSmall, .accessibility5] {
        let layout = layout(template, in: environment { $0.textSize = size })
        for element in layout.elements where element.isButton || element.isStar {
          #expect(element.frame.height >= 44, "\(template.kind)")
          if element.isStar { #expect(element.frame.width >= 44) }
        }
      }
    }
  }

  @Test("VoiceOver reads something of every template, and what it reads has a name")
  func accessibility() {
    for template in Self.templates {
      let order = layout(template).readingOrder
      #expect(!order.isEmpty, "\(template.kind)")
      for element in order { #expect(element.accessibility?.label.isEmpty == false) }
      // The parts follow each other from the top down, except for what stands side by side.
      if [.text, .banner, .media, .rating].contains(template.kind) {
        let rows = order.filter { !$0.isStar && !$0.isButton }.map(\.frame.y)
        #expect(rows == rows.sorted(), "\(template.kind)")
      }
    }
  }

  @Test("all pages of a carousel, and all products of equal texts, give the same height")
  func heights() {
    for template in Self.templates where template.kind == .carousel {
      let heights = template.pages.indices.map { page in
        var state = TemplateState()
        state.page = page
        return layout(template, state: state).size.height
      }
      #expect(Set(heights).count == 1)
    }
  }

  @Test("where a vendor fixes the shape of pages, pictures of any shape give the predicted height")
  func prediction() {
    let carousels = Self.templates.filter { template in
      if case .carousel(let carousel) = template.content { carousel.aspect != nil } else { false }
    }
    #expect(carousels.count > 10)
    for template in carousels {
      let known = environment {
        for media in template.media {
          $0.pictureSizes[media.id] = TemplateSize(width: 100, height: 333)
        }
      }
      #expect(layout(template).ratio == layout(template, in: known).ratio)
    }
  }

  @Test("a page beyond the last is the last, and the same input gives the same layout")
  func pages() throws {
    let carousel = try #require(Self.templates.first { $0.kind == .carousel })
    var state = TemplateState()
    state.page = 99
    #expect(layout(carousel, state: state).page == carousel.pages.count - 1)
    state.page = -1
    #expect(layout(carousel, state: state).page == 0)
    #expect(layout(carousel) == layout(carousel))
  }
}
