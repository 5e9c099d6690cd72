import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("The form of a campaign", .timeLimit(.minutes(10)))
struct CampaignFormTests {
  /// What a browser submits of a new form in which only the texts were written.
  private static let filled: [(String, String)] = [
    ("name", "Autumn sale"), ("labels", "sale, autumn"), ("to", "*"), ("holdout", "obey"),
    ("variants", "2"),
    ("v0_key", "a"), ("v0_name", "Short"), ("v0_share", "45"), ("v0_title", "Sale"),
    ("v0_text", "20% off"),
    ("v1_key", "b"), ("v1_share", "45"), ("v1_text", "Your coat is here"), ("v1_sound", "ping.caf"),
    ("control", "10"), ("mode", "test"), ("sample", "20"), ("metric", "opens"),
    ("decide", "clock"), ("decide_after", "4"), ("decide_unit", "hours"), ("no_winner", "default"),
    ("goal0_event", "bought"), ("goal0_within", "3"), ("goal0_unit", "days"),
    ("scheduled_at", ""), ("throttle", "500"),
  ]

  private static func fields(_ changes: [String: String?]) -> [(String, String)] {
    filled.filter { changes[$0.0] == nil }
      + changes.compactMap { name, value in value.map { (name, $0) } }
  }

  private func client(devices: Int = 5) async throws -> DashboardClient {
    let all = try await CampaignFixture(devices: devices)
    let client = try await DashboardClient.signedIn(all.fixture, as: .push)
    _ = await client.get(client.path("sends/campaigns/new"))
    return client
  }

  private func save(
    _ client: DashboardClient, _ changes: [String: String?] = [:], at path: String = "new"
  ) async -> Fixture.Answer {
    await client.post(
      client.path("sends/campaigns/\(path)"), Self.fields(changes) + [("action", "save")])
  }

  private func campaigns(_ client: DashboardClient) async throws -> [Campaign] {
    try await client.fixture.store.campaigns(
      app: client.fixture.app.id, matching: CampaignQuery(""), after: nil, limit: 50
    ).elements
  }

  @Test("what is written in its fields becomes the document that the API stores")
  func document() async throws {
    let client = try await client()
    let answer = await save(client)
    let campaign = try #require(try await campaigns(client).first, "\(answer.text)")
    #expect(answer.status == 303)
    #expect(answer.headers["Location"] == client.path("sends/campaigns/\(campaign.id)"))
    #expect(campaign.name == "Autumn sale" && campaign.labels == ["sale", "autumn"])
    let expected: JSONValue = [
      "to": "*", "when": ["at": "now"],
      "variants": [
        [
          "key": "a", "name": "Short", "share": 45,
          "payload": ["title": "Sale", "alert": "20% off"],
        ],
        [
          "key": "b", "share": 45,
          "payload": ["alert": "Your coat is here", "sound": "ping.caf"],
        ],
        ["key": "control", "share": 10],
      ],
      "test": [
        "sample": 20, "metric": "opens", "decide_after": "PT4H", "no_winner": "default",
      ],
      "goals": [["event": "bought", "within": "P3D"]], "limits": ["per_second": 500],
    ]
    #expect(campaign.document == expected)
  }

  @Test("a document comes back from the form as it was, with what the form has no field for")
  func roundTrip() throws {
    let document: JSONValue = [
      "to": [
        "all": [["name": "tags", "criteria": ["gold"]]], "except": [["received": "send"]],
      ],
      "when": ["at": "2100-01-02T10:00:00.000Z"],
      "variants": [
        [
          "key": "x1", "share": 60, "later": ["a": 1],
          "payload": [
            "title": "T", "alert": ["default": "Hi", "de": "Hallo"], "url": "app://sale",
            "mutable_content": true,
            "_martlet": [
              "media": [["url": "https://x.example/a.png"]], "buttons": [["title": "Read"]],
            ],
          ],
        ],
        ["key": "b", "share": 40, "payload": ["alert": "Two"]],
      ],
      "test": ["sample": 30, "metric": "opens", "no_winner": "none", "later": 5],
      "limits": ["holdout": "ignore", "later": 7], "unknown": ["kept": true],
    ]
    let now = Timestamp(milliseconds: 1_700_000_000_000)
    let campaign = Campaign(
      id: "c", app: "app", name: "Name", document: document, createdAt: now)
    let form = try CampaignForm(campaign, at: now)
    #expect(!form.isDecidedByClock && form.variants.map(\.key) == ["x1", "b"])
    #expect(form.variants[0].compose[.link] == "app://sale")
    var written = try form.document().object ?? [:]
    #expect(written["name"] == "Name")
    written["name"] = nil
    #expect(.object(written) == document)
  }

