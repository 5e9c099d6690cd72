import NotificationTemplates
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Templates in the composer's form")
struct ComposeTemplateTests {
  /// A form with a kind, and its document without `version` and `kind`.
  struct Filled: CustomTestStringConvertible, Sendable {
    var kind: TemplateKind
    var fields: [String: String]
    var document: JSONValue

    var testDescription: String { kind.rawValue }

    var form: ComposeForm {
      var form = ComposeForm()
      form[.text] = "Body"
      form[.template] = kind.rawValue
      for (name, value) in fields { form.set(name, value) }
      return form
    }

    var whole: JSONValue {
      .object(
        (document.object ?? [:]).merging(["version": 1, "kind": .string(kind.rawValue)]) { $1 })
    }
  }

  private static func picture(_ number: Int) -> String { "https://img.example/\(number).jpg" }

  /// A form with a number of pages, each with a picture.
  private static func pages(_ kind: TemplateKind, _ count: Int) -> Filled {
    var fields = ["pages": String(count)]
    for page in 0..<count { fields["page\(page)_media_url"] = picture(page) }
    let pages = (0..<count).map { ["media": ["url": .string(picture($0))]] as JSONValue }
    return Filled(kind: kind, fields: fields, document: ["pages": .array(pages)])
  }

  static let filled: [Filled] = [
    Filled(
      kind: .text,
      fields: [
        "template_texts_title": "T", "template_texts_subtitle": "S", "template_texts_body": "B\nb",
        "template_link": "app://x",
      ], document: ["texts": ["title": "T", "subtitle": "S", "body": "B\nb"], "link": "app://x"]),
    Filled(
      kind: .banner,
      fields: [
        "template_media_url": picture(1), "template_media_alt": "A coat",
        "template_placement": "beside", "template_details": "From 9\nTo 17",
        "template_button_title": "Buy", "template_button_link": "app://buy",
      ],
      document: [
        "media": ["url": .string(picture(1)), "alt": "A coat"], "placement": "beside",
        "details": [["text": "From 9"], ["text": "To 17"]],
        "button": ["title": "Buy", "link": "app://buy"],
      ]),
    Filled(
      kind: .carousel,
      fields: [
        "pages": "2", "page0_media_url": picture(0), "page0_media_alt": "A", "page0_title": "One",
        "page0_body": "First", "page0_link": "app://1", "page0_id": "coat",
        "page1_media_url": picture(1), "template_advance": "2.5", "template_layout": "peek",
        "button0_title": "More", "button0_url": "app://more", "button1_title": "Later",
        "button1_id": "later",
      ],
      document: [
        "pages": [
          [
            "media": ["url": .string(picture(0)), "alt": "A"], "title": "One", "body": "First",
            "link": "app://1", "id": "coat",
          ], ["media": ["url": .string(picture(1))]],
        ], "advance": 2.5, "layout": "peek",
        "actions": [
          ["id": "0", "title": "More", "effect": "open", "link": "app://more"],
          ["id": "later", "title": "Later", "effect": "forward"],
        ],
      ]),
    Filled(
      kind: .timer,
      fields: [
        "template_end": "2030-06-01T12:00", "template_media_url": picture(1),
        "template_expired_texts_title": "Over", "template_expired_texts_body": "Gone",
        "template_expired_media_url": picture(2),
      ],
      document: [
        "end": "2030-06-01T12:00:00.000Z", "media": ["url": .string(picture(1))],
        "expired": [
          "texts": ["title": "Over", "body": "Gone"], "media": ["url": .string(picture(2))],
        ],
      ]),
    Filled(
      kind: .rating,
      fields: [
        "template_scale": "3", "template_commit": "submit", "template_links": "app://1\napp://2",
        "template_submit_title": "Send", "template_submit_link": "app://s",
        "template_media_url": picture(1), "template_details": "Happy?",
      ],
      document: [
        "scale": 3, "commit": "submit", "links": ["app://1", "app://2"],
        "submit": ["title": "Send", "link": "app://s"], "media": ["url": .string(picture(1))],
        "details": [["text": "Happy?"]],
      ]),
    Filled(
      kind: .catalog,
      fields: [
        "pages": "2", "page0_media_url": picture(0), "page0_price": "129 €", "page0_title": "Coat",
        "page1_media_url": picture(1), "template_layout": "row", "template_button_title": "Buy",
      ],
      document: [
        "pages": [
          ["media": ["url": .string(picture(0))], "price": "129 €", "title": "Coat"],
          ["media": ["url": .string(picture(1))]],
        ], "layout": "row", "button": ["title": "Buy"],
      ]),
    pages(.icons, 3),
    Filled(
      kind: .actions,
      fields: ["template_media_url": picture(1), "button0_title": "Yes", "button0_id": "y"],
      document: [
        "media": ["url": .string(picture(1))],
        "actions": [["id": "y", "title": "Yes", "effect": "forward"]],
      ]),
    Filled(
      kind: .media,
      fields: [
        "template_media_url": "https://img.example/a.mp4", "template_poster_url": picture(1),
      ],
      document: [
        "media": ["url": "https://img.example/a.mp4"], "poster": ["url": .string(picture(1))],
      ]),
    Filled(
      kind: .web,
      fields: [
        "template_url": "https://shop.example/", "template_aspect": "1.5",
        "template_media_url": picture(1),
      ],
      document: [
        "url": "https://shop.example/", "aspect": 1.5, "media": ["url": .string(picture(1))],
      ]),
    Filled(
      kind: .input,
      fields: [
        "template_prompt": "How was it?", "template_answer_action": "reply",
        "template_feedback_texts_title": "Thanks", "template_feedback_texts_body": "Bye",
        "button0_title": "Not now",
      ],
      document: [
        "prompt": "How was it?", "feedback": ["texts": ["title": "Thanks", "body": "Bye"]],
        "actions": [
          ["id": "reply", "effect": "submit"],
          ["id": "0", "title": "Not now", "effect": "forward"],
        ],
      ]),
    Filled(
      kind: .poll,
      fields: ["template_prompt": "Which?", "template_choices": "Tea\nCoffee"],
      document: ["prompt": "Which?", "choices": [["title": "Tea"], ["title": "Coffee"]]]),
  ]

