import Foundation
import PushPayload
import TestSupport
import Testing

/// The code of each snippet in the documentation of PushPayload, as the documentation has it.
@Suite("Snippets of PushPayload's documentation")
struct DocumentationSnippetTests {
  static let sources = Repository.url("Sources/Device/PushPayload")

  @Test(
    "are the code of this file",
    arguments: [
      ("PushPayload.docc/PushPayload.md", 5), ("APNsPayload.swift", 1), ("APS.swift", 1),
      ("Alert.swift", 1), ("Dialect.swift", 1), ("DialectTable.swift", 1),
      ("JSON/JSONValue.swift", 1), ("LiveActivity.swift", 1), ("MediaType.swift", 1),
      ("PayloadPath.swift", 1), ("PushType.swift", 1),
    ])
  func text(file: String, count: Int) throws {
    let documentation = Self.sources.appending(path: file)
    #expect(try DocumentationSnippets.snippets(of: documentation).count == count)
    let missing = try DocumentationSnippets.missing(
      of: documentation, from: URL(filePath: #filePath))
    #expect(missing == [])
  }

  // MARK: The page

  @Test("read any vendor's payload")
  func read() throws {
    let payload = try JSONValue(
      parsing: """
        {
          "aps": {"alert": "Rain at noon", "mutable-content": 1},
          "_st": {"image_url": "https://example.com/rain.png"}
        }
        """)
    let request = DialectTable.standard.read(payload)
    for media in request.media {
      print(request.dialect, media.wanted.url)  // sailthru https://example.com/rain.png
    }
    #expect(request.dialect == .sailthru)
    #expect(request.media.map(\.wanted.url) == ["https://example.com/rain.png"])
  }

  @Test("build an aps dictionary")
  func build() throws {
    var aps = APS(alert: Alert(title: "Rain", body: "At noon"), badge: 1, mutableContent: true)
    aps.interruptionLevel = .timeSensitive
    aps.threadID = "weather"
    let payload = APNsPayload(aps: aps, custom: ["image_url": "https://example.com/rain.png"])
    let findings = payload.findings(maximumBytes: PushType.alert.payloadLimit)
    let body = payload.encoded()
    #expect(findings == [])
    #expect(
      try JSONValue(parsing: body) == [
        "aps": [
          "alert": ["title": "Rain", "body": "At noon"], "badge": 1, "mutable-content": 1,
          "interruption-level": "time-sensitive", "thread-id": "weather",
        ], "image_url": "https://example.com/rain.png",
      ])
  }

  @Test("add a dialect")
  func addDialect() {
    let id = Dialect.ID(rawValue: "weather")
    let weather = Dialect(id, signature: ["radar"], media: [.image("radar.map.url")]) {
      $0.title = ["radar.headline"]
      $0.deepLink = ["radar.link"]
    }
    let table = DialectTable.standard.preceded(by: weather)
    let request = table.read([
      "radar": ["headline": "Rain at noon", "map": ["url": "https://example.com/map.png"]]
    ])
    #expect(request.dialect == id)
    #expect(request.title == "Rain at noon")
    #expect(request.media.map(\.wanted.url) == ["https://example.com/map.png"])
  }

  @Test("decide a media type from bytes")
  func decide() {
    let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let decision = MediaTypeDecision(
      head: head, mimeType: "image/jpeg", url: "https://example.com/photo.jpg")
    if let decision, decision.type.isSupported {
      print(decision.type.preferredExtension, decision.source.rawValue)  // png bytes
    }
    #expect(decision?.type == .png)
    #expect(decision?.source == .bytes)
  }

  @Test("check what a push type requires")
  func requirements() {
    let type = PushType.voip
    print(type.topic(forBundleID: "com.example.app"))  // com.example.app.voip
    print(type.requirements.priorities, type.payloadLimit)  // [10, 5, 1] 5120
    #expect(type.topic(forBundleID: "com.example.app") == "com.example.app.voip")
    #expect(type.requirements.priorities == [10, 5, 1])
    #expect(type.payloadLimit == 5120)
  }

  // MARK: The types

  @Test("of APNsPayload, APS and Alert")
  func payloads() throws {
    let payload = APNsPayload(
      aps: APS(alert: Alert(title: "Rain", body: "At noon"), mutableContent: true),
      custom: ["image_url": "https://example.com/rain.png"])
    let body = payload.encoded()
    #expect(try APNsPayload(parsing: body) == payload)

    var aps = APS(alert: Alert(title: "Rain", body: "At noon"), badge: 1, mutableContent: true)
    aps.interruptionLevel = .timeSensitive
    aps.threadID = "weather"
    #expect(APNsPayload(aps: aps).findings() == [])

    var alert = Alert(title: "Rain at noon", body: "Bring an umbrella")
    alert.localizedBody = Alert.LocalizedText(key: "RAIN_AT", arguments: ["12:00"])
    #expect(APNsPayload(aps: APS(alert: alert)).json["aps"]?["alert"]?["loc-key"] == "RAIN_AT")
  }

  @Test("of LiveActivity")
  func liveActivity() {
    let update = LiveActivity.update(
      contentState: ["lap": 12, "leader": "Ada"], at: .now, staleDate: .now + 300)
    let payload = APNsPayload(update, alert: Alert(title: "Lap 12", body: "Ada leads"))
    #expect(update.problem(hasAlert: true, isBroadcast: false) == nil)
    #expect(payload.json["aps"]?["content-state"]?["lap"] == 12)
  }

  @Test("of Dialect and DialectTable")
  func dialects() {
    do {
      let id = Dialect.ID(rawValue: "weather")
      let dialect = Dialect(id, signature: ["radar"], media: [.image("radar.map.url")]) {
        $0.title = ["radar.headline"]
        $0.deepLink = ["radar.link"]
      }
      let request = dialect.read(["radar": ["map": ["url": "https://example.com/map.png"]]])
      #expect(request?.media.first?.wanted.declaredFamily == .image)
    }
    let request = DialectTable.standard.read([
      "aps": ["alert": "Rain at noon", "mutable-content": 1],
      "_st": ["image_url": "https://example.com/rain.png"],
    ])
    print(request.dialect, request.media[0].wanted.url)  // sailthru https://example.com/rain.png
    #expect(request.dialect == .sailthru)
  }

  @Test("of JSONValue")
  func json() throws {
    let payload = try JSONValue(parsing: #"{"aps": {"badge": 3}, "tags": ["rain", "wind"]}"#)
    print(payload["aps"]?["badge"]?.integer ?? 0)  // 3
    print(payload["tags[1]" as PayloadPath]?.string ?? "")  // wind
    #expect(payload["aps"]?["badge"]?.integer == 3)
    #expect(payload["tags[1]" as PayloadPath]?.string == "wind")
  }

  @Test("of PayloadPath")
  func paths() {
    let payload: JSONValue = ["media": [["url": "https://example.com/a.png"]]]
    print(payload[PayloadPath("media[0].url")]?.string ?? "none")
    #expect(payload[PayloadPath("media[0].url")]?.string == "https://example.com/a.png")
  }

  @Test("of MediaType")
  func mediaTypes() {
    let type = MediaType(pathExtension: "jpg")  // MediaType.jpeg
    let gif = MediaType(signature: Array("GIF89a".utf8))  // MediaType.gif
    print(MediaType.png.family.maximumBytes)  // 10000000
    #expect(type == .jpeg)
    #expect(gif == .gif)
    #expect(MediaType.png.family.maximumBytes == 10_000_000)
  }

  @Test("of PushType")
  func pushTypes() {
    let type = PushType.liveActivity
    print(type.topic(forBundleID: "com.example.app"))  // com.example.app.push-type.liveactivity
    print(type.requirements.priorities)  // [10, 5]
    #expect(type.topic(forBundleID: "com.example.app") == "com.example.app.push-type.liveactivity")
    #expect(type.requirements.priorities == [10, 5])
  }
}