  @Test("a campaign of in-app messages comes back from the form as it was")
  func messages() throws {
    let document: JSONValue = [
      "to": "*", "when": ["at": "2100-01-02T10:00:00.000Z"],
      "variants": [
        [
          "key": "a", "share": 50,
          "message": [
            "title": "T", "text": "Text", "url": "https://shop.example", "unpublish_after": "P7D",
            "card_image_url": "https://x.example/a.png", "custom": ["a": "b"],
          ],
        ],
        [
          "key": "b", "share": 50, "later": 1,
          "message": [
            "title": "U", "card_media_url": "https://x.example/b.mp4",
            "card_image_url": "https://x.example/b.png",
          ],
        ],
      ],
      "limits": ["holdout": "ignore"],
    ]
    let now = Timestamp(milliseconds: 1_700_000_000_000)
    let form = try CampaignForm(
      Campaign(id: "c", app: "app", name: "Name", document: document, createdAt: now), at: now)
    #expect(form.isInApp && form.variants[1].compose[.media] == "https://x.example/b.mp4")
    var written = try form.document().object ?? [:]
    written["name"] = nil
    #expect(.object(written) == document)
  }

  @Test(
    "media whose file name does not say what it is stays as it was written",
    arguments: [
      ("card_media_url", "https://x.example/clip"), ("card_media_url", "https://x.example/a.mp3"),
      ("card_image_url", "https://x.example/a.mp4"),
    ])
  func unknownMedia(member: String, address: String) throws {
    let document: JSONValue = [
      "to": "*", "when": ["at": "now"],
      "variants": [
        [
          "key": "a", "share": 100,
          "message": .object(["title": "T", member: .string(address)]),
        ]
      ],
    ]
    let now = Timestamp(milliseconds: 1_700_000_000_000)
    let form = try CampaignForm(
      Campaign(id: "c", app: "app", name: "Name", document: document, createdAt: now), at: now)
    #expect(try form.document()["variants"] == document["variants"])
  }

  @Test("in-app messages are written, refused where they cannot be, reviewed, and published")
  func publishesMessages() async throws {
    let client = try await client()
    let fields: [String: String?] = [
      "kind": "message", "v0_title": "Sale", "v1_title": "Coats", "v0_life": "7",
      "v0_life_unit": "days", "throttle": "500", "mode": "all",
    ]
    let refusals: [(changes: [String: String?], words: String)] = [
      (["v1_title": ""], "Variant B: Title"),
      (["v0_life": "91"], "Variant A, visible for: enter a time from 1 minute to 90 days."),
      (
        ["scheduled_at": "2100-01-01T00:00", "local_time": "on"],
        "it has no local time."
      ),
    ]
    for (changes, words) in refusals {
      let answer = await save(client, fields.merging(changes) { $1 })
      #expect(answer.status == 422 && answer.text.contains(words), "\(words)")
    }
    #expect(await save(client, fields).status == 303)
    let campaign = try #require(try await campaigns(client).first)
    #expect(campaign.document["limits"] == nil)
    #expect(campaign.document["variants"]?.array?[0]["message"]?["unpublish_after"] == "P7D")
    let page = client.path("sends/campaigns/\(campaign.id)")
    let review = await client.get(page).text
    #expect(review.contains("5 devices, also those that allow no pushes."))
    #expect(review.contains("As the app shows them") && review.contains("inbox-row"))
    #expect(review.contains("Inboxes show it for 7 days."))
    let tested = await client.post(
      page, ["action": "test", "variant": "1/a", "test_device": "d0", "once": "1"])
    #expect(tested.headers["Location"]?.contains("?published=") == true)
    let started = await client.post(
      page, ["action": "start", "version": "1", "confirm": client.fixture.app.name])
    #expect(started.status == 303, "\(started.text)")
    let live = await client.get(page).text
    #expect(live.contains("It is in the inbox of") && live.contains("Shown over the app"))
    #expect(live.contains("Inboxes stop showing it when they next load."))
  }