  @Test("every kind of template is composed")
  func kinds() {
    #expect(Set(Self.filled.map(\.kind)) == Set(TemplateKind.allCases))
    #expect(Set(TemplateKind.allCases.map { TemplateForm.of($0).title }).count == 12)
  }

  @Test("a filled form becomes the document, which a phone reads wholly", arguments: filled)
  func document(_ filled: Filled) throws {
    let form = filled.form
    #expect(try form.templateDocument() == filled.whole)
    #expect(form.templateProblems.map(\.message) == [])
    let payload = try form.payload()
    #expect(payload["category"] == "expanded" && payload["mutable_content"] == true)
    #expect(payload["_martlet"] == ["template": filled.whole])
    let reading = TemplateTable.standard.read(
      [
        "aps": ["alert": "Body", "category": "expanded"], "_martlet": payload["_martlet"] ?? .null,
      ],
      delivered: 0)
    #expect(reading.template?.kind == filled.kind && reading.findings.isEmpty)
  }

  @Test("a send is duplicated with the fields of its template", arguments: filled)
  func duplicate(_ filled: Filled) throws {
    let payload = JSONValue.object(try filled.form.payload())
    let again = duplicated(payload)
    #expect(again[.template] == filled.kind.rawValue)
    #expect(again[.more].isEmpty && again[.category].isEmpty)
    for (name, value) in filled.fields { #expect(again.form[name] == value, "\(name)") }
    #expect(try JSONValue.object(again.payload()) == payload)
  }

  private func duplicated(_ payload: JSONValue) -> ComposeForm {
    let zero = Timestamp(milliseconds: 0)
    return ComposeForm(
      Send(id: "s", messageID: "m", app: "a", audience: "e", payload: payload, createdAt: zero),
      everyone: "e", at: zero)
  }

  /// Templates, and whether the fields can hold what they have of them.
  static let others: [(JSONValue, Bool)] = [
    // The members without a field, and the others in fields.
    (
      [
        "kind": "poll", "version": 1, "choices": [["title": "a"], ["title": "b"]],
        "style": ["accent": ["light": "#FF0000"]], "tracking": ["campaign": 7],
      ], true
    ),
    // Identifiers of choices, effects of buttons and seconds have no field.
    (
      ["kind": "poll", "version": 1, "choices": [["id": "x", "title": "a"], ["title": "b"]]], false
    ),
    (
      ["kind": "text", "version": 1, "actions": [["id": "n", "title": "N", "effect": "dismiss"]]],
      false
    ),
    (["kind": "timer", "version": 1, "end": 1_796_000_001], false),
    (["kind": "origami", "version": 1], false),
  ]

  @Test("what a template has beside the fields stays in the additional JSON", arguments: others)
  func rest(template: JSONValue, isFilled: Bool) throws {
    let payload: JSONValue = [
      "alert": "x", "category": "offers", "mutable_content": true,
      "_martlet": ["template": template],
    ]
    let form = duplicated(payload)
    #expect(form[.template].isEmpty != isFilled)
    #expect(try JSONValue.object(form.payload()) == payload)
  }

  @Test("a template and its buttons of the notification stay as they are")
  func bothButtons() throws {
    let payload: JSONValue = [
      "alert": "x", "category": "expanded", "mutable_content": true,
      "_martlet": [
        "template": ["kind": "text", "version": 1], "buttons": [["title": "a"]],
      ],
    ]
    #expect(try JSONValue.object(duplicated(payload).payload()) == payload)
  }

  @Test("the deep link is also the template's, unless it has its own")
  func link() throws {
    var form = Filled(kind: .text, fields: [:], document: [:]).form
    form[.link] = "app://sale"
    #expect(try form.templateDocument()?["link"] == "app://sale")
    #expect(duplicated(.object(try form.payload())).form["template_link"] == nil)
    form.set("template_link", "app://more")
    #expect(try form.templateDocument()?["link"] == "app://more")
    #expect(duplicated(.object(try form.payload())).form["template_link"] == "app://more")
  }

  // MARK: Limits

  /// A form at a limit or past it, and the field with the problem.
  struct Limit: CustomTestStringConvertible, Sendable {
    var name: String
    var kind: TemplateKind
    var base: [String: String] = [:]
    var field: String
    var good: String
    var bad: String
    var testDescription: String { "\(kind.rawValue): \(name)" }
  }

  private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }
  private static func lines(_ count: Int) -> String {
    (1...count).map { "line \($0)" }.joined(separator: "\n")
  }
  private static func url(_ count: Int) -> String {
    "https://img.example/" + letters(count - "https://img.example/".utf8.count)
  }

