import APNs
import Foundation
import PushCrypto
import PushModel
import PushPayload
import Testing
import _OpenSSLCrypto

@testable import PushServer

@Suite("The composer")
struct ComposerTests {
  static let now = Timestamp(milliseconds: 1_795_253_400_000)

  static func device(_ edit: (inout Device) -> Void = { _ in }) -> Recipient {
    var device = Device(id: "d1", createdAt: now)
    edit(&device)
    return Recipient(device)
  }

  static func composer(
    _ payload: JSONValue, _ edit: (inout Composer.Options) -> Void = { _ in }
  ) throws -> Composer {
    var options = Composer.Options(now: now)
    edit(&options)
    return try Composer(payload, notification: "n1", options: options)
  }

  static func parsed(_ bytes: [UInt8]) throws -> JSONValue { try JSONValue(parsing: Data(bytes)) }

  @Test("each key of the payload becomes Apple's key", arguments: PayloadTests.mappings)
  func shared(_ mapping: PayloadTests.Mapping) throws {
    let composer = try Self.composer(mapping.payload)
    var expected = mapping.delivered.object ?? [:]
    expected["_nid"] = "n1"
    let shared = try #require(composer.shared)
    #expect(try Self.parsed(shared) == .object(expected))
    #expect(shared == Array(JSONValue.object(expected).serialized()))
    #expect(try composer.payload(for: Self.device()) == shared)
    #expect(composer.pushType.rawValue == mapping.pushType)
    #expect(composer.priority == mapping.priority)
    #expect(composer.collapseID == "n1")
    #expect(composer.expiration == nil)
  }

  static let anna = device { device in
    device.userID = "u-1"
    device.locale = "de_AT"
    device.badge = 4
    device.tags = ["vip", "new"]
    device.attributes = [
      "first_name": Attribute(kind: .string, value: "An\"na\n\u{1}"),
      "price": Attribute(kind: .float, value: 19.99),
      "sizes": Attribute(kind: .integer, value: [1, 2]),
    ]
  }

  static let personal: [(payload: JSONValue, anna: JSONValue, stranger: JSONValue)] = [
    (
      ["alert": "Hi {{ custom.first_name | default: \"there\" }}!"],
      ["aps": ["alert": "Hi An\"na\n\u{1}!"]], ["aps": ["alert": "Hi there!"]]
    ),
    (
      ["alert": "x", "title": "{{ user_id }}", "subtitle": "{{ tags | join: ', ' }}"],
      ["aps": ["alert": ["body": "x", "title": "u-1", "subtitle": "vip, new"]]],
      ["aps": ["alert": ["body": "x", "title": "", "subtitle": ""]]]
    ),
    (
      [
        "alert": "x", "deep": ["a": ["{{ custom.price | times: 2 }}", 1]],
        "_st": ["image_url": "https://e.x/{{ custom.sizes[1] }}.png"],
      ],
      [
        "aps": ["alert": "x"], "deep": ["a": ["39.98", 1]],
        "_st": ["image_url": "https://e.x/2.png"],
      ],
      ["aps": ["alert": "x"], "deep": ["a": ["0", 1]], "_st": ["image_url": "https://e.x/.png"]]
    ),
    (
      ["alert": ["default": "Hello", "de": "Hallo {{ user_id }}", "de-CH": "Grüezi"]],
      ["aps": ["alert": "Hallo u-1"]], ["aps": ["alert": "Hello"]]
    ),
    (
      ["alert": ["default": "Hello", "DE_at": "Servus", "de": "Hallo", "body": .null]],
      ["aps": ["alert": "Servus"]], ["aps": ["alert": "Hello"]]
    ),
    (
      [
        "alert": ["loc-key": "GREETING", "loc-args": ["{{ user_id | default: '?' }}", "b"]],
        "title": ["loc-key": "T"],
      ],
      ["aps": ["alert": ["loc-key": "GREETING", "loc-args": ["u-1", "b"], "title-loc-key": "T"]]],
      ["aps": ["alert": ["loc-key": "GREETING", "loc-args": ["?", "b"], "title-loc-key": "T"]]]
    ),
    (["badge": "+1"], ["aps": ["badge": 5]], ["aps": ["badge": 1]]),
    (
      ["alert": "x", "badge": "-3"], ["aps": ["alert": "x", "badge": 1]],
      ["aps": ["alert": "x", "badge": 0]]
    ),
    (
      ["alert": "x", "badge": "+999999999"], ["aps": ["alert": "x", "badge": 1_000_000_003]],
      ["aps": ["alert": "x", "badge": 999_999_999]]
    ),
    (
      ["alert": "{% raw %}{{ a }}{% endraw %}{{ custom['first_name'] | size }}"],
      ["aps": ["alert": "{{ a }}7"]], ["aps": ["alert": "{{ a }}0"]]
    ),
    (
      ["alert": "x{% for pair in custom %} {{ pair[0] }}{% endfor %} {{ custom.size }}"],
      ["aps": ["alert": "x first_name price sizes 3"]], ["aps": ["alert": "x 0"]]
    ),
    (
      ["alert": "{{ 'now' | date: '%F' }} {{ language }}"], ["aps": ["alert": "2026-11-21 de"]],
      ["aps": ["alert": "2026-11-21 "]]
    ),
  ]