  @Test(
    "a schedule, limits and members that the form does not know are kept",
    arguments: [
      [
        "every": [
          "unit": "week", "days": ["mon"], "time": "09:00", "zone": "device", "later": [1],
        ],
        "missed": "skip", "later": "x",
      ],
      ["at": "now", "later": 1],
    ] as [JSONValue])
  func keeps(when: JSONValue) throws {
    let document: JSONValue = [
      "to": "*", "when": when,
      "variants": [["key": "a", "share": 100, "payload": ["alert": "Hi"]]],
      "goals": [["event": "bought", "within": "P3D", "items": ["gte": 2]]],
      "limits": [
        "quiet": ["from": "22:00", "to": "08:00", "else": "drop", "later": 2],
        "caps": "ignore", "counts": true,
        "per_second": 5,
      ],
    ]
    let now = Timestamp(milliseconds: 1_700_000_000_000)
    let campaign = Campaign(id: "c", app: "app", name: "Name", document: document, createdAt: now)
    var written = try CampaignForm(campaign, at: now).document().object ?? [:]
    written["name"] = nil
    #expect(.object(written) == document)
  }

  @Test(
    "an audience that the form can write is chosen in its fields",
    arguments: [
      "*", "a", ["any": ["a", "b"], "except": ["c", ["received": "s"]]], ["except": ["c"]],
      ["any": [["received": "s", "opened": false]]],
    ] as [JSONValue])
  func target(_ target: JSONValue) throws {
    let now = Timestamp(milliseconds: 1_700_000_000_000)
    let variants: JSONValue = [["key": "a", "payload": ["alert": "Hi"]]]
    let campaign = Campaign(
      id: "c", app: "app", name: "Name", document: ["to": target, "variants": variants],
      createdAt: now)
    let form = try CampaignForm(campaign, at: now)
    #expect(form.target == target && form.form["to"] != CampaignForm.keptTarget)
  }

