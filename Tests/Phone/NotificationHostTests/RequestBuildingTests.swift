import Foundation
import NotificationHost
import PushPayload
import TestSupport
import Testing
import UserNotifications

/// The system's handling of invalid payload values.
@Suite("From the payload to the request", .timeLimit(.minutes(10)))
struct RequestBuildingTests {
  private static func content(_ aps: String, bundle: URL? = nil) async throws -> ShownContent? {
    let world = World { app, behavior in
      app.bundle = bundle
      app.entitlements.criticalAlerts = true
    }
    return try await world.deliver("{\"aps\":{\(aps)},\"mine\":[1]}").content
  }

  @Test(
    "badge, score and level",
    arguments: [
      (#""badge":0"#, 0, 0, "active"), (#""badge":-1"#, nil, 0, "active"),
      (#""badge":"1""#, nil, 0, "active"), (#""relevance-score":-1"#, nil, 0, "active"),
      (#""relevance-score":0.5"#, nil, 0.5, "active"),
      (#""relevance-score":1.1"#, nil, 1, "active"),
      (#""relevance-score":"1""#, nil, 0, "active"),
      (#""interruption-level":"critical""#, nil, 0, "critical"),
      (#""interruption-level":"Passive""#, nil, 0, "active"),
      (#""interruption-level":1"#, nil, 0, "active"),
    ] as [(String, Int?, Double, String)])
  func numbers(aps: String, badge: Int?, score: Double, level: String) async throws {
    let content = try #require(try await Self.content("\"alert\":\"B\",\(aps)"))
    #expect(content.badge == badge)
    #expect(content.relevanceScore == score)
    #expect(content.interruptionLevel == level)
    #expect(content.userInfo["mine"] == [1])
  }

  @Test(
    "sounds",
    arguments: [
      (#""default""#, "default"), (#""a.caf""#, "a.caf"), (#""""#, nil), ("1", nil),
      ("{}", "default"), (#"{"name":"default"}"#, "default"), (#"{"name":"a.caf"}"#, "a.caf"),
      (#"{"name":""}"#, "default"), (#"{"critical":1,"name":"a.caf","volume":2}"#, "a.caf"),
    ] as [(String, String?)])
  func sounds(json: String, name: String?) async throws {
    #expect(try await Self.content("\"alert\":\"B\",\"sound\":\(json)")?.sound == name)
  }

  @Test(
    "values that are not strings are ignored",
    arguments: [
      (#""alert":{"title":1,"body":"B"},"category":5,"thread-id":"""#, "", ""),
      (#""alert":{"title":"","body":"B"},"category":"C""#, "", "C"),
      (#""alert":{"title":"T","body":null}"#, "T", ""),
    ])
  func texts(aps: String, title: String, category: String) async throws {
    let content = try #require(try await Self.content(aps))
    #expect(content.title == title && content.categoryIdentifier == category)
    #expect(content.threadIdentifier == "")
  }

  @Test(
    "localized text comes from the app's Localizable.strings",
    arguments: [
      (#"{"loc-key":"HELLO","loc-args":["Ann"]}"#, "Hallo \"Ann\"!"),
      (#"{"loc-key":"HELLO","loc-args":[{}]}"#, "Hallo \"\"!"),
      (#"{"loc-key":"HELLO","loc-args":[]}"#, "Hallo \"<null>\"!"),
      (#"{"loc-key":"BASE"}"#, "base"), (#"{"loc-key":"NONE","body":"lit %@"}"#, "lit <null>"),
      (#"{"loc-key":"NONE"}"#, "NONE"), (#"{"loc-key":"","body":"lit"}"#, "lit"),
    ])
  func localized(alert: String, body: String) async throws {
    let bundle = TemporaryFolder()
    for (folder, text) in [
      ("Base.lproj", #""BASE" = "base"; "HELLO" = "no";"#),
      ("en.lproj", "/* \"X\" = \"no\"; */\n// none\n\"HELLO\" = \"Hallo \\\"%@\\\"!\";\nbroken"),
    ] {
      let url = bundle.url.appending(path: folder)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url.appending(path: "Localizable.strings"))
    }
    #expect(try await Self.content("\"alert\":\(alert)", bundle: bundle.url)?.body == body)
  }
}