  static let limits: [Limit] = [
    Limit(
      name: "characters of a title", kind: .text, field: "template_texts_title",
      good: letters(256), bad: letters(257)),
    Limit(
      name: "characters of a body", kind: .text, field: "template_texts_body",
      good: letters(2048), bad: letters(2049)),
    Limit(
      name: "bytes of a link", kind: .text, field: "template_link", good: url(2048), bad: url(2049)),
    Limit(
      name: "characters of a page's title", kind: .carousel, base: pages(.carousel, 3).fields,
      field: "page2_title", good: letters(256), bad: letters(257)),
    Limit(
      name: "characters of an identifier", kind: .carousel, base: pages(.carousel, 2).fields,
      field: "page1_id", good: letters(128), bad: letters(129)),
    Limit(
      name: "bytes of a picture's URL", kind: .carousel, base: pages(.carousel, 3).fields,
      field: "page2_media_url", good: url(2048), bad: url(2049)),
    Limit(
      name: "seconds between pages", kind: .carousel, base: pages(.carousel, 2).fields,
      field: "template_advance", good: "60", bad: "60.5"),
    Limit(
      name: "least seconds between pages", kind: .carousel, base: pages(.carousel, 2).fields,
      field: "template_advance", good: "0.5", bad: "0.4"),
    Limit(
      name: "seconds of a countdown", kind: .timer, base: ["template_end": "2030-06-01T12:00"],
      field: "template_duration", good: "2592000", bad: "2592001"),
    Limit(
      name: "stars", kind: .rating, base: ["template_links": "app://x"], field: "template_scale",
      good: "10", bad: "11"),
    Limit(
      name: "least stars", kind: .rating, base: ["template_links": "app://x"],
      field: "template_scale", good: "2", bad: "1"),
    Limit(
      name: "choices", kind: .poll, field: "template_choices", good: lines(6), bad: lines(7)),
    Limit(
      name: "least choices", kind: .poll, field: "template_choices", good: lines(2), bad: lines(1)),
    Limit(
      name: "height of a web page", kind: .web, base: ["template_url": "https://a.example"],
      field: "template_aspect", good: "3", bad: "3.1"),
    Limit(
      name: "characters of a button", kind: .text, field: "button0_title", good: letters(256),
      bad: letters(257)),
  ]

