import PushPayload
import Testing

@Suite("The rules of dialects")
struct DialectRuleTests {
  private func read(_ payload: JSONValue) -> PayloadRequest { DialectTable.standard.read(payload) }

  @Test(
    "image_url at the top belongs to the vendor whose other keys are beside it",
    arguments: [
      ([:], "carnival"), (["ems": [:]], "emarsys"), (["bsft_user_uuid": "u"], "blueshift"),
      (["ems": .null], "carnival"), (["bsft_user_uuid": .null], "carnival"),
      (["_motisig": [:]], "motisig"), (["_st": ["mid": "m"]], "carnival"),
      (["image": "https://a/2"], "carnival"), (["source": "webengage"], "webengage"),
      (["gcm.message_id": "1"], "carnival"), (["wzrk_id": "1"], "clevertap"),
    ] as [(JSONValue, String)])
  func topLevel(beside: JSONValue, dialect: String) {
    for key in ["image_url", "video_url"] {
      let payload = (beside.object ?? [:]).merging([key: "https://a/1"]) { $1 }
      if key == "video_url", dialect == "motisig" { continue }  // It reads pictures only.
      #expect(read(.object(payload)).dialect.rawValue == dialect)
    }
  }

  @Test(
    "an invalid SHA-256 is reported and kept, so that no file matches it",
    arguments: [
      (.string(String(repeating: "a", count: 64)), String(repeating: "a", count: 64), false),
      (.string(String(repeating: "A", count: 64)), String(repeating: "a", count: 64), false),
      (.string(String(repeating: "a", count: 63)), String(repeating: "a", count: 63), true),
      (.string(String(repeating: "a", count: 65)), String(repeating: "a", count: 65), true),
      (.string(String(repeating: "g", count: 64)), String(repeating: "g", count: 64), true),
      ("none", "none", true), (7, "a number", true), ([], "an array", true),
      ("", nil, false), (.null, nil, false),
    ] as [(JSONValue, String?, Bool)])
  func sha256(value: JSONValue, kept: String?, isFinding: Bool) {
    let request = read(["_martlet": ["media": [["url": "https://a/1", "sha256": value]]]])
    #expect(request.media.first?.wanted.sha256 == kept)
    #expect(
      request.findings.map(\.path) == (isFinding ? ["$._martlet.media[0].sha256"] : []))
  }

  @Test(
    "a type is a MIME type, an identifier, an extension or a class; any other word is reported",
    arguments: [
      ("image/png; q=1", MediaType.png, .image), ("public.mpeg-4", .mpeg4, .movie),
      ("JPG", .jpeg, .image), (".gif", .gif, .image), ("video", nil, .movie),
      ("image/*", nil, .image), ("public.audio", nil, .audio), ("carousel", nil, nil),
      ("image/webp", .webP, nil),
    ] as [(String, MediaType?, MediaType.Family?)])
  func type(word: String, type: MediaType?, family: MediaType.Family?) {
    let request = read(["_martlet": ["media": [["url": "https://a/1", "type": .string(word)]]]])
    #expect(request.media.first?.wanted.declaredType == type)
    #expect(request.media.first?.wanted.declaredFamily == family)
    #expect(request.findings.isEmpty == (family != nil))
  }

  @Test(
    "an invalid crop is ignored, and the rest is read",
    arguments: [
      (["x": 0, "y": 0, "width": 1, "height": 1], true),
      (["x": 0, "y": 0, "width": 1.01, "height": 1], false),
      (["x": -0.1, "y": 0, "width": 1, "height": 1], false),
      (["x": 0, "y": 0, "width": 0, "height": 1], false),
      (["x": 0, "y": 0, "width": "1", "height": 1], false), (["x": 0], false), ("all", false),
    ] as [(JSONValue, Bool)])
  func crop(value: JSONValue, isGood: Bool) {
    let request = read([
      "com.urbanairship.media_attachment": [
        "url": "https://a/1", "options": ["crop": value, "time": 2],
        "content": ["title": "T"],
      ]
    ])
    let thumbnail = request.media.first?.thumbnail
    #expect((thumbnail?.clippingRect != nil) == isGood)
    #expect(thumbnail?.time == 2)
    #expect(request.title == "T")
    #expect(
      request.findings.map(\.path)
        == (isGood ? [] : ["$['com.urbanairship.media_attachment'].options.crop"]))
  }

  @Test("the chosen thumbnail hides the others; an unknown one hides none")
  func chosenThumbnail() {
    for (chosen, hidden) in [("b", [true, nil]), ("x", [nil, nil])] as [(String, [Bool?])] {
      let request = read([
        "com.urbanairship.media_attachment": [
          "urls": [
            ["url": "https://a/1", "url_id": "a"], ["url": "https://a/2", "url_id": "b"],
          ], "thumbnail_id": .string(chosen),
        ]
      ])
      #expect(request.media.map(\.thumbnail.isHidden) == hidden)
    }
  }

  @Test("ten media files and ten buttons are read, and more are reported")
  func limits() {
    for (count, findings) in [(10, 0), (11, 2), (5000, 2)] {
      let media = (0..<count).map { JSONValue.string("https://a/\($0)") }
      let buttons = (0..<count).map { JSONValue.object(["n": .string("\($0)")]) }
      let request = read([
        "os_data": [
          "att": .object(
            Dictionary(uniqueKeysWithValues: media.enumerated().map { ("\($0)", $1) })),
          "buttons": .array(buttons),
        ]
      ])
      #expect(request.media.count == 10)
      #expect(request.buttons.count == 10)
      #expect(request.findings.count == findings)
    }
  }

  @Test("buttons without an identifier get their index, and identifiers are unique")
  func identifiers() {
    let buttons: JSONValue = [
      ["n": "A"], ["i": "same", "n": "B"], ["i": "same", "n": "C"], ["i": "0", "n": "D"],
      ["i": 7, "n": "E"], ["i": "no title"], ["i": "x", "n": ""],
    ]
    let request = read(["os_data": ["buttons": buttons]])
    #expect(request.buttons.map(\.identifier) == ["A", "same", "same-2", "0", "7"])
  }

  @Test(
    "the badge is set or changed",
    arguments: [
      (["aps": ["pw_badge": "+3"]], .add(3)), (["aps": ["pw_badge": "-1"]], .add(-1)),
      (["aps": ["pw_badge": "0"]], .set(0)), (["aps": ["pw_badge": 5]], .set(5)),
      (["aps": ["pw_badge": -2]], .add(-2)), (["aps": ["pw_badge": "many"]], nil),
      (["aps": ["pw_badge": "+"]], nil), (["aps": ["pw_badge": 1_000_000]], nil),
      (["aps": ["pw_badge": 999_999]], .set(999_999)),
      (["os_data": ["badge_inc": -1]], .add(-1)),
      (["custom": ["i": "i", "badge_inc": 2]], .add(2)),
      (["body": ["_k": [:]], "badge_config": "increment_one"], .add(1)),
      (["body": ["_k": [:]], "badge_config": "set_property", "badge_value": "4"], .set(4)),
      (["body": ["_k": [:]], "badge_config": "double", "badge_value": 4], nil),
      (["body": ["_k": [:]], "badge_value": 4], nil),
      (["badgeStrategy": "dec", "badgeAmount": 2], .add(-2)),
      (["source": "xnpe_platform", "badge": "7"], .set(7)),
      (["source": "xnpe_platform", "badge": -7], nil),
      (["source": "xnpe_platform", "badge": 1.5], nil),
      (["image": "https://a/1", "badge": 7], nil),
    ] as [(JSONValue, BadgeChange?)])
  func badge(payload: JSONValue, change: BadgeChange?) { #expect(read(payload).badge == change) }

  @Test("without media the dialect that asks for most is used, of two equal ones the earlier")
  func rank() {
    let marker: JSONValue = ["gcm.message_id": "g", "CIO": ["push": ["link": "app://"]]]
    #expect(read(marker).dialect == .customerIO)
    #expect(read(["fcm_options": [:], "CIO-Delivery-ID": "d"]).dialect == .customerIO)
    let text: JSONValue = ["adb_uri": "app://", "_st": [:], "title": "T", "itbl": [:]]
    #expect(read(text).dialect == .sailthru)
  }

  @Test("_nid is the message identifier where the dialect has none")
  func messageID() {
    #expect(read(["_nid": "n"]).messageID == "n")
    #expect(read(["_nid": "n"]).dialect == .none)
    #expect(read(["_nid": "n", "fcm_options": ["image": "https://a/1"]]).messageID == "n")
    #expect(read(["_nid": "n", "gcm.message_id": "g"]).messageID == "g")
    #expect(read(["_nid": ""]).messageID == nil)
  }

  @Test("a picture is the alternative of a single movie, not of a picture or of several movies")
  func poster() {
    func alternatives(_ payload: JSONValue) -> [String] {
      read(payload).media.flatMap(\.alternatives).map(\.url)
    }
    #expect(
      alternatives(["video_url": "https://a/v", "image_url": "https://a/i"]) == ["https://a/i"])
    #expect(
      alternatives(["bsft_a": 1, "gif_url": "https://a/g", "image_url": "https://a/i"]) == [])
    let movies: JSONValue = [["url": "https://a/1.mp4"], ["url": "https://a/2.mp4"]]
    let picture: JSONValue = "https://a/i"
    let one = movies.array?[0] ?? .null
    let dialect = Dialect(
      Dialect.ID(rawValue: "cinema"), media: [MediaRule("movies[]", url: "url"), .image("poster")])
    for (movies, count) in [(movies, 0), ([one], 1)] {
      let request = dialect.read(["movies": movies, "poster": picture])
      #expect(request?.media.flatMap(\.alternatives).count == count)
    }
  }

  @Test("dialects are removed, preferred and added")
  func table() {
    let payload: JSONValue = [
      "_st": ["image_url": "https://a/1"], "fcm_options": ["image": "https://a/2"],
    ]
    let table = DialectTable.standard
    #expect(table.read(payload).dialect == .sailthru)
    #expect(table.without([.sailthru]).read(payload).dialect == .fcm)
    #expect(table.without([.sailthru, .fcm]).read(payload).dialect == .none)
    #expect(table.preferring([.fcm, .fcm, .none]).read(payload).dialect == .fcm)
    #expect(Set(table.preferring([.generic]).dialects.map(\.id)) == Set(table.dialects.map(\.id)))
    #expect(table.preferring([.generic]).dialects.count == table.dialects.count)
    let own = Dialect(
      .custom, signature: [.keyPrefix("acme_")],
      media: [MediaRule("acme_pictures[]", url: "href", identifier: "name")]
    ) { $0.deepLink = ["acme_link"] }
    let request = table.preceded(by: own).read([
      "acme_pictures": [["href": "https://a/3", "name": "n"]], "acme_link": "acme://",
    ])
    #expect(request.media.map(\.identifier) == ["n"])
    #expect(request.deepLink == "acme://")
  }

  @Test("hostile payloads are read in bounded time", arguments: [100, 500])
  func hostile(depth: Int) throws {
    let nested =
      String(repeating: #"{"_st":["#, count: depth / 2)
      + String(repeating: "]}", count: depth / 2)
    #expect(read(try JSONValue(parsing: nested)).media.isEmpty)
    let text = JSONValue.string(nested)
    let payload: JSONValue = [
      "pt_json": text, "es_buttons": text, "es_notification_images": text, "u": text, "ems": [:],
      "ct_ContentSlider": text, "es_interaction_id": "e",
    ]
    for dialect in DialectTable.standard.dialects {
      #expect(DialectTable([dialect]).read(payload).media.isEmpty)
    }
    let wide = (0..<20_000).map { index in
      JSONValue.object(["url": .array([.integer(Int64(index))])])
    }
    let request = read(["_martlet": ["media": .array(wide)]])
    #expect(request.media.isEmpty)
    #expect(request.findings.count <= 50)
  }
}
