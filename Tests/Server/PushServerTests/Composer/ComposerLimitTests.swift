import Foundation
import PushCrypto
import PushModel
import PushPayload
import PushStore
import Testing
import _OpenSSLCrypto

@testable import PushServer

@Suite("The composer's size limit and encryption")
struct ComposerLimitTests {
  /// The bytes around the body of a payload with an alert only.
  static let frame = #"{"_nid":"n1","aps":{"alert":""}}"#.utf8.count

  @Test(
    "a payload of 4096 bytes is composed and one of 4097 refused, for all devices or for one",
    arguments: [0, 1])
  func refused(excess: Int) throws {
    let text = String(repeating: "x", count: 4096 - Self.frame + excess)
    let device = ComposerTests.device {
      $0.attributes["a"] = Attribute(kind: .string, value: .string(text))
    }
    if excess == 0 {
      #expect(try ComposerTests.composer(["alert": .string(text)]).shared?.count == 4096)
      let composer = try ComposerTests.composer(["alert": "{{ custom.a }}"])
      #expect(try composer.payload(for: device).count == 4096)
    } else {
      let all = #expect(throws: ComposeError.self) {
        try ComposerTests.composer(["alert": .string(text)])
      }
      let composer = try ComposerTests.composer(["alert": "{{ custom.a }}"])
      let one = #expect(throws: ComposeError.self) { try composer.payload(for: device) }
      #expect(all?.code == .tooLarge)
      #expect(
        one?.message
          == "$ is 4097 bytes when composed, and the limit is 4096 bytes; shorten its texts, or set"
          + " _overflow to shorten")
      // With less text than what is over the limit, another advice.
      let custom: JSONValue = ["alert": "Hi", "data": .string(text), "_overflow": "shorten"]
      let long = #expect(throws: ComposeError.self) { try ComposerTests.composer(custom) }
      #expect(long?.message.hasSuffix("so send less beside them") == true, "\(long as Any)")
    }
  }

  @Test(
    "a long body is cut between characters and ends in an ellipsis",
    arguments: ["x", "é", "👨‍👩‍👧‍👦", "\"", "\n", "a "], [true, false])
  func shortened(unit: String, shared: Bool) throws {
    let text = String(repeating: unit, count: 5000 / unit.utf8.count)
    let body: JSONValue = shared ? .string(text) : .string("{{ custom.a | default: '' }}" + text)
    let composer = try ComposerTests.composer(["alert": body, "title": "T"]) {
      $0.overflow = .shorten
    }
    #expect((composer.shared != nil) == shared)
    let bytes = try composer.payload(for: ComposerTests.device())
    // One more character would not fit.
    #expect(bytes.count <= 4096)
    #expect(bytes.count > 4096 - 30)
    let alert = try #require(try ComposerTests.parsed(bytes)["aps"]?["alert"])
    let short = try #require(alert["body"]?.string)
    #expect(short.last == "…")
    #expect(Array(text).starts(with: short.dropLast()))
    #expect(alert["title"] == "T")
  }

  @Test("subtitle and title are shortened after the body, and nothing else is")
  func order() throws {
    let text = String(repeating: "x", count: 3000)
    let composer = try ComposerTests.composer([
      "alert": "body", "title": .string(text), "subtitle": .string(text),
    ]) { $0.overflow = .shorten }
    let alert = try #require(
      try ComposerTests.parsed(composer.payload(for: ComposerTests.device()))["aps"]?["alert"])
    #expect(alert["title"]?.string == text)
    #expect(alert["subtitle"]?.string?.last == "…")
    let key = JSONValue.string(String(repeating: "k", count: 4096))
    let thrown = #expect(throws: ComposeError.self) {
      try ComposerTests.composer(["alert": "body", "k": key]) { $0.overflow = .shorten }
    }
    #expect(thrown?.code == .tooLarge)
  }

  @Test("a rendering that exceeds a limit is an error of that device only")
  func rendering() throws {
    let composer = try ComposerTests.composer([
      "alert": "{% for i in (1..custom.n) %}{{ i }}{% endfor %}"
    ])
    let device = ComposerTests.device {
      $0.attributes["n"] = Attribute(kind: .integer, value: 2_000_000_000)
    }
    let thrown = #expect(throws: ComposeError.self) { try composer.payload(for: device) }
    #expect(thrown?.code == .template)
    #expect(try composer.payload(for: ComposerTests.device()).count == Self.frame)
  }

  @Test("a value that a template cannot use is an error of that device only")
  func unusable() throws {
    let composer = try ComposerTests.composer(["alert": "{{ 6 | divided_by: custom.n }}"])
    func device(_ number: Int64) -> Recipient {
      ComposerTests.device {
        $0.attributes["n"] = Attribute(kind: .integer, value: .integer(number))
      }
    }
    let thrown = #expect(throws: ComposeError.self) { try composer.payload(for: device(0)) }
    #expect(thrown?.code == .value)
    #expect(thrown?.message == "$.alert: line 1, column 4: a number is divided by 0")
    #expect(try composer.payload(for: device(2)).count == Self.frame + 1)
  }

  @Test(
    "a send is accepted whose text needs values, and refused where no value could help",
    arguments: [
      ("{{ custom.spent | divided_by: custom.visits }} per visit", true),
      ("{{ event.total | divided_by: event.count }}", true),
      ("{{ 6 | divided_by: 0 }}", false), ("{{ 6 | divided_by: }}", false),
    ])
  func sample(text: String, isAccepted: Bool) throws {
    let body = BodyValue(["alert": ["title": "T", "body": .string(text)]], at: "$")
    let now = Timestamp(milliseconds: 1)
    guard isAccepted else {
      #expect(throws: RequestError.self) { try body.composed(at: now) }
      return
    }
    let sample = try JSONValue(parsing: Data(try body.composed(at: now).sample))
    #expect(sample["aps"]?["alert"] == ["title": "T", "body": ""])
  }

  private func keyed() throws -> (device: Recipient, keys: DeviceKeys) {
    let keys = try DeviceKeys.generate(with: OpenSSLCrypto())
    let device = ComposerTests.device {
      $0.publicKey = Base64URL.encode(keys.subscription.publicKey)
      $0.authSecret = Base64URL.encode(keys.subscription.authSecret)
      $0.userID = "u-1"
    }
    return (device, keys)
  }

  private func opened(_ bytes: [UInt8], _ keys: DeviceKeys) throws -> [UInt8] {
    let text = try #require(try ComposerTests.parsed(bytes)["_enc"]?.string)
    return try EncryptedPayload(text: text).open(with: keys, provider: OpenSSLCrypto())
  }

  @Test("a device with keys gets the whole payload encrypted, inside a placeholder")
  func sealed() throws {
    let (device, keys) = try keyed()
    let composer = try ComposerTests.composer([
      "alert": "Hi {{ user_id }}", "category": "c", "badge": 3, "secret": "s",
    ]) { $0.placeholder = "New \"message\"" }
    let bytes = try composer.payload(for: device)
    let outer = try #require(try ComposerTests.parsed(bytes).object)
    #expect(outer.keys.sorted() == ["_enc", "_nid", "aps"])
    #expect(outer["aps"] == ["alert": "New \"message\"", "mutable-content": 1])
    #expect(
      try ComposerTests.parsed(opened(bytes, keys)) == [
        "_nid": "n1", "secret": "s",
        "aps": ["alert": "Hi u-1", "badge": 3, "category": "c"],
      ])
    // Each encryption has a random salt.
    #expect(try composer.payload(for: device) != bytes)
  }

  @Test("a push without text is not encrypted, since it does not run the extension")
  func silent() throws {
    let (device, _) = try keyed()
    let composer = try ComposerTests.composer(["content_available": true, "k": "v"])
    #expect(try composer.payload(for: device) == composer.shared)
  }

  @Test("an encrypted payload has at most 4096 bytes, and its text is shortened to fit")
  func sealedLimit() throws {
    let (device, keys) = try keyed()
    let payload: JSONValue = ["alert": .string(String(repeating: "x", count: 3500))]
    let refusing = try ComposerTests.composer(payload)
    #expect(refusing.shared != nil)
    let thrown = #expect(throws: ComposeError.self) { try refusing.payload(for: device) }
    #expect(thrown?.code == .tooLarge)
    let bytes = try ComposerTests.composer(payload) { $0.overflow = .shorten }
      .payload(for: device)
    #expect((4092...4096).contains(bytes.count))
    let body = try ComposerTests.parsed(opened(bytes, keys))["aps"]?["alert"]?.string
    #expect(body?.last == "…")
  }

  @Test("padded payloads have the same length, whatever their text", arguments: [64, 256, 1000])
  func padded(multiple: Int) throws {
    let (device, keys) = try keyed()
    let lengths = try Set(
      [1, 20, multiple / 4].map { count in
        let text = String(repeating: "x", count: count)
        let composer = try ComposerTests.composer(["alert": .string(text)]) {
          $0.paddingMultiple = multiple * 2
        }
        let bytes = try composer.payload(for: device)
        let inner = try ComposerTests.parsed(opened(bytes, keys))
        #expect(inner["aps"]?["alert"]?.string == text)
        return bytes.count
      })
    #expect(lengths.count == 1)
  }

  @Test(
    "padding makes no payload too large, and a payload above the limit is refused as without it")
  func paddedLimit() throws {
    let (device, keys) = try keyed()
    let frame = Array(#"{"_nid":"n1","aps":{"alert":""}}"#.utf8).count
    let limit = PayloadEncryptor(
      notification: "n1", contentAvailable: false, limit: 4096,
      options: Composer.Options(now: ComposerTests.now)
    ).plaintextLimit
    for multiple in [1, 1000, 2048] {
      func payload(_ count: Int) throws -> [UInt8] {
        try ComposerTests.composer([
          "alert": .string(String(repeating: "x", count: count - frame))
        ]) { $0.paddingMultiple = multiple }.payload(for: device)
      }
      let largest = try payload(limit)
      #expect((4092...4096).contains(largest.count))
      #expect(try opened(largest, keys).count == limit)
      #expect(try payload(limit - 1).count <= 4096)
      let thrown = #expect(throws: ComposeError.self) { try payload(limit + 1) }
      #expect(thrown?.code == .tooLarge)
      #expect(thrown?.message.contains("shorten its texts") == true)
    }
  }

  @Test("invalid keys are an error of that device, whose message does not have them")
  func badKeys() throws {
    let device = ComposerTests.device {
      $0.publicKey = "AAAA"
      $0.authSecret = "AAAA"
    }
    let composer = try ComposerTests.composer(["alert": "x"])
    let thrown = #expect(throws: ComposeError.self) { try composer.payload(for: device) }
    #expect(thrown?.code == .badKey)
    #expect(thrown?.message.contains("AAAA") == false)
  }
}
