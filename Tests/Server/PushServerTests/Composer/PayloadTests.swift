import APNs
import PushPayload
import PushServer
import Testing

@Suite("The payload of a send", .timeLimit(.minutes(10)))
struct PayloadTests {
  struct Mapping: Sendable, CustomTestStringConvertible {
    var payload: JSONValue
    /// The whole payload that APNs gets, without `_nid`.
    var delivered: JSONValue
    var pushType = "alert"
    var priority = 10
    var testDescription: String { payload.text }
  }

  static let mappings: [Mapping] = [
    Mapping(payload: ["alert": "Hi"], delivered: ["aps": ["alert": "Hi"]]),
    Mapping(
      payload: ["alert": "Hi", "title": "T", "subtitle": "S"],
      delivered: ["aps": ["alert": ["title": "T", "subtitle": "S", "body": "Hi"]]]),
    Mapping(payload: ["title": "T"], delivered: ["aps": ["alert": ["title": "T"]]]),
    Mapping(
      payload: ["alert": "Hi", "badge": 0], delivered: ["aps": ["alert": "Hi", "badge": 0]]),
    Mapping(payload: ["badge": 7], delivered: ["aps": ["badge": 7]]),
    Mapping(
      payload: ["alert": "Hi", "sound": "Default.caf"],
      delivered: ["aps": ["alert": "Hi", "sound": "Default.caf"]]),
    Mapping(
      payload: ["alert": "Hi", "category": "st_cat_view"],
      delivered: ["aps": ["alert": "Hi", "category": "st_cat_view"]]),
    Mapping(
      payload: ["alert": "Hi", "mutable_content": true],
      delivered: ["aps": ["alert": "Hi", "mutable-content": 1]]),
    Mapping(
      payload: ["alert": "Hi", "mutable_content": false], delivered: ["aps": ["alert": "Hi"]]),
    Mapping(
      payload: ["alert": "Hi", "content_available": true],
      delivered: ["aps": ["alert": "Hi", "content-available": 1]]),
    Mapping(
      payload: ["content_available": true, "k": "v"],
      delivered: ["aps": ["content-available": 1], "k": "v"], pushType: "background", priority: 5),
    Mapping(
      payload: ["alert": "Hi", "interruption_level": "time-sensitive"],
      delivered: ["aps": ["alert": "Hi", "interruption-level": "time-sensitive"]]),
    Mapping(
      payload: ["alert": "Hi", "relevance_score": 0.25],
      delivered: ["aps": ["alert": "Hi", "relevance-score": 0.25]]),
    Mapping(
      payload: ["alert": "Hi", "relevance_score": 1],
      delivered: ["aps": ["alert": "Hi", "relevance-score": 1]]),
    Mapping(
      payload: [
        "alert": "Hi", "mutable_content": true, "image_url": "https://example.com/a.gif",
        "deep": ["a": [1, .null]],
      ],
      delivered: [
        "aps": ["alert": "Hi", "mutable-content": 1], "image_url": "https://example.com/a.gif",
        "deep": ["a": [1, .null]],
      ]),
    Mapping(
      payload: [
        "alert": "Hi", "mutable_content": true,
        "_st": ["image_url": "https://example.com/a.jpg", "x": 1],
      ],
      delivered: [
        "aps": ["alert": "Hi", "mutable-content": 1],
        "_st": ["image_url": "https://example.com/a.jpg", "x": 1],
      ]),
    // Custom data of any type.
    Mapping(
      payload: ["alert": "Hi", "overflow": ["a": 1]],
      delivered: ["aps": ["alert": "Hi"], "overflow": ["a": 1]]),
    Mapping(
      payload: ["alert": "Hi", "overflow": "shorten"],
      delivered: ["aps": ["alert": "Hi"], "overflow": "shorten"]),
    // Apple's form of an alert.
    Mapping(
      payload: ["alert": ["title": "T", "body": "B"]],
      delivered: ["aps": ["alert": ["title": "T", "body": "B"]]]),
    Mapping(payload: ["alert": ["body": "B"]], delivered: ["aps": ["alert": "B"]]),
    Mapping(
      payload: [
        "alert": [
          "loc-key": "L", "loc-args": ["a"], "title-loc-key": "TL", "title-loc-args": ["b"],
          "subtitle-loc-key": "SL", "launch-image": "i.png",
        ]
      ],
      delivered: [
        "aps": [
          "alert": [
            "loc-key": "L", "loc-args": ["a"], "title-loc-key": "TL", "title-loc-args": ["b"],
            "subtitle-loc-key": "SL", "launch-image": "i.png",
          ]
        ]
      ]),
    Mapping(
      payload: ["alert": ["body": "B"], "title": "T"],
      delivered: ["aps": ["alert": ["title": "T", "body": "B"]]]),
    // Keys that only the server writes.
    Mapping(
      payload: ["alert": "Hi", "aps": ["alert": "Hi"], "_nid": "no", "_channel_id": "android"],
      delivered: ["aps": ["alert": "Hi"]]),
    Mapping(
      payload: ["alert": "Hi", "badge": .null, "title": .null], delivered: ["aps": ["alert": "Hi"]]),
  ]

