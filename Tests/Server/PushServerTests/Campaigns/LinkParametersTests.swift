import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("UTM parameters of campaigns", .timeLimit(.minutes(5)))
struct LinkParametersTests {
  private static let two = LinkParameters(["source": "martlet", "campaign": "autumn"])

  @Test(
    "are added to a link before its fragment and after its query, and never twice",
    arguments: [
      ("https://example.com", "https://example.com?+"),
      ("https://example.com/", "https://example.com/?+"),
      ("http://example.com/a/b", "http://example.com/a/b?+"),
      ("HTTPS://example.com/a", "HTTPS://example.com/a?+"),
      ("https://example.com/?id=1", "https://example.com/?id=1&+"),
      ("https://example.com/?", "https://example.com/?+"),
      ("https://example.com/?id=1&", "https://example.com/?id=1&+"),
      ("https://example.com/#top", "https://example.com/?+#top"),
      ("https://example.com/?a=1#top", "https://example.com/?a=1&+#top"),
      // A question mark in the fragment begins no query, and a second one is a part of the query.
      ("https://example.com/#/route?x=1", "https://example.com/?+#/route?x=1"),
      ("https://example.com/?a=1?b#", "https://example.com/?a=1?b&+#"),
      ("https://example.com/?a=b,c&flag", "https://example.com/?a=b,c&flag&+"),
      ("https://example.com/?q=%2s%zz", "https://example.com/?q=%2s%zz&+"),
      ("https://example.com/ü?x=é#ñ", "https://example.com/ü?x=é&+#ñ"),
      ("https://user@example.com:8443/?a=1", "https://user@example.com:8443/?a=1&+"),
    ])
  func added(link: String, expected: String) {
    let added = Self.two.added(to: link)
    #expect(
      added == expected.replacing("+", with: "utm_source=martlet&utm_campaign=autumn"))
    #expect(Self.two.added(to: added) == added)
  }

  @Test(
    "leave a parameter that a link has already, however it is written",
    arguments: [
      ("https://e.co/?utm_source=mail", "https://e.co/?utm_source=mail&utm_campaign=autumn"),
      ("https://e.co/?UTM_Source=mail", "https://e.co/?UTM_Source=mail&utm_campaign=autumn"),
      ("https://e.co/?utm%5Fsource=x&a", "https://e.co/?utm%5Fsource=x&a&utm_campaign=autumn"),
      ("https://e.co/?utm_source", "https://e.co/?utm_source&utm_campaign=autumn"),
      ("https://e.co/?utm_source=&utm_campaign=", "https://e.co/?utm_source=&utm_campaign="),
      (
        "https://e.co/?x_utm_source=1",
        "https://e.co/?x_utm_source=1&utm_source=martlet&utm_campaign=autumn"
      ),
      // What is in the fragment is for the page and not for its server.
      (
        "https://e.co/#utm_source=1",
        "https://e.co/?utm_source=martlet&utm_campaign=autumn#utm_source=1"
      ),
    ])
  func present(link: String, expected: String) {
    #expect(Self.two.added(to: link) == expected)
  }

  @Test(
    "change no link but those of the web",
    arguments: [
      "app://sale", "app://sale?x=1#y", "mailto:a@example.com", "tel:+4930123", "/sale", "",
      "httpsx://example.com", "example.com/a",
    ])
  func others(link: String) {
    #expect(Self.two.added(to: link) == link)
  }

  /// The cases of url/urlsearchparams-stringifier.any.js in web-platform-tests, in our words.
  @Test(
    "are written as the URL Standard serializes a form",
    arguments: [
      ("b c", "b+c"), ("b+c", "b%2Bc"), ("=", "%3D"), ("&", "%26"), ("*-._", "*-._"),
      ("b%c", "b%25c"), ("b\u{0}c", "b%00c"), ("b\u{1F4A9}c", "b%F0%9F%92%A9c"),
      ("c\rd", "c%0Dd"), ("g\r\nh", "g%0D%0Ah"), ("a~b", "a%7Eb"), ("a#b?c", "a%23b%3Fc"),
    ])
  func encoded(value: String, expected: String) {
    let one = LinkParameters(["source": value])
    #expect(one.added(to: "https://e.co/") == "https://e.co/?utm_source=" + expected)
  }

  @Test(
    "go around Liquid in a link",
    arguments: [
      ("https://e.co/{{ event.slug }}", "https://e.co/{{ event.slug }}?+"),
      ("https://e.co/{{ \"#?\" }}?a=1#x", "https://e.co/{{ \"#?\" }}?a=1&+#x"),
      ("https://e.co/?p={% if a %}1#{% endif %}", "https://e.co/?p={% if a %}1&+#{% endif %}"),
      ("https://e.co/?a={{ x }", "https://e.co/?a={{ x }&+"),
      ("https://e.co/{a}?b", "https://e.co/{a}?b&+"),
    ])
  func liquid(link: String, expected: String) {
    #expect(
      Self.two.added(to: link)
        == expected.replacing("+", with: "utm_source=martlet&utm_campaign=autumn"))
  }

  @Test("are one insertion in any link, and adding again changes nothing")
  func random() {
    let parts = [
      "?", "#", "&", "=", "%", "{{", "}}", "{%", "%}", "utm_source", "a", "é", "%5F", "+",
    ]
    var seed: UInt64 = 1
    func next(below limit: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % UInt64(limit))
    }
    for _ in 0..<5000 {
      let link =
        "https://e.co/"
        + (0..<next(below: 13)).map { _ in parts[next(below: parts.count)] }
        .joined()
      let added = Self.two.added(to: link)
      #expect(Self.two.added(to: added) == added, "\(link)")
      let (old, new) = (Array(link.utf8), Array(added.utf8))
      let start = zip(old, new).prefix { $0 == $1 }.count
      let end = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
      #expect(start + end >= old.count, "\(link)")
      // No more is inserted than the two parameters with a mark before each.
      #expect(new.count - old.count <= "?utm_source=martlet&utm_campaign=autumn".utf8.count)
    }
  }

  // MARK: Campaigns

  @Test("the pushes of a campaign have them on the link and on the buttons, and media have not")
  func campaign() async throws {
    let all = try await CampaignFixture(devices: 2)
    let media = "https://cdn.example.com/a.png"
    let payload: JSONValue = [
      "alert": "Hi", "url": "https://e.co/sale#top", "mutable_content": true,
      "_martlet": [
        "media": [["url": .string(media)]],
        "buttons": [
          ["title": "Shop", "url": "https://e.co/?b=1"], ["title": "Call", "url": "tel:1"],
        ],
      ],
    ]
    let variants: JSONValue = [["key": "a", "payload": payload]]
    let utm: JSONValue = ["source": "martlet", "medium": "push", "campaign": "Autumn sale"]
    let id = try await all.create(["variants": variants, "utm": utm])
    let stored = await all.get("campaigns/\(id)")["campaign"]
    #expect(stored?["utm"] == utm && stored?["variants"]?.array?[0]["payload"] == payload)
    _ = await all.post("campaigns/\(id)/test", ["to": "d0"])
    _ = await all.post("campaigns/\(id)/start")
    await all.deliver()
    let query = "utm_source=martlet&utm_medium=push&utm_campaign=Autumn+sale"
    #expect(all.fixture.apple.taken.count == 3)
    for taken in all.fixture.apple.taken {
      #expect(taken.payload["url"]?.string == "https://e.co/sale?\(query)#top")
      let rich = taken.payload["_martlet"]
      #expect(rich?["buttons"]?.array?[0]["url"]?.string == "https://e.co/?b=1&\(query)")
      #expect(rich?["buttons"]?.array?[1]["url"]?.string == "tel:1")
      #expect(rich?["media"]?.array?[0]["url"]?.string == media)
    }
    let client = try await DashboardClient.signedIn(all.fixture, as: .push)
    let copy = await all.post("campaigns/\(id)/duplicate").json["campaign"]?["id"]?.string ?? ""
    let page = await client.get(client.path("sends/campaigns/\(copy)")).text
    #expect(page.contains("utm_campaign=Autumn+sale"))
    // The form has the link as it was written.
    let form = await client.get(client.path("sends/campaigns/\(copy)/edit")).text
    #expect(form.contains("value=\"https://e.co/sale#top\""))
  }

  @Test("each message of a triggered campaign has them")
  func triggered() async throws {
    let all = try await CampaignFixture(devices: 1)
    let body: JSONValue = [
      "campaign": [
        "name": "Cart", "to": "*", "when": ["trigger": "api"], "utm": ["source": "cart"],
        "steps": [
          ["variants": [["key": "a", "payload": ["alert": "One", "url": "https://e.co/1"]]]],
          [
            "after": "P1D",
            "variants": [["key": "a", "payload": ["alert": "Two", "url": "https://e.co/2"]]],
          ],
        ],
      ]
    ]
    let id = try #require(await all.post("campaigns", body).json["campaign"]?["id"]?.string)
    for step in 1...2 {
      let test: JSONValue = ["to": "d0", "step": .integer(Int64(step))]
      #expect(await all.post("campaigns/\(id)/test", test).status == 201)
    }
    await all.deliver()
    let links = all.fixture.apple.taken.compactMap { $0.payload["url"]?.string }
    #expect(Set(links) == ["https://e.co/1?utm_source=cart", "https://e.co/2?utm_source=cart"])
  }

  @Test(
    "are refused where they say nothing, or where Liquid writes the whole link",
    arguments: [
      ([:], "$.campaign.utm must have a parameter"),
      (["source": ""], "$.campaign.utm.source must be 1 to 255 characters"),
      (["source": "{{ user_id }}"], "without Liquid"),
      (["source": .string(String(repeating: "a", count: 256))], "must be 1 to 255"),
      (["sauce": "a"], "sauce is not known; known are campaign, content"),
      (["source": "a"], "payload.url begins with Liquid"),
    ] as [(JSONValue, String)])
  func refused(utm: JSONValue, words: String) async throws {
    let all = try await CampaignFixture(devices: 1)
    let payload: JSONValue = ["alert": "Hi", "url": "{{ event.url }}"]
    let variants: JSONValue = [["key": "a", "payload": payload]]
    let answer = await all.post(
      "campaigns", CampaignFixture.document(["variants": variants, "utm": utm]))
    #expect(answer.status == 422 && answer.error.contains(words), "\(answer.text)")
    let most: JSONValue = ["source": .string(String(repeating: "a", count: 255))]
    #expect(await all.post("campaigns", CampaignFixture.document(["utm": most])).status == 201)
  }
}
