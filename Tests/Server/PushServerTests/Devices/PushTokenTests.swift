import Foundation
import PushModel
import PushPayload
import Testing

@testable import PushServer

/// Every place that takes a token judges it by the same function.
@Suite("Push tokens", .timeLimit(.minutes(10)))
struct PushTokenTests {
  private static let hex = String(repeating: "0a", count: 32)
  private static let bytes = Data(repeating: 0xfb, count: 32)

  /// Texts that are no APNs tokens, each with the refusal that names it.
  private static let foreign: [(text: String, reason: String)] = [
    ("", "is empty"), ("xy", "must be an even number of hex digits, 2 to 400"),
    ("ab:cd", "must be an even number of hex digits, 2 to 400"),
    ("abc", "has 3 hex digits, an odd number; write two for each byte"),
    (String(repeating: "a", count: 402), "has 402 hex digits; at most 400 are taken"),
    ("dGhpcy1pcy:APA91bHun4MxP5egoKMwt2KZFBaFUH", firebase),
    ("APA91bHun4MxP5egoKMwt2KZFBaFUH", firebase), (":APA91bHun4", firebase),
    ("ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]", expo), ("ExpoPushToken[x]", expo),
    (
      "<0a0b0c0d 0a0b0c0d>",
      "is a description of Data, with angle brackets; give only its hex digits"
    ),
    (
      "{length = 32, bytes = 0x0a0b0c0d 0a0b0c0d ... 0a0b0c0d }",
      "is a description of Data, which leaves bytes out; \(advice)"
    ), ("32 bytes", "is a description of Data, which leaves bytes out; \(advice)"),
    ("0a0b 0c0d", "is a token with spaces; remove them"),
    ("0a0b\t0c0d", "is a token with spaces; remove them"),
    ("0xAAbb", "is a token with 0x before it; remove the 0x"),
    (
      "1B4E28BA-2FA1-11D2-883F-0016D3CCA427",
      "is a UUID, which names an installation; give the token that the system gave the app, as hex digits"
    ), (bytes.base64EncodedString(), "is the Base64 of 32 bytes; \(advice)"),
    (
      bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: ""), "is the Base64 of 32 bytes; \(advice)"
    ),
    // A shorter text may be any word.
    (
      Data(repeating: 0xfb, count: 31).base64EncodedString(),
      "must be an even number of hex digits, 2 to 400"
    ),
  ]
  private static let advice = "write each byte of the token as two hex digits"
  private static let firebase =
    "is a registration token of Firebase, to which only Firebase can send; give the APNs token, "
    + "which the app has as Messaging.messaging().apnsToken"
  private static let expo =
    "is a push token of Expo, to which only Expo can send; give the APNs token, "
    + "which the app has from getDevicePushTokenAsync()"

  @Test("a text that is no token says what it is", arguments: foreign)
  func reasons(text: String, reason: String) {
    let refusal = #expect(throws: PushToken.Refusal.self) { try PushToken.read(text) }
    #expect(refusal?.reason == reason)
  }

  @Test(
    "hex digits are taken in any letter case up to 400, and an Android token unchanged up to 1024",
    arguments: [
      ("Ff", nil, "ff"), ("0A0b", "iOS", "0a0b"),
      (String(repeating: "A", count: 400), "iOS", String(repeating: "a", count: 400)),
      ("d1:APA91b-x_Y", "Android", "d1:APA91b-x_Y"), ("x", "Android", "x"),
      (String(repeating: "A", count: 1024), "Android", String(repeating: "A", count: 1024)),
    ] as [(String, String?, String)])
  func taken(text: String, platform: String?, stored: String) throws {
    #expect(try PushToken.read(text, platform: platform) == stored)
  }

  @Test(
    "an Android token is refused when it is empty, too long or has other characters",
    arguments: [
      ("", "is empty"), (String(repeating: "A", count: 1025), "must be 1 to 1024 visible ASCII"),
      ("a b", "must be 1 to 1024 visible ASCII"), ("ä", "must be 1 to 1024 visible ASCII"),
    ])
  func android(text: String, reason: String) {
    let refusal = #expect(throws: PushToken.Refusal.self) {
      try PushToken.read(text, platform: "Android")
    }
    #expect(refusal?.reason.hasPrefix(reason) == true)
  }

  @Test("updates, sync, imports and the routes of activities refuse a text in the same words")
  func doors() async throws {
    let fixture = try await Fixture()
    try await fixture.register("phone")
    for (text, reason) in Self.foreign {
      let token = JSONValue.string(text)
      let doors: [(path: String, body: JSONValue, name: String)] = [
        ("PUT /v6/devices/phone", ["device": ["push_token": token]], "$.device.push_token"),
        ("POST /v6/devices/phone/sync", ["device": ["push_token": token]], "$.device.push_token"),
        ("PUT /v6/devices/phone/activities/Order/start-token", ["token": token], "$.token"),
        ("PUT /v6/activities/order/tokens/phone", ["token": token, "type": "Order"], "$.token"),
        ("DELETE /v6/activities/order/tokens/phone", ["token": token], "$.token"),
      ]
      for (path, body, name) in doors {
        let words = path.split(separator: " ").map(String.init)
        let answer = await fixture.request(
          words[0], words[1], role: words[1].hasSuffix("sync") ? .device : .admin, body: body.text)
        #expect(answer.status == 422, "\(path) \(text)")
        #expect(answer.error == "\(name) \(reason)", "\(path)")
      }
      let csv = "token,os_name\n\"\(text)\",iOS\n"
      #expect(await rejected(csv, as: "text/csv", by: fixture) == ["token \(reason)"])
      let line: JSONValue = ["push_token": token, "platform": "iOS"]
      #expect(
        await rejected(line.text, as: "application/x-ndjson", by: fixture) == [
          "$.push_token \(reason)"
        ])
    }
  }

  /// The errors of an import's rejected lines.
  private func rejected(_ file: String, as type: String, by fixture: Fixture) async -> [String] {
    let answer = await fixture.request(
      "POST", "/v6/devices/import", role: .admin, body: file, headers: [("Content-Type", type)])
    return (answer.json["lines"]?.array ?? []).compactMap { $0["error"]?.string }
  }

  @Test("the export of another service names the form of a token in the same words")
  func vendors() throws {
    for (text, reason) in Self.foreign where !text.isEmpty {
      let channel: JSONValue = [
        "channels": [["channel_id": "c", "device_type": "ios", "push_address": .string(text)]]
      ]
      let files: [(VendorExport.Vendor, [UInt8])] = [
        (.oneSignal, Array("identifier,device_type\n\"\(text)\",0\n".utf8)),
        (.airship, channel.bytes),
      ]
      for (vendor, file) in files {
        let rejected = try VendorExport(file, of: vendor).rejected
        #expect(
          rejected.count == 1 && rejected[0].error.hasSuffix("token \(reason)"), "\(vendor)")
      }
    }
  }

  @Test(
    "the dashboard says what a text is that names no device",
    arguments: [
      (
        "d:APA91bHun4",
        "The text is a registration token of Firebase, to which only Firebase can send."
      ),
      ("ExpoPushToken[x]", "The text is a push token of Expo, to which only Expo can send."),
      ("0a0b 0c0d", "The text is a token with spaces."),
    ])
  func dashboard(text: String, words: String) async throws {
    let client = try await DashboardClient.signedIn(Fixture(), as: .push)
    let search = await client.get(client.path("people?search=" + URLEncoded.encode(text)))
    #expect(search.text.contains(words))
    _ = await client.get(client.path("compose"))
    let test = await client.post(
      client.path("compose"), ["text": "Hi", "test_device": text, "action": "test"])
    #expect(test.text.contains(words))
    let other = await client.get(client.path("devices?search=nobody"))
    #expect(!other.text.contains("The text is"))
  }
}
