import NotificationTemplates
import PushPayload
import Testing

@Suite("Layouts, kind by kind")
struct TemplateLayoutCaseTests {
  private static let pages: JSONValue = [
    ["media": ["id": "a", "url": "a", "alt": "Coat"], "title": "One"],
    ["media": ["id": "b", "url": "b"], "title": "Two"],
    ["media": ["id": "c", "url": "c"], "title": "Three"],
  ]

  private func carousel(_ members: [String: JSONValue] = [:]) throws -> NotificationTemplate {
    try template(
      .object(members.merging(["kind": "carousel", "pages": Self.pages]) { own, _ in own }))
  }

  private func state(_ configure: (inout TemplateState) -> Void) -> TemplateState {
    var state = TemplateState()
    configure(&state)
    return state
  }

  @Test("a picture has the height of its own shape, or 0.5625 of the width where it is not known")
  func pictures() throws {
    let banner = try template(["kind": "banner", "media": ["id": "m", "url": "u"]])
    #expect(layout(banner).size.height == 203)
    for (size, height) in [
      (TemplateSize(width: 600, height: 300), 181.0), (TemplateSize(width: 1, height: 9), 451),
      (TemplateSize(width: 9, height: 1), 90), (TemplateSize(width: 0, height: 0), 203),
    ] {
      let known = environment { $0.pictureSizes = ["m": size] }
      #expect(layout(banner, in: known).size.height == height)
    }
  }

  @Test("the next page comes from the trailing side, which is the left of an Arabic view")
  func paging() throws {
    let template = try carousel(["wraps": false, "layout": "peek", "peek": 0.8])
    let middle = state { $0.page = 1 }
    for isRightToLeft in [false, true] {
      let layout = layout(
        template, state: middle, in: environment { $0.isRightToLeft = isRightToLeft })
      let x = layout.elements.filter(\.isPicture).reduce(into: [:]) { $0[$1.page] = $1.frame.x }
      let (first, shown, last) = (x[0] ?? 0, x[1] ?? 0, x[2] ?? 0)
      #expect(isRightToLeft ? first > shown && shown > last : first < shown && shown < last)
    }
  }

  @Test(
    "neighbors, buttons and VoiceOver's actions end where the carousel ends",
    arguments: [
      (false, 0, [0, 1], ["Next", "Open"], ["n", "o"]),
      (false, 1, [0, 1, 2], ["Next", "Previous", "Open"], ["n", "p", "o"]),
      (false, 2, [1, 2], ["Previous", "Open"], ["p", "o"]),
      (true, 0, [0, 1, 2], ["Next", "Previous", "Open"], ["n", "p", "o"]),
    ] as [(Bool, Int, Set<Int>, [String], [String])])
  func ends(
    wraps: Bool, page: Int, visible: Set<Int>, spoken: [String], buttons: [String]
  ) throws {
    let actions: JSONValue = [
      ["id": "n", "effect": "next"], ["id": "p", "effect": "previous"],
      ["id": "o", "effect": "open"],
    ]
    let template = try carousel(["wraps": .bool(wraps), "actions": actions])
    let layout = layout(template, state: state { $0.page = page })
    #expect(Set(layout.elements.filter(\.isPicture).compactMap(\.page)) == visible)
    let current = layout.readingOrder.first { $0.isPicture }
    #expect(current?.accessibility?.actions.map(\.name) == spoken)
    #expect(current?.accessibility?.value == "Page \(page + 1) of 3")
    #expect(layout.actions.map(\.id) == buttons)
  }

  @Test("a change of page is announced in the person's language")
  func announcement() throws {
    let template = try carousel()
    #expect(layout(template).announcement == "One, Page 1 of 3")
    let german = environment { $0.language = "de-AT" }
    #expect(layout(template, in: german).announcement == "One, Seite 1 von 3")
  }

  @Test("Reduce Motion stops the advance, and so does the end of a carousel that does not wrap")
  func motion() throws {
    #expect(layout(try carousel(["advance": 4])).advance == 4)
    #expect(layout(try carousel()).advance == nil)
    let still = environment { $0.reducesMotion = true }
    #expect(layout(try carousel(["advance": 4]), in: still).advance == nil)
    let last = state { $0.page = 2 }
    #expect(layout(try carousel(["advance": 4, "wraps": false]), state: last).advance == nil)
  }

  @Test("a countdown stands beside the texts, below them at large sizes, and ends at its date")
  func timer() throws {
    let template = try template([
      "kind": "timer", "end": 1_795_950_090, "texts": ["title": "Sale", "body": "Today"],
      "expired": ["texts": ["title": "Over"], "keeps_body": false],
    ])
    func time(_ layout: TemplateLayout) -> TemplateElement? {
      layout.elements.first { $0.accessibility?.traits.contains(.updatesFrequently) == true }
    }
    let running = layout(template)
    #expect(time(running)?.label?.text.string == "01:30" && running.tick == 1)
    #expect(time(running)?.accessibility?.label == "Time left")
    let title = running.elements.first { $0.label?.text.string == "Sale" }
    #expect(time(running)?.frame.y == title?.frame.y)
    let large = layout(template, in: environment { $0.textSize = .accessibility3 })
    let body = large.elements.first { $0.label?.text.string == "Today" }
    #expect((time(large)?.frame.y ?? 0) >= (body?.frame.maxY ?? .infinity))
    for now in [1_795_950_090.0, 1_795_999_999] {
      let ended = layout(template, in: environment(now: now))
      #expect(time(ended) == nil && ended.tick == nil)
      #expect(ended.elements.compactMap(\.label?.text.string) == ["Over"])
    }
  }

