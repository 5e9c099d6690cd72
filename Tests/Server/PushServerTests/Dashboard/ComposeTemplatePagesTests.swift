import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("Templates on the composer's page", .timeLimit(.minutes(10)))
struct ComposeTemplatePagesTests {
  private static let carousel = [
    ("to", "*"), ("title", "Autumn"), ("text", "New coats"), ("link", "app://sale"),
    ("template", "carousel"), ("pages", "3"), ("page0_media_url", "https://img.example/0.jpg"),
    ("page0_title", "Coat"), ("page0_link", "app://coat"),
    ("page1_media_url", "https://img.example/1.jpg"), ("page1_title", "Hat"),
    ("page2_media_url", "https://img.example/2.jpg"), ("page2_title", "Scarf"),
  ]

  /// The fields of the carousel, of which others replace some.
  private static func with(
    _ fields: [(String, String)], without removed: String = ""
  ) -> [(String, String)] {
    let names = Set(fields.map(\.0) + [removed])
    return carousel.filter { !names.contains($0.0) } + fields
  }

  private static let document: JSONValue = [
    "version": 1, "kind": "carousel", "link": "app://sale",
    "pages": [
      ["media": ["url": "https://img.example/0.jpg"], "title": "Coat", "link": "app://coat"],
      ["media": ["url": "https://img.example/1.jpg"], "title": "Hat"],
      ["media": ["url": "https://img.example/2.jpg"], "title": "Scarf"],
    ],
  ]