  @Test("values that differ are filled in for each device", arguments: personal)
  func differing(payload: JSONValue, anna: JSONValue, stranger: JSONValue) throws {
    let composer = try Self.composer(payload)
    #expect(composer.shared == nil)
    for (device, expected) in [(Self.anna, anna), (Self.device(), stranger)] {
      var members = expected.object ?? [:]
      members["_nid"] = "n1"
      let bytes = try composer.payload(for: device)
      #expect(try Self.parsed(bytes) == .object(members))
    }
  }

  static let refusals: [(payload: JSONValue, code: ComposeError.Code, error: String)] = [
    (["alert": "a\n{{ b | nope }}"], .template, "$.alert: line 2, column 8: unknown filter 'nope'"),
    (["k": ["{{"]], .template, "$.k[0]: line 1, column 1: '{{' has no '}}'"),
    (["alert": ["de": "x"]], .refused, "$.alert.default is missing"),
    (
      ["alert": ["default": "x", "body": "y"]], .refused,
      "$.alert.default is not a member of Apple's alert"
    ),
    (
      ["alert": ["title": "x"], "title": "y"], .refused, "$.title is already in alert; give it once"
    ),
    (
      ["alert": ["title-loc-key": "x"], "title": "y"], .refused,
      "$.title is already in alert; give it once"
    ),
    (
      ["alert": ["default": "x", "words": "y"]], .refused,
      "$.alert.words must be named by a locale such as en or pt-BR, or 'default'"
    ),
    (
      ["alert": ["default": "x", "en-": "y"]], .refused,
      "$.alert.en- must be named by a locale such as en or pt-BR, or 'default'"
    ),
    (
      ["alert": ["default": "x", "de": "{{"]], .template,
      "$.alert.de: line 1, column 1: '{{' has no '}}'"
    ),
    (["alert": ["default": 1]], .wrongType, "$.alert.default must be a string, not a number"),
    (["alert": ["loc-key": 1]], .wrongType, "$.alert.loc-key must be a string, not a number"),
    (
      ["alert": ["loc-key": "a", "loc-args": "b"]], .wrongType,
      "$.alert.loc-args must be an array, not a string"
    ),
    (
      ["title": ["loc-key": "a", "body": "b"]], .refused,
      "$.title.body cannot stand beside loc-key and loc-args"
    ),
    (["badge": "1"], .wrongType, "$.badge must be a whole number, or an increment such as \"+1\""),
    (
      ["badge": "+9999999999"], .wrongType,
      "$.badge must be a whole number, or an increment such as \"+1\""
    ),
    (["badge": -1], .refused, "$.badge must be a whole number, 0 to 2147483647"),
    ([:], .refused, "$ must not be empty"),
    ("x", .wrongType, "$ must be an object, not a string"),
    (
      ["alert": "x", "collapse_key": .string(String(repeating: "k", count: 65))], .refused,
      "$.collapse_key must be 1 to 64 bytes, not 65"
    ),
    (
      ["alert": "x", "interruption_level": "loud"], .refused,
      "$.interruption_level must be one of passive, active, time-sensitive, critical"
    ),
    (["alert": "x", "relevance_score": 2], .refused, "$.relevance_score must be from 0 to 1"),
    (
      ["alert": "x", "mutable_content": 1], .wrongType,
      "$.mutable_content must be true or false, not a number"
    ),
  ]

  @Test("a payload that is not valid is refused at once, with the JSON path", arguments: refusals)
  func refusal(payload: JSONValue, code: ComposeError.Code, error: String) {
    let thrown = #expect(throws: ComposeError.self) { try Self.composer(payload) }
    #expect(thrown?.code == code)
    #expect(thrown?.message == error)
  }

  @Test("the headers follow from the payload: collapse id, expiration, push type and priority")
  func headers() throws {
    let composer = try Self.composer(["alert": "x", "collapse_key": "k"]) {
      $0.expiresAt = Timestamp(milliseconds: 1_800_000_000_999)
    }
    #expect(composer.collapseID == "k")
    #expect(composer.expiration == 1_800_000_000)
    #expect(try Self.composer(["content_available": true]).pushType == .background)
    #expect(try Self.composer(["content_available": true]).priority == 5)
    // A push that shows something needs the type alert.
    for payload: JSONValue in [
      ["content_available": true, "alert": "{{ a }}"], ["content_available": true, "badge": "+1"],
      ["content_available": true, "sound": "s"], ["k": "v"],
    ] {
      #expect(try Self.composer(payload).pushType == .alert)
      #expect(try Self.composer(payload).priority == 10)
    }
  }
}