  @Test("each key of the payload becomes Apple's key", arguments: mappings)
  func mapping(_ mapping: Mapping) async throws {
    let fixture = try await Fixture()
    try await fixture.register("device")
    let answer = await fixture.send(mapping.payload)
    #expect(answer.status == 201)
    _ = await fixture.dispatcher().sendDueBatches()

    let taken = try #require(fixture.apple.taken.first)
    let id = try #require(answer.json["notification"]?["id"]?.string)
    var expected = mapping.delivered.object ?? [:]
    expected["_nid"] = .string(id)
    #expect(taken.payload == .object(expected))
    #expect(taken.push.pushType.rawValue == mapping.pushType)
    #expect(taken.push.priority == mapping.priority)
    #expect(taken.push.topic == "com.example.weather")
    #expect(taken.push.deviceToken == Fixture.token("device"))
    // Without a collapse key a retry replaces the same notification.
    #expect(taken.push.collapseID == id)
  }

  @Test("a collapse key of 64 bytes becomes the collapse id")
  func collapseKey() async throws {
    let fixture = try await Fixture()
    try await fixture.register("device")
    let key = String(repeating: "k", count: 64)
    #expect(await fixture.send(["alert": "Hi", "collapse_key": .string(key)]).status == 201)
    _ = await fixture.dispatcher().sendDueBatches()
    #expect(fixture.apple.taken.first?.push.collapseID == key)
    #expect(fixture.apple.taken.first?.payload["collapse_key"] == nil)
  }

