import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("Languages in the composer", .timeLimit(.minutes(10)))
struct LanguagesTests {
  private static let texts: [(String, String)] = [
    ("to", "*"), ("title", "Sale"), ("text", "20% off"), ("language", "fr"),
    ("lang_fr_title", "Soldes"), ("lang_fr_text", "20 % de remise"), ("language", "pt-br"),
    ("lang_pt-br_text", "20% de desconto"),
  ]

  /// A client of an app with devices of some locales.
  private func client(_ locales: [String?]) async throws -> DashboardClient {
    let fixture = try await Fixture()
    for (number, locale) in locales.enumerated() {
      try await fixture.register("d\(number)") { $0.locale = .set(locale) }
    }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    _ = await client.get(client.path("compose"))
    return client
  }

  private func compose(
    _ client: DashboardClient, _ action: String, _ fields: [(String, String)]
  ) async -> Fixture.Answer {
    await client.post(client.path("compose"), fields + [("action", action)])
  }

  /// The text between two others, with markup removed.
  private func part(_ text: String, from start: String, to end: String) -> String {
    guard let start = text.range(of: start)?.lowerBound,
      let end = text[start...].range(of: end)?.lowerBound
    else { return "" }
    return String(text[start..<end]).replacing(/<[^>]*>/, with: " ").replacing(/\s+/, with: " ")
  }

  // MARK: The form

  @Test(
    "texts by locale come from the payload into fields, and back",
    arguments: [
      ["title": "Sale", "alert": ["default": "Hi", "de": "Hallo"], "sound": ["critical": 1]],
      [
        "title": ["default": "T", "fr": "F"], "subtitle": ["default": "S", "zh-hant": "繁"],
        "alert": ["default": "Hi", "fr": "Salut", "pt-br": "Oi"],
      ],
      // What the fields cannot hold stays in the additional JSON.
      ["alert": ["loc-key": "GREETING", "loc-args": ["a"]]],
      ["alert": ["title": "Rain", "body": "From 3 pm"]],
      ["title": ["default": "", "fr": "F"], "alert": "Hi"],
      ["title": ["default": "T", "pt-BR": "a", "pt_br": "b"]],
    ] as [[String: JSONValue]])
  func roundTrip(payload: [String: JSONValue]) throws {
    var form = ComposeForm()
    form.fill(fromPayload: payload)
    #expect(try form.payload() == payload)
  }

