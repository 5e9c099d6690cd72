import Foundation
import NotificationHost
import PushPayload
import Synchronization
import TestSupport
import Testing
@_spi(Host) import UserNotifications

// From the payload to the request.

extension RuleScenarioTests {
  /// The content of an `aps` for an app with every entitlement.
  private static func content(_ aps: String) async throws -> ShownContent? {
    let world = World { app, _ in app.entitlements.criticalAlerts = true }
    return try await world.deliver("{\"aps\":{\"alert\":\"B\",\(aps)}}").content
  }

  /// The body that an app with one localized string shows.
  private static func body(_ alert: String, strings: String) async throws -> String? {
    let bundle = TemporaryFolder()
    let folder = bundle.url.appending(path: "en.lproj")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(strings.utf8).write(to: folder.appending(path: "Localizable.strings"))
    let world = World { app, _ in app.bundle = bundle.url }
    return try await world.deliver("{\"aps\":{\"alert\":\(alert)}}").content?.body
  }

  static let request: [RuleScenario] = [
    RuleScenario(.acceptance, "not registered is dropped, nothing allowed is not shown") {
      let unknown = try await World { app, _ in app.isRegistered = false }.deliver()
      #expect(unknown.outcome == .dropped && unknown.rule == .acceptance, "\(unknown)")
      let denied = try await World { app, _ in app.settings = .denied }.deliver()
      #expect(denied.outcome == .notDisplayed && denied.rule == .acceptance, "\(denied)")
      let waking = try await World { app, _ in app.settings = .denied }
        .deliver(#"{"aps":{"alert":"B","content-available":1}}"#)
      #expect(waking.rule != .acceptance && waking.wakesApp, "\(waking)")
    },
    RuleScenario(.usablePayload, "an empty aps is dropped, a badge alone is not") {
      let empty = try await World().deliver(#"{"aps":{}}"#)
      #expect(empty.outcome == .dropped && empty.rule == .usablePayload, "\(empty)")
      #expect(try await World().deliver(#"{"aps":{"badge":0}}"#).outcome == .notDisplayed)
    },
    RuleScenario(.requestIdentifier, "the collapse id names the request, else each its own") {
      let payload = try JSONValue(parsing: World.plain)
      let host = World().host()
      let named = await host.deliver(PushMessage(payload: payload, collapseID: "c1"))
      #expect(named.content?.requestIdentifier == "c1")
      let first = await host.deliver(PushMessage(payload: payload)).content?.requestIdentifier
      let second = await host.deliver(PushMessage(payload: payload)).content?.requestIdentifier
      #expect(first != second && first?.isEmpty == false)
    },
    RuleScenario(.userInfo, "the whole payload is there, aps included") {
      let json = #"{"aps":{"alert":"B","mutable-content":1},"mine":[1,-1.5,2.5e9,true,{"a":null}]}"#
      let report = try await World().deliver(json) { $1($0.content) }
      let payload = try JSONValue(parsing: json)
      #expect(report.content?.userInfo == payload)
      // Numbers are `NSNumber`s, which are any type that can represent them.
      let read = try await World().deliver(json) { request, reply in
        let mine = request.content.userInfo["mine"] as? [Any]
        let isNumber = mine?[0] as? TimeInterval == 1 && mine?[0] as? Bool == true
        if isNumber, mine?[1] as? Int == nil, mine?[2] as? Int == 2_500_000_000,
          mine?[3] as? Bool == true
        {
          reply(request.content)
        }
      }
      #expect(read.outcome == .displayed)
    },
    RuleScenario(.alertText, "a text is the body, of an object what is a text and not empty") {
      #expect(try await World().deliver(#"{"aps":{"alert":"B"}}"#).content?.body == "B")
      let alert = #"{"title":1,"subtitle":"","body":"B"}"#
      let content = try await World().deliver("{\"aps\":{\"alert\":\(alert)}}").content
      #expect(content?.title == "" && content?.subtitle == "" && content?.body == "B")
    },
    RuleScenario(.badge, "a number not below zero counts, anything else does not") {
      for (badge, number) in [("0", 0), ("7", 7), ("-1", nil), (#""1""#, nil)] as [(String, Int?)] {
        let shown = try await content("\"badge\":\(badge)")
        #expect(shown?.badge == number, "\(badge)")
      }
    },
    RuleScenario(.textMembers, "category, thread, target and filter are texts or absent") {
      let seen = Mutex<[String?]>([])
      for value in [#""X""#, #""""#, "5"] {
        let members = ["category", "thread-id", "target-content-id", "filter-criteria"]
          .map { "\"\($0)\":\(value)" }.joined(separator: ",")
        let json = #"{"aps":{"alert":"B","mutable-content":1,"# + members + "}}"
        _ = try await World().deliver(json) { request, reply in
          let content = request.content
          let texts = [content.targetContentIdentifier, content.filterCriteria]
          seen.withLock {
            $0 = [content.categoryIdentifier, content.threadIdentifier] + texts
          }
          reply(content)
        }
        let absent: String? = value == "5" ? nil : value.filter { $0 != "\"" }
        #expect(seen.withLock { $0 } == [absent ?? "", absent ?? "", absent, absent])
      }
    },
    RuleScenario(.flags, "a positive number, true and any text are on; 0, -1 and false are off") {
      for (value, isOn) in [
        ("1", true), ("2", true), ("true", true), (#""no""#, true), ("0", false), ("-1", false),
        ("false", false), ("null", false),
      ] {
        let json =
          #"{"aps":{"alert":"B","mutable-content":\#(value),"content-available":\#(value)}}"#
        let report = try await World().deliver(json) { $1($0.content) }
        #expect(report.run.ran == isOn && report.wakesApp == isOn, "\(value)")
      }
    },
    RuleScenario(.interruptionLevel, "the four are taken, any other is active") {
      for level in ["passive", "active", "time-sensitive", "critical"] {
        let shown = try await content("\"interruption-level\":\"\(level)\"")
        #expect(shown?.interruptionLevel == level)
      }
      for level in [#""loud""#, #""Passive""#, "1"] {
        let shown = try await content("\"interruption-level\":\(level)")
        #expect(shown?.interruptionLevel == "active")
      }
    },
    RuleScenario(.relevanceScore, "it is brought into 0…1") {
      for (score, number) in [("-1", 0), ("0.5", 0.5), ("1", 1), ("1.1", 1), (#""1""#, 0)] {
        let shown = try await content("\"relevance-score\":\(score)")
        #expect(shown?.relevanceScore == number)
      }
    },
    RuleScenario(.sound, "a name or an object; the volume is brought into 0…1") {
      let sound = Mutex<(name: String?, isCritical: Bool, volume: Float?)?>(nil)
      for (json, name, isCritical, volume) in [
        (#""a.caf""#, "a.caf", false, nil), (#""""#, nil, false, nil),
        ("{}", nil, false, nil), (#"{"name":"a.caf","volume":2}"#, "a.caf", false, nil),
        (#"{"critical":1,"name":"a.caf","volume":2}"#, "a.caf", true, 1),
        (#"{"critical":1,"volume":-1}"#, nil, true, 0),
      ] as [(String, String?, Bool, Float?)] {
        let payload = #"{"aps":{"alert":"B","mutable-content":1,"sound":\#(json)}}"#
        _ = try await World().deliver(payload) { request, reply in
          let heard = request.content.sound.map { ($0.name?.rawValue, $0.isCritical, $0.volume) }
          sound.withLock { $0 = heard }
          reply(request.content)
        }
        let heard = sound.withLock { $0 }
        #expect((heard == nil) == (json == #""""#), "\(json)")
        #expect(
          heard?.name == name && heard?.isCritical ?? false == isCritical, "\(json)")
        #expect(heard?.volume == volume, "\(json)")
      }
    },
    RuleScenario(.criticalLevel, "without the entitlement it is active, and so is the sound") {
      let json =
        #"{"aps":{"alert":"B","interruption-level":"critical","sound":{"critical":1,"name":"x"}}}"#
      let report = try await World().deliver(json)
      #expect(report.content?.interruptionLevel == "active" && report.names(.criticalLevel))
      let unlowered = World { _, behavior in behavior.lowersUnentitledLevels = false }
      #expect(try await unlowered.deliver(json).content?.interruptionLevel == "critical")
    },
    RuleScenario(.timeSensitiveLevel, "without the capability it is active") {
      let json = #"{"aps":{"alert":"B","interruption-level":"time-sensitive"}}"#
      #expect(try await World().deliver(json).content?.interruptionLevel == "time-sensitive")
      let report = try await World { app, _ in app.entitlements.timeSensitive = false }
        .deliver(json)
      #expect(report.content?.interruptionLevel == "active" && report.names(.timeSensitiveLevel))
    },
  ]

  static let texts: [RuleScenario] = [
    RuleScenario(.localizedText, "the app's text for a key, else the literal, else the key") {
      let strings = #""K" = "found";"#
      for (alert, text) in [
        (#"{"loc-key":"K","body":"lit"}"#, "found"), (#"{"loc-key":"N","body":"lit"}"#, "lit"),
        (#"{"loc-key":"N"}"#, "N"),
      ] {
        let shown = try await body(alert, strings: strings)
        #expect(shown == text)
      }
    },
    RuleScenario(.localizedArguments, "an array of texts and numbers; other elements are empty") {
      for (arguments, text) in [
        (#"["a",2]"#, "a 2."), (#"[{},null]"#, " ."), (#""a""#, "<null> <null>."),
      ] {
        let alert = "{\"loc-key\":\"K\",\"loc-args\":\(arguments)}"
        let shown = try await body(alert, strings: #""K" = "%@ %@.";"#)
        #expect(shown == text)
      }
    },
    RuleScenario(.formatFilling, "in order, by position, percent signs, what is missing or unknown")
    {
      for (format, text) in [
        ("%@%@", "ab"), ("%2$@%1$@", "ba"), ("5%%", "5%"), ("%3$@", "<null>"),
        ("%@%@%@", "ab<null>"), ("%x-", "-"), ("end %", "end "),
      ] {
        let alert = #"{"loc-key":"K","loc-args":["a","b"]}"#
        let shown = try await body(alert, strings: "\"K\" = \"\(format)\";")
        #expect(shown == text, "\(format)")
      }
    },
  ]
}