  static let refusals: [(payload: JSONValue, status: Int, error: String)] = [
    (
      ["alert": "Hi", "badge": -1], 422,
      "$.notification.payload.badge must be a whole number, 0 to 2147483647"
    ),
    (["badge": 1.5], 422, "$.notification.payload.badge must be a whole number, 0 to 2147483647"),
    (
      ["badge": "1"], 400,
      "$.notification.payload.badge must be a whole number, or an increment such as \"+1\""
    ),
    (["badge": true], 400, "$.notification.payload.badge must be a whole number, not a boolean"),
    (["alert": 1], 400, "$.notification.payload.alert must be a string, not a number"),
    (
      ["alert": ["words": "Hi"]], 422,
      "$.notification.payload.alert.words must be named by a locale such as en or pt-BR, or 'default'"
    ),
    (
      ["alert": "Hi\n{{ user_id | shout }}"], 422,
      "$.notification.payload.alert: line 2, column 14: unknown filter 'shout'"
    ),
    (
      ["alert": ["default": "Hi", "de": "{% if a %}"]], 422,
      "$.notification.payload.alert.de: line 1, column 4: 'if' has no 'endif'"
    ),
    (
      ["alert": "Hi", "_overflow": "cut"], 422,
      "$.notification.payload._overflow must be one of refuse, shorten"
    ),
    (
      ["alert": "Hi", "_overflow": true], 400,
      "$.notification.payload._overflow must be a string, not a boolean"
    ),
    (["title": []], 400, "$.notification.payload.title must be a string, not an array"),
    (
      ["sound": 1], 400,
      "$.notification.payload.sound must be a string, or an object with critical, name and volume, not a number"
    ),
    (["category": 1], 400, "$.notification.payload.category must be a string, not a number"),
    (
      ["mutable_content": 1], 400,
      "$.notification.payload.mutable_content must be true or false, not a number"
    ),
    (
      ["content_available": "yes"], 400,
      "$.notification.payload.content_available must be true or false, not a string"
    ),
    (
      ["alert": "Hi", "interruption_level": "loud"], 422,
      "$.notification.payload.interruption_level must be one of passive, active, time-sensitive, critical"
    ),
    (
      ["alert": "Hi", "relevance_score": 1.01], 422,
      "$.notification.payload.relevance_score must be from 0 to 1"
    ),
    (
      ["alert": "Hi", "relevance_score": -0.1], 422,
      "$.notification.payload.relevance_score must be from 0 to 1"
    ),
    (
      ["alert": "Hi", "relevance_score": "1"], 400,
      "$.notification.payload.relevance_score must be a number, not a string"
    ),
    (
      ["alert": "Hi", "collapse_key": .string(String(repeating: "k", count: 65))], 422,
      "$.notification.payload.collapse_key must be 1 to 64 bytes, not 65"
    ),
    (
      ["alert": "Hi", "collapse_key": ""], 422,
      "$.notification.payload.collapse_key must be 1 to 64 bytes, not 0"
    ),
    (
      ["alert": "Hi", "collapse_key": "a\nb"], 422,
      "$.notification.payload.collapse_key must not have control characters"
    ),
    (
      ["alert": "Hi", "collapse_key": 5], 400,
      "$.notification.payload.collapse_key must be a string, not a number"
    ),
    (
      ["alert": "Hi", "_st": "x"], 400, "$.notification.payload._st must be an object, not a string"
    ),
    ([:], 422, "$.notification.payload must not be empty"),
    ("Hi", 400, "$.notification.payload must be an object, not a string"),
  ]

  @Test("an invalid payload is refused with the JSON path", arguments: refusals)
  func refusal(payload: JSONValue, status: Int, error: String) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.send(payload)
    #expect(answer.status == status)
    #expect(answer.text == JSONValue.object(["error": .string(error)]).text)
  }

  @Test("a payload of 4096 bytes is sent and one of 4097 refused", arguments: [0, 1])
  func size(excess: Int) async throws {
    let fixture = try await Fixture()
    try await fixture.register("device")
    // {"_nid":"…24…","aps":{"alert":"…"}}
    let frame = #"{"_nid":"","aps":{"alert":""}}"#.utf8.count + 24
    let text = String(repeating: "x", count: 4096 - frame + excess)
    let answer = await fixture.send(["alert": .string(text)])
    if excess == 0 {
      #expect(answer.status == 201)
      _ = await fixture.dispatcher().sendDueBatches()
      #expect(fixture.apple.taken.first?.push.payload.count == 4096)
    } else {
      #expect(answer.status == 422)
      #expect(
        answer.error
          == "$.notification.payload is 4097 bytes when composed, and the limit is 4096 bytes;"
          + " shorten its texts, or set _overflow to shorten")
    }
  }

  @Test("a text that is too long for every device is refused, with a template too, or shortened")
  func overflow() async throws {
    let fixture = try await Fixture()
    try await fixture.register("device")
    let text = "{{ user_id }}" + String(repeating: "long ", count: 1000)
    #expect(await fixture.send(["alert": .string(text)]).status == 422)
    let cut: JSONValue = ["alert": .string(text), "_overflow": "shorten"]
    #expect(await fixture.send(cut).status == 201)
    _ = await fixture.dispatcher().sendDueBatches()
    let taken = try #require(fixture.apple.taken.first)
    #expect((4000...4096).contains(taken.push.payload.count))
    #expect(taken.payload["aps"]?["alert"]?.string?.hasSuffix("long…") == true)
    #expect(taken.payload["_overflow"] == nil)
  }
}