  private func opened() async throws -> (Fixture, DashboardClient) {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("compose"))
    return (fixture, client)
  }

  @Test("an empty form offers every kind, and has the fields of none")
  func empty() async throws {
    let (_, client) = try await opened()
    let page = await client.get(client.path("compose"))
    #expect(page.text.matches(of: /<option value="[a-z]+">[A-Z][a-z ]+<\/option>/).count >= 12)
    #expect(!page.text.contains("template_texts_title") && !page.text.contains("page0_"))
    let chosen = await client.post(
      client.path("compose"), ["action": "preview", "template": "text"])
    #expect(chosen.text.contains("Phones without it show the fallback"))
  }

  @Test("a template is sent as it was filled, reviewed before and duplicated after")
  func send() async throws {
    let (fixture, client) = try await opened()
    let review = await client.post(client.path("compose"), Self.with([("action", "review")]))
    #expect(review.text.contains("<dt>Expanded</dt><dd>Carousel, 3 pages</dd>"))
    #expect(review.text.contains("name=\"page2_title\" value=\"Scarf\""))
    let sent = await client.post(
      client.path("compose"), Self.with([("action", "send"), ("confirm", fixture.app.name)]))
    #expect(sent.status == 303)
    let sends = try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 9).sends
    let stored = try #require(sends.first)
    #expect(
      stored.payload == [
        "title": "Autumn", "alert": "New coats", "url": "app://sale", "category": "expanded",
        "mutable_content": true, "_martlet": ["template": Self.document],
      ])
    let again = await client.get(client.path("compose?from=\(stored.id)"))
    #expect(again.text.contains("<option value=\"carousel\" selected>"))
    #expect(again.text.contains("id=\"page2_title\" name=\"page2_title\""))
    #expect(again.text.contains("value=\"Scarf\""))
  }

  @Test("a push beside an in-app message has the template, and a test has it")
  func otherSends() async throws {
    let (fixture, client) = try await opened()
    let test = await client.post(
      client.path("compose"), Self.with([("action", "test"), ("test_device", "d1")]))
    #expect(test.text.contains("Test sent."))
    let both = await client.post(
      client.path("compose"),
      Self.with([("action", "send"), ("kind", "both"), ("confirm", fixture.app.name)]))
    #expect(both.status == 303)
    let sends = try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 9).sends
    #expect(sends.map { $0.payload["_martlet"]?["template"] } == [Self.document, Self.document])
  }

  @Test(
    "a template that phones cannot read is not sent; the page links to the field",
    arguments: ["review", "test", "send"])
  func refused(action: String) async throws {
    let (fixture, client) = try await opened()
    let answer = await client.post(
      client.path("compose"),
      Self.with(
        [
          ("action", action), ("test_device", "d1"), ("confirm", fixture.app.name),
          ("page1_title", String(repeating: "a", count: 257)),
        ]))
    #expect(answer.status == 422)
    let message = "Title of page 2 is longer than the 256 characters that are shown."
    #expect(answer.text.contains("<li><a href=\"#page1_title\">\(message)</a></li>"))
    #expect(answer.text.contains("data-remarks=\"page1_title\"><div class=\"finding error\">"))
    #expect(
      answer.text.contains(
        "name=\"page1_title\" aria-describedby=\"page1_title-remarks\" aria-invalid"))
    // The fallback is shown meanwhile, and what was entered stays.
    #expect(answer.text.contains("src=\"data:image/jpeg;base64,/9j/"))
    #expect(answer.text.contains("value=\"Scarf\""))
    #expect(try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 9).total == 0)
  }

  @Test("the preview says at which page something is wrong, and whether it has a template")
  func remarks() async throws {
    let (_, client) = try await opened()
    func preview(_ fields: [(String, String)]) async -> JSONValue {
      await client.post(client.path("compose"), fields, headers: [("Accept", "application/json")])
        .json
    }
    let good = await preview(Self.carousel)
    #expect(good["template"] == true && good["sendable"] == true)
    let plain = await preview([("to", "*"), ("title", "Autumn"), ("text", "New coats")])
    #expect(plain["template"] == false)
    #expect((good["bytes"]?.integer ?? 0) > (plain["bytes"]?.integer ?? 0) + 200)
    let few = await preview(Self.with([], without: "page0_media_url"))
    #expect(few["remarks"]?.array?.first?["field"] == "page0_media_url")
    #expect(few["sendable"] == false && few["devices"] == 1)
    // The lint's remarks are at their fields, too.
    let link = await preview(
      Self.with([("page2_link", "shop.example/scarf")]))
    #expect(link["sendable"] == true)
    let long = await preview(
      Self.with((0..<3).map { ("page\($0)_body", String(repeating: "b", count: 1500)) }))
    #expect(long["sendable"] == false)
    let size = long["remarks"]?.array?.first { $0["severity"] == "refusal" }
    #expect(size?["message"]?.string?.contains("4096 bytes") == true, "\(long.text)")
    #expect(size?["advice"]?.string?.contains("template") == true)
  }

  @Test("the picture shows the expanded notification and its fallback")
  func picture() async throws {
    let (_, client) = try await opened()
    func height(_ fields: [(String, String)]) async -> Int {
      let answer = await client.post(
        client.path("compose"),
        [("to", "*"), ("text", "Which one?"), ("action", "card")] + fields)
      #expect(answer.headers["Content-Type"] == "image/jpeg")
      // The frame header of a JPEG (ITU-T T.81, B.2.2).
      guard let start = answer.bytes.firstRange(of: [0xff, 0xc0])?.upperBound else { return 0 }
      return Int(answer.bytes[start + 3]) << 8 | Int(answer.bytes[start + 4])
    }
    let plain = await height([])
    let poll = await height([("template", "poll"), ("template_choices", "Tea\nCoffee\nWater")])
    // Three choices of at least 44 points, and the plain expanded view below, at two pixels a point.
    #expect(plain > 0 && poll > plain + 2 * 3 * 44 + 2 * 60)
    let broken = await height([("template", "poll"), ("template_choices", "Tea")])
    #expect(broken == plain)
  }

  @Test("without JavaScript, buttons add, remove and move pages, and an upload goes to its page")
  func withoutScript() async throws {
    let (_, client) = try await opened()
    let more = await client.post(client.path("compose"), Self.with([("action", "page-add")]))
    #expect(more.status == 200 && more.text.contains("<legend class=\"hidden\">Page 4</legend>"))
    #expect(more.text.contains("name=\"pages\" value=\"4\""))
    #expect(more.text.contains("aria-describedby=\"page3_media_url-remarks\" autofocus"))
    let moved = await client.post(client.path("compose"), Self.with([("action", "page-up-2")]))
    let titles = moved.text.matches(of: /name="page\d_title"[^>]* value="([A-Za-z]+)"/)
    #expect(titles.map { String($0.1) } == ["Coat", "Scarf", "Hat"])
    let less = await client.post(client.path("compose"), Self.with([("action", "page-remove-0")]))
    #expect(!less.text.contains("value=\"Coat\"") && !less.text.contains("Page 3"))

    let uploaded = await client.upload(
      client.path("compose"), Self.with([("action", "preview")]),
      file: try Fixtures.bytes("media/picture.png"), named: "hat.png", in: "page1_media_url_file")
    let value =
      /name="page1_media_url"[^>]* value="http:\/\/push\.example\/media\/[0-9a-f]{32}\.png"/
    #expect(uploaded.text.contains(value))
    #expect(uploaded.text.contains("value=\"https://img.example/0.jpg\""))
    let text = await client.upload(
      client.path("compose"), Self.with([("action", "preview")]), file: Array("text".utf8),
      named: "hat.png", in: "page1_media_url_file")
    #expect(text.status == 415 && text.text.contains("<li><a href=\"#page1_media_url\">"))
  }

  @Test("the fields of a template are also answered alone, and escape what was entered")
  func part() async throws {
    let (_, client) = try await opened()
    let markup = "\"><script>alert(1)</script>"
    let part = await client.post(
      client.path("compose"),
      Self.with(
        [
          ("part", "template"), ("action", "page-down-0"), ("page0_body", markup),
          ("template_x", markup),
        ]))
    #expect(
      part.status == 200
        && part.text.hasPrefix("<div id=\"template-fields\" data-kind=\"carousel\">"))
    #expect(part.headers["Content-Security-Policy"] != nil)
    #expect(!part.text.contains("<script") && !part.text.contains(client.token))
    #expect(part.text.contains("id=\"page1_down\" name=\"action\" value=\"page-down-1\" autofocus"))
    let none = await client.post(
      client.path("compose"), ["part": "template", "template": "origami"])
    #expect(none.text.hasPrefix("<div id=\"template-fields\" data-kind=\"\"></div>"))
    let unknown = await client.post(client.path("compose"), ["part": "template"])
    client.cookie = nil
    #expect(await client.post(client.path("compose"), ["part": "template"]).status != 200)
    #expect(unknown.status == 200)
  }

  @Test("what was entered for one kind is kept while another one is chosen")
  func otherKind() async throws {
    let (_, client) = try await opened()
    let poll = await client.post(
      client.path("compose"),
      Self.with([("template", "poll"), ("part", "template"), ("template_advance", "3")]))
    #expect(poll.text.contains("<textarea rows=\"2\" id=\"template_choices\""))
    #expect(!poll.text.contains("<fieldset"))
    for field in [
      "name=\"pages\" value=\"3\"", "name=\"page2_title\" value=\"Scarf\"",
      "name=\"template_advance\" value=\"3\"",
    ] {
      #expect(poll.text.contains("<input type=\"hidden\" \(field)>"), "\(field)")
    }
    #expect(poll.text.matches(of: /name="pages"/).count == 1)
  }
}
