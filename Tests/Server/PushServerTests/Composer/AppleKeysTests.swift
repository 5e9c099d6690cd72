import Foundation
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("Apple's keys in the payload of a request", .timeLimit(.minutes(10)))
struct AppleKeysTests {
  /// A key of `aps`, a value of it as the caller gives it, and as APNs gets it.
  struct Row: Sendable, CustomTestStringConvertible {
    var key: String
    var given: JSONValue
    var sent: JSONValue
    var testDescription: String { "\(key): \(given.text)" }

    init(_ key: String, _ given: JSONValue, sent: JSONValue? = nil) {
      (self.key, self.given, self.sent) = (key, given, sent ?? given)
    }
  }

  static let rows = [
    Row("badge", 3), Row("sound", "chime.caf"),
    Row(
      "sound", ["critical": true, "name": "siren.caf", "volume": 0.5],
      sent: ["critical": 1, "name": "siren.caf", "volume": 0.5]),
    Row(
      "sound", ["critical": 1, "name": "siren.caf", "volume": 1],
      sent: ["critical": 1, "name": "siren.caf", "volume": 1]),
    Row("thread-id", "weather"), Row("category", "FORECAST"),
    Row("content-available", true, sent: 1), Row("mutable-content", true, sent: 1),
    Row("target-content-id", "city"), Row("interruption-level", "time-sensitive"),
    Row("relevance-score", 0.5), Row("filter-criteria", "rain"),
  ]

  private func preview(_ payload: JSONValue, _ fixture: Fixture) async -> (Int, JSONValue) {
    let answer = await fixture.request(
      "POST", "/v6/notifications/preview",
      body: JSONValue.object(["notification": ["to": "*", "payload": payload]]).text)
    return (answer.status, answer.json)
  }

  @Test("a key has the API's name, Apple's name, or stands in aps", arguments: rows)
  func spellings(row: Row) async throws {
    let fixture = try await Fixture()
    let name = row.key.replacing("-", with: "_")
    for payload in [
      ["alert": "Rain", name: row.given], ["alert": "Rain", row.key: row.given],
      ["alert": "Rain", "aps": [row.key: row.given]],
      ["alert": "Rain", name: row.given, "aps": [row.key: row.given]],
    ] as [JSONValue] {
      let (status, json) = await preview(payload, fixture)
      #expect(status == 200, "\(payload.text): \(json.text)")
      #expect(json["payload"]?["aps"] == ["alert": "Rain", row.key: row.sent], "\(payload.text)")
      #expect(json["payload"]?.object?.keys.sorted() == ["_nid", "aps"], "\(payload.text)")
    }
  }

  @Test("Apple's 1 and 0 are taken under Apple's name", arguments: [1, 0] as [JSONValue])
  func numbers(value: JSONValue) async throws {
    let fixture = try await Fixture()
    for key in ["content-available", "mutable-content"] {
      let (status, json) = await preview(["alert": "Rain", key: value], fixture)
      #expect(status == 200 && json["payload"]?["aps"]?[key] == (value == 1 ? 1 : nil))
      let name = key.replacing("-", with: "_")
      #expect(await preview(["alert": "Rain", .init(name): value], fixture).0 == 400)
    }
  }

  static let contradictions: [(payload: JSONValue, error: String)] = [
    (
      ["alert": "a", "thread_id": "x", "thread-id": "y"],
      "payload.thread-id contradicts $.notification.payload.thread_id; give it once"
    ),
    (
      ["alert": "a", "badge": 1, "aps": ["badge": 2]],
      "payload.aps.badge contradicts $.notification.payload.badge; give it once"
    ),
    (
      ["alert": "a", "aps": ["alert": "b"]],
      "payload.aps.alert contradicts $.notification.payload.alert; give it once"
    ),
    (["alert": ["body": "a", "loc_key": "k", "loc-key": "l"]], "give it once"),
    (["alert": "a", "sound": ["critical": true, "pitch": 1]], "payload.sound.pitch is not known"),
    (["alert": "a", "sound": ["volume": 1.5]], "payload.sound.volume must be from 0 to 1"),
    (["alert": "a", "content-available": 2], "payload.content-available must be a whole number"),
    (["alert": "a", "aps": ["relevance-score": 2]], "payload.aps.relevance-score must be from"),
    (["alert": "a", "aps": ["mutable_content": 1]], "payload.aps.mutable_content must be spelled"),
    (["alert": "a", "aps": ["title": "b"]], "payload.aps.title belongs in aps.alert"),
  ]

  @Test(
    "a key that contradicts, or that Apple does not take, is refused", arguments: contradictions)
  func refusal(payload: JSONValue, error: String) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.send(payload)
    #expect(answer.status == 422)
    #expect(answer.text.contains(error), "\(answer.text)")
  }

  @Test("a key of other pushes is refused with where it belongs")
  func foreign() async throws {
    let fixture = try await Fixture()
    for (key, reason) in CallerPayload.foreign {
      var payloads: [JSONValue] = [["alert": "a", "aps": [key: "x"]]]
      if key.contains("-") { payloads.append(["alert": "a", key: "x"]) }
      for payload in payloads {
        let answer = await fixture.send(payload)
        #expect(answer.status == 422 && answer.text.contains(reason), "\(payload.text)")
      }
    }
    // Words that an app may use for itself.
    #expect(await fixture.send(["alert": "a", "event": "concert", "timestamp": 1]).status == 201)
  }

  @Test("docs/server/api.md lists these keys, with these names")
  func documented() throws {
    let page = try String(
      contentsOf: Repository.url("docs/server/api.md"), encoding: .utf8)
    let section = try #require(
      page.split(separator: "### Apple's keys").last?.split(separator: "\n### ").first)
    let cells = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    let documented = Set(cells.map { "\($0[0]) \($0[1])" })
    let ours = CallerPayload.keys.map { "`\($0.apple)` `\($0.name)`" }
    let refused = CallerPayload.foreign.keys.map { "`\($0)` refused" }
    #expect(documented == Set(ours + refused))
  }
}