  @Test("a value at its limit is taken, and one past it is refused at its field", arguments: limits)
  func limit(_ limit: Limit) {
    var form = Filled(kind: limit.kind, fields: limit.base, document: [:]).form
    form.set(limit.field, limit.good)
    #expect(form.templateProblems.map(\.message) == [])
    form.set(limit.field, limit.bad)
    let places = form.templateProblems.map(\.place)
    #expect(places.contains(limit.field.hasPrefix("button") ? "buttons" : limit.field))
    #expect(form.templateProblems.allSatisfy { !$0.message.contains("$") && !$0.message.isEmpty })
  }

  @Test(
    "a kind has as many pages as it can show, and refuses too few",
    arguments: [(TemplateKind.carousel, 2, 10), (.catalog, 2, 5), (.icons, 3, 5)])
  func pageCounts(kind: TemplateKind, least: Int, most: Int) throws {
    for count in [least, most] {
      #expect(Self.pages(kind, count).form.templateProblems.map(\.message) == [])
    }
    let few = Self.pages(kind, least - 1).form
    #expect(few.templateProblems.map(\.place) == ["page\(least - 1)_media_url"])
    #expect(few.templateProblems.first?.message.contains("\(least) to \(most) pages") == true)
    // The form shows no page that a phone would not.
    let many = Self.pages(kind, most + 1).form
    #expect(many.pageCount == most)
    #expect(try many.templateDocument()?["pages"]?.array?.count == most)
    #expect(ComposeForm().pageCount == 0)
  }

  @Test(
    "what a kind cannot do without is asked for at its field",
    arguments: [
      (TemplateKind.banner, "template_media_url"), (.carousel, "page0_media_url"),
      (.timer, "template_end"), (.rating, "template_links"), (.catalog, "page0_media_url"),
      (.icons, "page0_media_url"), (.actions, "buttons"), (.media, "template_media_url"),
      (.web, "template_url"), (.poll, "template_choices"),
    ])
  func lacking(kind: TemplateKind, place: String) {
    let problems = Filled(kind: kind, fields: [:], document: [:]).form.templateProblems
    #expect(problems.map(\.place) == [place])
    #expect(problems.allSatisfy { $0.severity == ComposePreview.refusal })
  }