  @Test("the fields become texts by locale; what is empty is left to the fallback")
  func payload() throws {
    var form = ComposeForm(Form(Self.texts.map { (name: $0.0, value: $0.1) }))
    #expect(
      try form.payload() == [
        "title": ["default": "Sale", "fr": "Soldes"],
        "alert": [
          "default": "20% off", "fr": "20 % de remise", "pt-br": "20% de desconto",
        ],
      ])
    #expect(form.missing(in: "pt-br") == [.title] && form.missing(in: "fr").isEmpty)
    // A region has the texts of its language, as a device of it.
    #expect(form.missing(in: "fr-ca").isEmpty)
    #expect(form.apply(.remove("fr")) == "added_language")
    #expect(form.languages == ["pt-br"])
    #expect(
      try form.payload() == [
        "title": "Sale", "alert": ["default": "20% off", "pt-br": "20% de desconto"],
      ])
  }

  @Test("a language is added once, up to the limit, and only one that devices can have")
  func adding() {
    var form = ComposeForm()
    #expect(form.apply(.add("pt-BR")) == "lang_pt-br_title")
    #expect(form.languages == ["pt-br"] && form.openLanguage == "pt-br")
    #expect(form.apply(.add("pt_BR")) == "lang_pt-br_title")
    #expect(form.languages == ["pt-br"])
    for code in ["", "english", "f", "fr_", "default"] {
      #expect(form.apply(.add(code)) == "added_language", "\(code)")
    }
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    for number in 1..<ComposeForm.languageLimit {
      #expect(form.apply(.add("q\(letters[number / 26])\(letters[number % 26])")) != nil)
    }
    #expect(form.languages.count == ComposeForm.languageLimit)
    #expect(form.apply(.add("fr")) == nil)
    #expect(form.languages.count == ComposeForm.languageLimit)
    #expect(form.apply(.remove("none")) == nil)
  }

  @Test(
    "languages have the names that people know",
    arguments: [
      ("fr", "French"), ("pt-br", "Portuguese (Brazil)"), ("zh_hant", "Chinese, Traditional"),
      ("en_us", "English (United States)"), ("x1", "x1"),
    ])
  func names(locale: String, name: String) {
    #expect(LanguageNames.name(of: locale) == name)
  }

  // MARK: Who gets what

  @Test("the page says how many devices get each language, and which have no text")
  func coverage() async throws {
    let client = try await client(["fr_FR", "fr-CA", "pt_BR", "pt_PT", "de_DE", "de", nil, "en_US"])
    let page = await compose(client, "preview", Self.texts)
    let shown = part(page.text, from: "id=\"coverage\"", to: "</ul>")
    for words in [
      "French: 2 devices", "Portuguese (Brazil): 1 device, no title, they get that of the fallback",
      "German: 2 devices, no text Add German",
      "Portuguese: 1 device, no text", "Without a known language: 1 device get the fallback",
    ] { #expect(shown.contains(words), "\(words): \(shown)") }
    let json = await client.post(
      client.path("compose"), Self.texts, headers: [("Accept", "application/json")])
    #expect(json.json["coverage"]?.string?.contains("Add German") == true)
    // One text, and one language in the audience.
    let plain = try await self.client(["fr_FR", "fr_CA"])
    let one = await compose(plain, "preview", [("to", "*"), ("text", "Hi")])
    #expect(
      part(one.text, from: "id=\"coverage\"", to: "</ul>")
        .contains("French: 2 devices, no text Add French"))
    let asked = await compose(plain, "review", [("to", "*"), ("text", "Hi")])
    #expect(asked.text.contains("No text in French (2 devices):"))
    let written = await compose(
      plain, "review",
      [("to", "*"), ("text", "Hi"), ("language", "fr"), ("lang_fr_text", "Salut")])
    #expect(!written.text.contains("No text in"))
    let unknown = try await self.client([nil])
    let none = await compose(unknown, "preview", [("to", "*"), ("text", "Hi")])
    #expect(none.text.contains("<div id=\"coverage\"></div>"))
  }

  /// iOS calls Norwegian `nb`, whose parent in CLDR is `no`: OneSignal's list of languages has only the first, others only the
  /// second.
  @Test("a text in Norwegian reaches devices whose language is Bokmål")
  func norwegian() async throws {
    let client = try await client(["nb_NO", "nb", "en"])
    let page = await compose(
      client, "preview", [("to", "*"), ("text", "Hi"), ("language", "no"), ("lang_no_text", "Hei")])
    let shown = part(page.text, from: "id=\"coverage\"", to: "</ul>")
    #expect(shown.contains("Norwegian: 2 devices"))
    #expect(!shown.contains("Bokmål"))
  }

  @Test("the review has the devices and texts of each language, and a sample of each")
  func review() async throws {
    let client = try await client(["en_US", "en_US", "en_US", "fr_FR", "pt_BR", "de"])
    let review = await compose(client, "review", Self.texts)
    #expect(review.status == 200, "\(review.text)")
    let table = part(review.text, from: "How many devices of the audience", to: "</table>")
    for words in [
      "French 1 Soldes 20 % de remise", "Portuguese (Brazil) 1 Sale (fallback) 20% de desconto",
      "Fallback 4 Sale 20% off",
    ] { #expect(table.contains(words), "\(words): \(table)") }
    #expect(review.text.contains("The devices that get the fallback: English 3, German 1."))
    let samples = part(review.text, from: "The texts of 3 devices", to: "</table>")
    #expect(samples.contains("d3 Soldes") && samples.contains("d4 Sale 20% de desconto"))
    // All of it is sent.
    let sent = await compose(client, "send", Self.texts + [("confirm", client.fixture.app.name)])
    #expect(sent.status == 303)
    let send = try await client.fixture.store.sends(
      app: client.fixture.app.id, after: nil, limit: 1
    ).sends.first
    #expect(send?.payload["alert"]?["pt-br"] == "20% de desconto")
    let again = await client.get(client.path("compose?from=\(send?.id ?? "")"))
    #expect(again.text.contains("name=\"lang_fr_title\" lang=\"fr\""))
    #expect(!again.text.contains("Additional JSON</summary>{"))
  }

  @Test("the preview is that of the open language, and of a device where one is chosen")
  func preview() async throws {
    let client = try await client(["fr_FR", "pt_BR"])
    for (fields, shown) in [
      ([("tab", "")], "Light: Sale. 20% off"), ([("tab", "fr")], "Light: Soldes. 20 % de remise"),
      ([("tab", "fr"), ("preview_as", "d1")], "Light: Sale. 20% de desconto"),
    ] {
      let page = await compose(client, "preview", Self.texts + fields)
      #expect(page.text.contains("alt=\"\(shown)"), "\(shown)")
    }
    let page = await compose(client, "preview", Self.texts + [("tab", "fr")])
    #expect(page.text.contains("a device in French without data"))
    #expect(page.text.contains("d0 (French (France))"))
  }

  // MARK: What is refused

  @Test("a fallback that is missing is refused at its field, with the languages that have a text")
  func noFallback() async throws {
    let client = try await client(["fr_FR"])
    let page = await compose(
      client, "review",
      [
        ("to", "*"), ("text", "Hi"), ("language", "fr"), ("lang_fr_title", "Soldes"),
        ("language", "de"), ("lang_de_subtitle", "Mehr"), ("language", "es"),
        ("lang_es_subtitle", "Más"),
      ])
    #expect(page.status == 422)
    for words in [
      "<a href=\"#title\">Title: write the fallback, too. French has one",
      "<a href=\"#subtitle\">Subtitle: write the fallback, too. 2 languages have one",
    ] { #expect(page.text.contains(words), "\(words)") }
    // The rest is previewed.
    #expect(page.text.contains("alt=\"Light: Hi\""))
    let test = await compose(
      client, "test",
      [("text", "Hi"), ("language", "fr"), ("lang_fr_title", "S"), ("test_device", "d0")])
    #expect(test.status == 422)
  }

  @Test("a wrong text in a language is refused at its own field, and the others are shown")
  func wrongText() async throws {
    let client = try await client(["fr_FR"])
    let page = await compose(
      client, "review",
      [
        ("to", "*"), ("text", "Hi"), ("language", "fr"), ("lang_fr_text", "Salut {{ x"),
        ("language", "de"), ("lang_de_text", "Hallo"), ("tab", "de"),
      ])
    #expect(page.status == 422)
    #expect(page.text.contains("<a href=\"#lang_fr_text\">Body in French"))
    #expect(
      page.text.contains("id=\"lang_fr_text\" name=\"lang_fr_text\" lang=\"fr\" dir=\"auto\""))
    #expect(page.text.contains("aria-describedby=\"lang_fr_text-remarks\" aria-invalid=\"true\""))
    #expect(page.text.contains("alt=\"Light: Hallo\""))
  }

  @Test(
    "a text that is too large in one language alone is refused before it fails on those devices")
  func tooLarge() async throws {
    let client = try await client(["fr_FR"])
    func fields(_ count: Int) -> [(String, String)] {
      [
        ("to", "*"), ("text", "Hi"), ("language", "fr"),
        ("lang_fr_text", String(repeating: "é", count: count / 2)),
      ]
    }
    let page = await compose(client, "review", fields(5000))
    #expect(page.status == 422)
    #expect(page.text.contains("<a href=\"#lang_fr_text\">French: "), "\(page.text)")
    let open = await compose(client, "review", fields(5000) + [("tab", "fr")])
    #expect(open.text.contains("<a href=\"#lang_fr_text\">French: "))
    #expect(await compose(client, "review", fields(3800)).status == 200)
    let shortened = await compose(client, "review", fields(5000) + [("shorten", "on")])
    #expect(shortened.status == 200)
  }

  @Test("an in-app message has the fallback alone, and a push beside it has the languages")
  func message() async throws {
    let client = try await client(["fr_FR"])
    let sent = await compose(
      client, "send", Self.texts + [("kind", "both"), ("confirm", client.fixture.app.name)])
    #expect(sent.status == 303)
    let store = client.fixture.store
    let message = try await store.messages(app: client.fixture.app.id, after: nil, limit: 1)
      .elements.first
    #expect(message?.title == "Sale")
    let send = try await store.sends(app: client.fixture.app.id, after: nil, limit: 1).sends.first
    #expect(send?.payload["title"]?["fr"] == "Soldes")
  }

  @Test("markup in the names and texts of languages stays text")
  func markup() async throws {
    let client = try await client(["<script>", "fr"])
    for action in ["preview", "review", "language-add", "language-add-<script>"] {
      let page = await compose(
        client, action,
        Self.texts + [
          ("added_language", "<script>"), ("language", "<script>"), ("tab", "<script>"),
          ("lang_fr_subtitle", "<script>"),
        ])
      #expect(!page.text.contains("<script>"), "\(action)")
      #expect(page.status < 500)
    }
  }

  // MARK: Buttons and campaigns

  @Test("a button adds a language, and the page opens it with the focus in it")
  func button() async throws {
    let client = try await client(["fr_FR", "de"])
    let page = await compose(client, "language-add-de", Self.texts)
    let tab =
      "value=\"de\" checked> <span>German<span class=\"if-empty\"> (empty)</span></span>"
    #expect(page.text.contains(tab))
    #expect(page.text.firstMatch(of: /id="lang_de_title"[^>]* autofocus/) != nil)
    let chosen = await compose(client, "language-add", Self.texts + [("added_language", "es-MX")])
    #expect(chosen.text.contains("value=\"es-mx\" checked>"))
    let part = await client.post(
      client.path("compose"),
      Self.texts + [("action", "language-remove-fr"), ("part", "languages")])
    #expect(part.status == 200 && part.text.hasPrefix("<div id=\"languages\""))
    #expect(!part.text.contains("lang_fr_title"))
    #expect(part.text.contains("id=\"samples\"") && part.text.contains("id=\"personalization\""))
  }

  @Test("a variant of a campaign has languages, with the devices of each in its review")
  func campaign() async throws {
    let client = try await client(["fr_FR", "fr_CA", "en", "en"])
    _ = await client.get(client.path("sends/campaigns/new"))
    let fields: [(String, String)] = [
      ("name", "Sale"), ("to", "*"), ("holdout", "obey"), ("variants", "1"), ("v0_key", "a"),
      ("v0_share", "100"), ("v0_text", "20% off"), ("mode", "all"),
    ]
    func submit(_ action: String, _ more: [(String, String)] = []) async -> Fixture.Answer {
      await client.post(
        client.path("sends/campaigns/new"), fields + more + [("action", action)])
    }
    let added = await submit("v0_language-add-fr")
    #expect(added.text.firstMatch(of: /id="v0_lang_fr_title"[^>]* autofocus/) != nil)
    #expect(
      part(added.text, from: "id=\"v0_coverage\"", to: "</ul>")
        .contains("French: 2 devices, no text, they get the fallback"))
    let refused = await submit(
      "save", [("v0_language", "fr"), ("v0_lang_fr_text", "20 % de {{ x")])
    #expect(refused.status == 422)
    #expect(refused.text.contains("<a href=\"#v0_lang_fr_text\">Variant A: Body in French"))
    let noFallback = await submit("save", [("v0_language", "fr"), ("v0_lang_fr_title", "S")])
    #expect(noFallback.text.contains("<a href=\"#v0_title\">Variant A: Title: write the fallback"))
    let saved = await submit(
      "save", [("v0_language", "fr"), ("v0_lang_fr_text", "20 % de remise")])
    #expect(saved.status == 303, "\(saved.text)")
    let review = await client.get(saved.headers["Location"] ?? "")
    let table = part(review.text, from: "How many devices of Variant A", to: "</table>")
    #expect(table.contains("French 2 20 % de remise") && table.contains("Fallback 2 20% off"))
    let edit = await client.get((saved.headers["Location"] ?? "") + "/edit")
    #expect(edit.text.contains("name=\"v0_language\" value=\"fr\""))
    #expect(edit.text.contains("20 % de remise</textarea>"))
  }
}