  @Test(
    "what is wrong is said in the form's words, with a link to the field",
    arguments: [
      (["name": nil], "name", "Give the campaign a name"),
      (["name": String(repeating: "x", count: 256)], "name", "Name must be 1 to 255 characters"),
      (["labels": String(repeating: "x", count: 65)], "labels", "Labels must be 1 to 64"),
      (["to": nil], "to", "Choose who gets it."),
      (["to": "gone"], "to", "has been deleted"),
      (["v0_title": nil, "v0_text": nil], "v0_title", "Variant A: write a title or a body."),
      (["v1_text": "{{ custom.x"], "v1_text", "Variant B: Body"),
      (["v0_share": "0"], "v0_share", "Variant A: enter its share"),
      (["v0_share": "101"], "v0_share", "Variant A: enter its share"),
      (["v0_share": "44"], "v0_share", "The shares add up to 99 and must add up to 100"),
      (["control": "x"], "control", "Control: enter a whole number"),
      (["sample": "0"], "sample", "Sample: enter a whole number from 1 to 99."),
      (["sample": "100"], "sample", "Sample: enter a whole number from 1 to 99."),
      (["decide_after": "0"], "decide_after", "from 1 minute to 30 days"),
      (["decide_after": "721"], "decide_after", "from 1 minute to 30 days"),
      (["metric": "conversions", "goal0_event": nil], "goal0_event", "name the event of a goal"),
      (["goal0_event": "a\"b"], "goal0_event", "is not the name of an event"),
      (["goal0_within": "31"], "goal0_within", "Goal 1: enter a time"),
      (["local_time": "on"], "local_time", "A test cannot be sent in each device"),
      (["scheduled_at": "2020-01-02T10:00"], "scheduled_at", "Send at is in the past"),
      (["throttle": "0"], "throttle", "Rate limit (per second) must be"),
      (["variants": "1", "v0_share": "90"], "variant-add", "A test compares two variants"),
    ] as [([String: String?], String, String)])
  func problems(_ changes: [String: String?], _ field: String, _ words: String) async throws {
    let client = try await client()
    let page = await save(client, changes)
    #expect(page.status == 422)
    let link = page.text.firstMatch(of: /<li><a href="#([^"]+)">([^<]+)<\/a><\/li>/)
    #expect(link?.1 == field[...] && link?.2.contains(words) == true, "\(link?.0 ?? "none")")
    #expect(page.text.contains("id=\"\(field)\""))
    #expect(page.text.contains("<title>Error: New campaign · Martlet</title>"))
    #expect(page.text.contains("id=\"refusals\" tabindex=\"-1\" autofocus"))
    #expect(try await campaigns(client).isEmpty)
  }

  @Test("lists all that is wrong at once, keeps what was written, and accepts it once it is mended")
  func everything() async throws {
    let client = try await client()
    let page = await save(
      client, ["name": nil, "to": nil, "v0_share": "x", "sample": "", "goal0_within": "99"])
    #expect(page.text.matches(of: /<li><a href="#/).count == 5)
    #expect(page.text.contains("Nothing was saved."))
    #expect(page.text.contains("name=\"v0_title\"") && page.text.contains("value=\"Sale\""))
    #expect(page.headers["Cache-Control"] == "private, no-cache")
    #expect(await save(client).status == 303)
  }

  @Test(
    "what a hidden field has as JSON is checked as a body is",
    arguments: ["kept", "kept_to", "s0_kept", "v0_kept", "e0_where", "e0_kept"])
  func hidden(field: String) async throws {
    let client = try await client()
    for (text, status, words) in [
      (#"{"a":["b\u0000"]}"#, 422, "U+0000"), (#"{"a\u0000":1}"#, 422, "U+0000"),
      (#"{"a":1"#, 400, "the field \(field) is not JSON"),
      (#"{"a":1,"a":2}"#, 400, "repeats a key"),
    ] {
      let page = await save(client, [field: text])
      #expect(page.status == status && page.text.contains(words), "\(page.text)")
    }
    #expect(try await campaigns(client).isEmpty)
    #expect(await save(client, [field: #"{"a\\u0000":1}"#]).status != 400)
  }

  @Test("variants are added up to the limit, removed, and divided evenly, without a script")
  func variants() async throws {
    let client = try await client()
    let path = client.path("sends/campaigns/new")
    func press(_ action: String, _ changes: [String: String?] = [:]) async -> String {
      await client.post(path, Self.fields(changes) + [("action", action)]).text
    }
    let added = await press("variant-add")
    #expect(added.contains("name=\"v2_key\" value=\"c\"") && added.contains("Variant C"))
    #expect(added.contains("name=\"variants\" value=\"3\""))
    let removed = await press("variant-remove-0")
    #expect(removed.contains("name=\"v0_key\" value=\"b\"") && !removed.contains("v1_key"))
    let even = await press("variant-even", ["control": "9"])
    #expect(even.contains("name=\"v0_share\"") && even.contains("value=\"46\""))
    #expect(even.contains("value=\"45\""))

    var form = CampaignForm()
    for _ in 2..<CampaignPlan.variantLimit { #expect(form.apply(.add(step: 0)) != nil) }
    #expect(form.variantCount == CampaignPlan.variantLimit && form.apply(.add(step: 0)) == nil)
    #expect(Set(form.variants.map(\.key)).count == CampaignPlan.variantLimit)
    _ = form.apply(.even)
    #expect(form.variants.map(\.share) == Array(repeating: "10", count: 10))
    for _ in 1..<CampaignPlan.variantLimit { #expect(form.apply(.remove(0)) != nil) }
    #expect(form.apply(.remove(0)) == nil && form.variantCount == 1)
    #expect(form.variants.map(\.share) == ["100"], "the only variant has the whole share")
  }

  @Test(
    "a page draws one variant, and has a button for each other one",
    arguments: [
      (shown: nil, alt: "Sale. 20% off", stays: "0", other: ("1", "Variant B")),
      ("0", "Sale. 20% off", "0", ("1", "Variant B")),
      ("1", "Your coat is here", "1", ("0", "Variant A")),
      ("2", "Your coat is here", "1", ("0", "Variant A")),
      ("x", "Sale. 20% off", "0", ("1", "Variant B")),
    ] as [(shown: String?, alt: String, stays: String, other: (String, String))])
  func preview(row: (shown: String?, alt: String, stays: String, other: (String, String)))
    async throws
  {
    let client = try await client()
    let page = await client.post(
      client.path("sends/campaigns/new"),
      Self.fields([:]) + [("action", "preview")] + (row.shown.map { [("shown", $0)] } ?? []))
    #expect(page.status == 200)
    #expect(page.text.matches(of: /src="data:image\/jpeg;base64,\/9j\//).count == 1)
    #expect(page.text.contains("alt=\"Light: \(row.alt)\""))
    let (number, title) = row.other
    #expect(page.text.contains("name=\"shown\" value=\"\(number)\">\(title)</button>"))
    #expect(page.text.contains("type=\"hidden\" name=\"shown\" value=\"\(row.stays)\""))
    #expect(page.text.matches(of: /<button [^>]*name="shown"/).count == 1)
  }

  @Test("the preview follows the variant that is written, with its remarks and the steps")
  func livePreview() async throws {
    let client = try await client()
    let path = client.path("sends/campaigns/new")
    func ask(_ shown: String, _ changes: [String: String?] = [:]) async -> JSONValue {
      await client.post(
        path, Self.fields(changes) + [("action", "preview"), ("shown", shown)],
        headers: [("Accept", "application/json")]
      ).json
    }
    func steps(_ answer: JSONValue) -> [String] {
      (answer["steps"]?.array ?? []).map { $0["words"]?.string ?? "" }
    }
    let first = await ask("0")
    #expect(steps(first) == ["5 devices", "2 variants", "when started"], "\(first)")
    let second = await ask("1", ["v1_text": "{{ x", "v1_badge": "-", "name": nil])
    let places = (second["remarks"]?.array ?? []).compactMap { $0["field"]?.string }
    #expect(places.contains("v1_text") && places.contains("v1_badge"), "\(places)")
    #expect(steps(second).prefix(2) == ["1 to do", "2 to do"])
    #expect(second["set"]?["options"] == "Sound, Badge" && second["bytes"] == .null)
    var pictures: Set<[UInt8]> = []
    for shown in ["0", "1", "7"] {
      let card = await client.post(
        path, Self.fields([:]) + [("action", "card"), ("quick", "1"), ("shown", shown)])
      #expect(card.headers["Content-Type"] == "image/jpeg")
      pictures.insert(card.bytes)
    }
    // A number that no variant has stands for the last one.
    #expect(pictures.count == 2)
    let inbox = await ask("0", ["kind": "message"])
    #expect(inbox["inbox"]?.string?.contains("20% off") == true)
  }

  @Test(
    "a variant has buttons, custom data and the pages of a template, which come back from the draft"
  )
  func wholeMessage() async throws {
    let client = try await client()
    let path = client.path("sends/campaigns/new")
    let changes: [String: String?] = [
      "v0_button0_title": "Read", "v0_button2_title": "Later", "v0_pair_key": "shop",
      "v0_pair_value": "7", "v1_template": "carousel", "v1_pages": "2",
      "v1_page0_media_url": "https://x.example/0.png",
      "v1_page1_media_url": "https://x.example/1.png",
    ]
    let moved = await client.post(path, Self.fields(changes) + [("action", "v1_page-up-1")])
    #expect(moved.text.contains("name=\"v1_page0_media_url\""))
    #expect(moved.text.firstMatch(of: /id="v1_page0_down"[^>]* autofocus/) != nil)
    #expect(await save(client, changes).status == 303)
    let campaign = try #require(try await campaigns(client).first)
    let variants = campaign.document["variants"]?.array ?? []
    let payload = variants.first?["payload"]
    #expect(payload?["shop"] == "7")
    #expect(payload?["_martlet"]?["buttons"]?.array?.count == 2)
    let template = variants.dropFirst().first?["payload"]?["_martlet"]?["template"]
    #expect(template?["pages"]?.array?.count == 2)
    let edit = await client.get(client.path("sends/campaigns/\(campaign.id)/edit")).text
    #expect(edit.contains("id=\"v0_advanced-set\">1 custom value</span>"))
    #expect(edit.contains("id=\"v0_options-set\">2 buttons</span>"))
    #expect(edit.contains("name=\"v1_page1_media_url\""))
  }

  @Test("the fields of a variant's expanded notification are shown before anything is saved")
  func templateFields() async throws {
    let client = try await client()
    let page = await client.post(
      client.path("sends/campaigns/new"),
      Self.fields(["v1_template": "carousel"]) + [("action", "v1_\(CampaignForm.showTemplate)")])
    #expect(page.status == 200 && page.text.contains("name=\"v1_page0_media_url\""))
    #expect(page.text.firstMatch(of: /id="v1_template"[^>]* autofocus/) != nil)
    // The script sends this button, and only draws the picture for one that asks for a preview.
    #expect(
      page.text.contains("value=\"v1_\(CampaignForm.showTemplate)\">Show its fields</button>"))
  }

  @Test("a file that is uploaded becomes the media of its variant")
  func upload() async throws {
    let client = try await client()
    let picture = try Fixtures.bytes("media/picture.png")
    let page = await client.upload(
      client.path("sends/campaigns/new"),
      Self.fields([:]) + [("action", "preview")], file: picture, named: "a.png", in: "v1_file")
    #expect(
      page.text.firstMatch(of: /name="v1_media"[^>]*value="[^"]+\/media\/[0-9a-f]+\.png"/) != nil)
    let refused = await client.upload(
      client.path("sends/campaigns/new"),
      Self.fields([:]) + [("action", "save")], file: Array("text".utf8), named: "a.png",
      in: "v0_file")
    #expect(refused.status >= 400 && refused.text.contains("<a href=\"#v0_media\">"))
  }

  @Test("a draft is changed as long as nobody else has changed or started it")
  func edit() async throws {
    let client = try await client()
    #expect(await save(client).status == 303)
    let draft = try #require(try await campaigns(client).first)
    let path = client.path("sends/campaigns/\(draft.id)")
    let form = await client.get(path + "/edit")
    #expect(form.text.contains("value=\"Autumn sale\"") && form.text.contains("Edit campaign"))
    #expect(form.text.contains("name=\"version\" value=\"1\""))
    let edit = "\(draft.id)/edit"
    #expect(await save(client, ["name": "Winter", "version": "1"], at: edit).status == 303)
    #expect(try await campaigns(client).first?.name == "Winter")
    let late = await save(client, ["name": "Spring", "version": "1"], at: edit)
    #expect(late.status == 409 && late.text.contains("Somebody else has changed"))
    #expect(late.text.contains("name=\"version\" value=\"2\"") && late.text.contains("Spring"))
    #expect(await save(client, ["name": "Spring", "version": "2"], at: edit).status == 303)

    let copied = await client.post(path, ["action": "duplicate"])
    let copy = try #require(try await campaigns(client).first { $0.id != draft.id })
    #expect(copy.state == .draft && copy.name == "Spring")
    #expect(copied.headers["Location"] == client.path("sends/campaigns/\(copy.id)/edit"))
    let start: KeyValuePairs = [
      "action": "start", "version": "3", "confirm": client.fixture.app.name,
    ]
    #expect(await client.post(path, start).status == 303)
    #expect(await client.get(path + "/edit").headers["Location"] == path)
    let started = await save(client, ["name": "Summer", "version": "3"], at: edit)
    #expect(started.status == 409 && started.text.contains("duplicate it"))
    let gone = client.path("sends/campaigns/\(copy.id)")
    #expect(await client.post(gone, ["action": "discard"]).status == 303)
    #expect(try await campaigns(client).first { $0.id == copy.id }?.state != .draft)
  }
}