  @Test("a problem names the page of the form, also behind an empty one")
  func emptyPage() throws {
    var form = Self.pages(.carousel, 4).form
    form.set("page1_media_url", "")
    form.set("page3_title", Self.letters(257))
    #expect(form.filledPages == [0, 2, 3])
    let problem = try #require(form.templateProblems.first)
    #expect(problem.place == "page3_title")
    #expect(problem.message.hasPrefix("Title of page 4 is longer than the 256 characters"))
    form.set("page1_title", "No picture")
    #expect(
      form.templateProblems.map(\.place) == ["page1_media_url", "page3_title"])
    #expect(form.templateProblems.first?.message.hasPrefix("Page 2 has no picture") == true)
  }

  @Test("Liquid is left to each device, and an in-app message has no template")
  func unchecked() {
    var form = Self.pages(.carousel, 2).form
    form.set("page0_title", "{{ custom.name }}" + Self.letters(257))
    #expect(form.templateProblems.isEmpty)
    form.set("page1_title", Self.letters(257))
    #expect(form.templateProblems.map(\.place) == ["page1_title"])
    form[.kind] = "message"
    #expect(form.templateProblems.isEmpty)
  }

  @Test(
    "a value that is no number is refused with what is allowed",
    arguments: ["many", "nan", "inf", "1e999", "0x1p9999"])
  func numbers(_ text: String) throws {
    var form = Self.pages(.carousel, 2).form
    form.set("template_advance", text)
    #expect(form.templateProblems.map(\.place) == ["template_advance"])
    #expect(try form.templateDocument()?["advance"] == .string(text))
  }

  // MARK: Pages

  @Test(
    "pages are added, removed and moved, with all their fields",
    arguments: [
      ("page-add", ["a", "b", "c", ""], "page3_media_url"),
      ("page-remove-0", ["b", "c"], "page0_remove"), ("page-remove-2", ["a", "b"], "page-add"),
      ("page-up-1", ["b", "a", "c"], "page0_down"), ("page-up-2", ["a", "c", "b"], "page1_up"),
      ("page-down-0", ["b", "a", "c"], "page1_down"), ("page-down-1", ["a", "c", "b"], "page2_up"),
    ])
  func change(action: String, titles: [String], focus: String) throws {
    var form = Filled(
      kind: .carousel,
      fields: [
        "pages": "3", "page0_title": "a", "page1_title": "b", "page2_title": "c",
        "page0_media_url": "a", "page1_media_url": "b", "page2_media_url": "c",
      ], document: [:]
    ).form
    let change = try #require(ComposeForm.PageChange(action: action))
    #expect(form.apply(change) == focus)
    #expect(form.pageCount == titles.count)
    #expect(titles.indices.map { form.form["page\($0)_title"] ?? "" } == titles)
    #expect(titles.indices.map { form.form["page\($0)_media_url"] ?? "" } == titles)
    #expect(form[.text] == "Body")
  }

  @Test(
    "a change that is not possible does nothing",
    arguments: [
      "page-up-0", "page-down-2", "page-remove-3", "page-up-9", "page-down-9", "page-add-1", "page",
      "page-", "page-up", "page-up-x", "page-remove--1", "page-up-99999999999999999999", "preview",
    ])
  func impossible(action: String) {
    var form = Self.pages(.carousel, 3).form
    let before = form.form.urlEncoded
    if let change = ComposeForm.PageChange(action: action) { #expect(form.apply(change) == nil) }
    #expect(form.form.urlEncoded == before)
    var full = Self.pages(.icons, 5).form
    #expect(full.apply(.add) == nil)
    var none = ComposeForm()
    #expect(none.apply(.add) == nil)
  }

  @Test("the last pages of a kind are emptied in place of being removed")
  func least() {
    var form = Self.pages(.carousel, 2).form
    #expect(form.apply(.remove(0)) == "page0_remove")
    #expect(form.pageCount == 2 && form.filledPages == [0])
    #expect(form.form["page0_media_url"] == Self.picture(1))
  }

  @Test(
    "a file goes into the field that it is beside, and into no other",
    arguments: [
      ("file", "media"), ("template_media_url_file", "template_media_url"),
      ("page9_media_url_file", "page9_media_url"), ("page0_title_file", nil), ("title", nil),
      ("token_url_file", nil), ("page100_media_url_file", nil),
    ])
  func destination(name: String, field: String?) {
    #expect(TemplateField.destination(ofUpload: name) == field)
  }

  @Test("an offset that no place has is ignored", arguments: ["9223372036854775807", "1441", "x"])
  func offset(_ minutes: String) throws {
    var form = ComposeForm()
    form[.text] = "x"
    form[.scheduledAt] = "2030-06-01T12:00"
    form.set("scheduled_at_offset", minutes)
    #expect(try form.request()["notification"]?["scheduled_at"] == "2030-06-01T12:00:00.000Z")
    form.set("scheduled_at_offset", "-1440")
    #expect(try form.request()["notification"]?["scheduled_at"] == "2030-05-31T12:00:00.000Z")
  }
}
