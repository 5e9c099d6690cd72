import Foundation
import PushPayload
import Testing

@Suite("The aps dictionary")
struct APNsPayloadTests {
  static let everything: JSONValue = [
    "aps": [
      "alert": [
        "title": "T", "subtitle": "S", "body": "B", "launch-image": "L.png",
        "title-loc-key": "TK", "title-loc-args": ["a"], "subtitle-loc-key": "SK",
        "loc-key": "LK", "loc-args": ["x", "y"], "summary-arg": "old",
      ],
      "badge": 3, "sound": ["critical": 1, "name": "siren.aiff", "volume": 0.5],
      "thread-id": "thread", "category": "CAT", "content-available": 1, "mutable-content": 1,
      "target-content-id": "window", "interruption-level": "time-sensitive",
      "relevance-score": 0.25, "filter-criteria": "work", "timestamp": 1_700_000_000,
      "event": "start", "content-state": ["laps": 3], "stale-date": 1_700_000_100,
      "dismissal-date": 1_700_000_200, "attributes-type": "RaceAttributes",
      "attributes": ["name": "Monza"], "input-push-token": 1, "input-push-channel": "abc=",
      "content-changed": true, "url-args": ["legacy"],
    ],
    "mine": ["nested": [1, .null]],
  ]

  @Test("every key of Apple's tables has a property and is written back")
  func complete() {
    let payload = APNsPayload(Self.everything)
    #expect(payload.aps.alert?.localizedBody == .init(key: "LK", arguments: ["x", "y"]))
    #expect(payload.aps.alert?.unknown == ["summary-arg": "old"])
    #expect(payload.aps.sound == .init("siren.aiff", isCritical: true, volume: 0.5))
    #expect(payload.aps.interruptionLevel == .timeSensitive)
    #expect(payload.aps.liveActivity?.attributesType == "RaceAttributes")
    #expect(payload.aps.unknown == ["url-args": ["legacy"]])
    #expect(payload.custom == ["mine": ["nested": [1, .null]]])
    #expect(payload.json == Self.everything)
    #expect(payload.findings().isEmpty)
  }

  @Test("a string alert is the body and stays a string")
  func textAlert() {
    let payload = APNsPayload(["aps": ["alert": "Hello"]])
    #expect(payload.aps.alert?.body == "Hello")
    #expect(payload.json == ["aps": ["alert": "Hello"]])
  }

  @Test(
    "a value of a wrong type is reported, kept and written back",
    arguments: [
      ("alert", 5), ("badge", "1"), ("badge", -1), ("badge", 1.5), ("sound", 1),
      ("sound", ["name": 3]), ("thread-id", 1), ("category", ["a"]), ("content-available", "1"),
      ("mutable-content", true), ("relevance-score", "high"), ("interruption-level", 2),
    ] as [(String, JSONValue)])
  func wrongType(key: String, value: JSONValue) {
    let json: JSONValue = ["aps": .object([key: value, "alert-extra": 1])]
    let payload = APNsPayload(json)
    #expect(payload.json == json)
    #expect(payload.findings().contains { $0.code == .wrongType && $0.path == "$.aps.\(key)" })
  }

  @Test(
    "values out of range are reported",
    arguments: [
      (["alert": "a", "relevance-score": 1.01], "$.aps.relevance-score"),
      (["alert": "a", "interruption-level": "loud"], "$.aps.interruption-level"),
      (["alert": "a", "sound": ["critical": 1, "volume": 2]], "$.aps.sound.volume"),
    ] as [(JSONValue, String)])
  func outOfRange(aps: JSONValue, path: String) {
    #expect(APNsPayload(["aps": aps]).findings().map(\.path) == [path])
  }

  @Test(
    "a payload without aps, or that is not an object, has a finding",
    arguments: [
      [:], ["aps": [:]], ["aps": 1], [1], "text", .null,
    ] as [JSONValue])
  func nothing(json: JSONValue) {
    #expect(!APNsPayload(json).findings().isEmpty)
  }

  @Test(
    "the limit is 4096 bytes, and 5120 for VoIP",
    arguments: [
      (PushType.alert, 4096), (.background, 4096), (.voip, 5120),
    ])
  func size(pushType: PushType, limit: Int) {
    #expect(pushType.payloadLimit == limit)
    for (size, isFine) in [(limit, true), (limit + 1, false)] {
      let frame = APNsPayload(aps: APS(alert: Alert(body: ""))).encoded().count
      let payload = APNsPayload(
        aps: APS(alert: Alert(body: String(repeating: "x", count: size - frame))))
      #expect(payload.encoded().count == size)
      #expect(payload.findings(maximumBytes: limit).contains { $0.code == .tooLarge } == !isFine)
    }
  }

  @Test("a custom key named aps does not replace the aps dictionary")
  func customAPS() {
    let payload = APNsPayload(aps: APS(alert: Alert(body: "real")), custom: ["aps": "forged"])
    #expect(payload.json == ["aps": ["alert": "real"]])
  }
}