  @Test("the view does not move while a countdown counts")
  func steady() throws {
    let template = try template(["kind": "timer", "end": 1_795_953_600, "texts": ["title": "Sale"]])
    let frames = (1...59).map { second in
      layout(template, in: environment(now: 1_795_953_600 - 600 - Double(second)))
        .elements.map(\.frame)
    }
    #expect(Set(frames).count == 1)
  }

  @Test("a rating is submitted when a star is chosen, and then no more")
  func rating() throws {
    let template = try template([
      "kind": "rating", "scale": 10, "commit": "submit", "submit": ["title": "Send"],
      "actions": [["id": "s", "effect": "submit"]],
    ])
    let open = layout(template)
    #expect(open.elements.count(where: \.isStar) == 10)
    #expect(!open.elements.contains(where: \.isButton) && open.actions.isEmpty)
    // Ten stars that a finger meets need two rows on a phone, and three where the view is narrow.
    for (width, rows) in [(361.0, [5, 5]), (240, [4, 4, 2]), (700, [10])] {
      let stars = layout(template, in: environment(width: width)).elements.filter(\.isStar)
      let counts = Dictionary(grouping: stars, by: \.frame.y).sorted { $0.key < $1.key }
      #expect(counts.map(\.value.count) == rows)
    }
    let chosen = layout(template, state: state { $0.rating = 3 })
    #expect(
      chosen.elements.filter(\.isStar).map { element in
        if case .star(let isChosen, _, _) = element.content { isChosen } else { false }
      } == Array(repeating: true, count: 3) + Array(repeating: false, count: 7))
    #expect(chosen.elements.first(where: \.isButton)?.label?.text.string == "Send")
    #expect(chosen.actions.map(\.id) == ["s"])
    let answered = layout(
      template,
      state: state {
        $0.rating = 3
        $0.isAnswered = true
      })
    #expect(answered.elements.filter(\.isStar).allSatisfy { $0.tap == nil })
    #expect(answered.actions.isEmpty)
  }

  @Test("a catalog shows the chosen product, its price and one button for its link")
  func catalog() throws {
    let products: JSONValue = [
      ["media": ["url": "a"], "title": "Coat", "price": "129", "link": "app://1"],
      ["media": ["url": "b"], "title": "Hat", "price": "29", "link": "app://2"],
    ]
    for row in ["stacked", "row"] {
      let template = try template([
        "kind": "catalog", "pages": products, "layout": .string(row), "button": ["title": "Buy"],
      ])
      let layout = layout(template, state: state { $0.page = 1 })
      let labels = layout.elements.compactMap(\.label?.text.string)
      #expect(labels == ["Hat", "29", "Buy"])
      #expect(layout.elements.first(where: \.isButton)?.tap == .open("app://2"))
      #expect(layout.elements.contains { $0.tap == .page(0) })
    }
  }

  @Test("a poll shows its choices, then what it says to the answer")
  func poll() throws {
    let template = try template([
      "kind": "poll", "prompt": "Which?", "choices": [["id": "a", "title": "A"], ["title": "B"]],
      "feedback": ["texts": ["title": "Thanks"]],
    ])
    #expect(
      layout(template).elements.filter(\.isButton).map(\.tap) == [.choose("a"), .choose("2")])
    let answered = layout(template, state: state { $0.isAnswered = true })
    #expect(answered.elements.compactMap(\.label?.text.string) == ["Thanks"])
  }

  @Test("texts beside a picture go below it at large sizes, and those over it need a veil")
  func banner() throws {
    let beside = try template([
      "kind": "banner", "placement": "beside", "media": ["url": "u"], "texts": ["title": "T"],
    ])
    func frames(_ layout: TemplateLayout) -> (picture: TemplateRect?, text: TemplateRect?) {
      (
        layout.elements.first(where: \.isPicture)?.frame,
        layout.elements.first { $0.label != nil }?.frame
      )
    }
    let small = frames(layout(beside))
    #expect((small.text?.x ?? 0) >= (small.picture?.maxX ?? .infinity))
    let large = frames(layout(beside, in: environment { $0.textSize = .accessibility1 }))
    #expect((large.text?.y ?? 0) >= (large.picture?.maxY ?? .infinity))
    let over = try template([
      "kind": "banner", "placement": "over", "media": ["url": "u"],
      "texts": ["title": .string(String(repeating: "long ", count: 50))],
    ])
    let covered = layout(over, in: environment { $0.textSize = .accessibility5 })
    #expect(covered.elements.contains { if case .veil = $0.content { true } else { false } })
    let picture = frames(covered).picture
    #expect((picture?.height ?? 0) > 203 && picture?.maxY == covered.size.height)
  }

  @Test("a web page is shown where it is allowed, and its picture elsewhere")
  func web() throws {
    let template = try template([
      "kind": "web", "url": "https://a.example", "aspect": 1.5, "media": ["url": "u"],
    ])
    #expect(layout(template).elements.filter(\.isPicture).count == 1)
    let allowed = layout(template, in: environment { $0.showsWebPages = true })
    #expect(allowed.size.height == 542 && !allowed.elements.contains(where: \.isPicture))
  }
}
