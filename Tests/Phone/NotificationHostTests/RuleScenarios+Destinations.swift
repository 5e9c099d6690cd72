import NotificationHost
import PushPayload
import TestSupport
import Testing
import UserNotifications

// Pushes that are no notification, and notifications that leave the phone.

extension RuleScenarioTests {
  static let destinations: [RuleScenario] = [
    RuleScenario(.pushDestination, "an alert sent as voip is no notification") {
      let report = try await World().deliver(World.plain, pushType: "voip")
      #expect(report.outcome == .notDisplayed && report.rule == .pushDestination, "\(report)")
      #expect(report.content == nil && report.wakesApp)
      let lenient = World { _, behavior in behavior.enforcesPushType = false }
      #expect(try await lenient.deliver(World.plain, pushType: "voip").outcome == .displayed)
    },
    RuleScenario(
      .liveActivity, "an activity is shown on the phone, the watch, the Mac and in the car"
    ) {
      let report = try await World().deliver(start, pushType: "liveactivity")
      #expect(report.outcome == .notDisplayed && report.rule == .liveActivity, "\(report)")
      #expect(report.activity?.push.attributesType == "Order")
      #expect(
        report.activity?.places.map(\.rawValue) == [
          "lock-screen", "dynamic-island", "smart-stack", "carplay", "menu-bar",
        ])
    },
    RuleScenario(.pushToStartBudget, "the start after the last of the budget is dropped") {
      for (budget, started) in [(2, 2), (0, 0), (nil, 12)] as [(Int?, Int)] {
        let host = World { _, behavior in behavior.pushToStartBudget = budget }.host()
        let message = PushMessage(payload: try JSONValue(parsing: start), pushType: "liveactivity")
        for _ in 0..<started { #expect(await host.deliver(message).activity != nil) }
        guard budget != nil else { continue }
        let report = await host.deliver(message)
        #expect(report.outcome == .dropped && report.rule == .pushToStartBudget, "\(report)")
        #expect(report.activity == nil)
      }
    },
    RuleScenario(.accessory, "what is shown is forwarded if the person allows it, and nothing else")
    {
      let world = World { app, _ in app.settings.accessories = true }
      let file = try world.folder.write(Fixtures.bytes("media/picture.png"), to: "a.png")
      let report = try await world.deliver(World.plain, World.attaching(file))
      let forwarded = try #require(report.forwarded)
      #expect(forwarded.title == "T" && forwarded.body == "B" && report.names(.accessory))
      #expect(forwarded.attachments == report.attachments && forwarded.attachments.count == 1)
      #expect(try await World().deliver().forwarded == nil)
      #expect(try await world.deliver(#"{"aps":{"badge":1}}"#).forwarded == nil)
    },
  ]

  fileprivate static let start = """
    {"aps": {"timestamp": 1798135200, "event": "start", "attributes-type": "Order", "attributes": {},
     "content-state": {}, "alert": {"title": "Order", "body": "Cooking"}}}
    """
}

@Suite("Pushes that are no notification", .timeLimit(.minutes(10)))
struct PushDestinationTests {
  /// The push types that Apple documents, which are notifications.
  private static let notifications: [PushType] = [.alert, .background]

  @Test("every push type is a notification or has its place", arguments: PushType.all)
  func types(type: PushType) async throws {
    let json =
      switch type {
      case .liveActivity: RuleScenarioTests.start
      case .widgets, .controls: #"{"aps":{"content-changed":true}}"#
      default: World.plain
      }
    let report = try await World().deliver(json, pushType: type.rawValue)
    let isNotification = Self.notifications.contains(type)
    #expect((report.content != nil) == isNotification, "\(report)")
    let rule = type == .liveActivity ? HostRule.liveActivity : .pushDestination
    #expect((report.rule == rule) == !isNotification, "\(report)")
    #expect(report.wakesApp == [.voip, .pushToTalk].contains(type))
  }

  @Test("a push type that is not known is taken for a notification, as one without a type is")
  func unknown() async throws {
    for type in ["invented", nil] {
      let report = try await World().deliver(World.plain, pushType: type)
      #expect(report.outcome == .displayed, "\(report)")
    }
  }

  @Test(
    "widgets and controls are reloaded by content-changed, and by nothing else",
    arguments: ["widgets", "controls"],
    [
      (#"{"aps":{"content-changed":true}}"#, DeliveryReport.Outcome.notDisplayed),
      (#"{"aps":{"content-changed":1}}"#, .dropped), (#"{"aps":{"alert":"A"}}"#, .dropped),
      (#"{"aps":{"content-changed":false}}"#, .dropped), ("[]", .dropped),
    ])
  func reload(type: String, push: (json: String, outcome: DeliveryReport.Outcome)) async throws {
    let report = try await World().deliver(push.json, pushType: type)
    #expect(report.outcome == push.outcome && report.rule == .pushDestination, "\(report)")
    #expect(report.reason.contains(type))
  }

  @Test(
    "a Live Activity ignores a push that lacks what its event needs",
    arguments: [
      (#"{"aps":{"alert":"A"}}"#, "event is missing"), ("[]", "event is missing"),
      (#"{"aps":{"event":"start","timestamp":1,"content-state":{}}}"#, "attributes-type"),
      (#"{"aps":{"event":"update","content-state":{}}}"#, "timestamp is missing"),
      (#"{"aps":{"event":"update","timestamp":1}}"#, "content-state"),
      (#"{"aps":{"event":"pause","timestamp":1}}"#, "start, update or end"),
    ])
  func incomplete(json: String, reason: String) async throws {
    let report = try await World().deliver(json, pushType: "liveactivity")
    #expect(report.outcome == .dropped && report.rule == .liveActivity, "\(report)")
    #expect(report.reason.contains(reason) && report.activity == nil)
  }

  @Test("updates and ends, and starts that are ignored, leave the budget alone")
  func budget() async throws {
    let host = World { _, behavior in behavior.pushToStartBudget = 1 }.host()
    func deliver(_ json: String) async throws -> DeliveryReport {
      await host.deliver(
        PushMessage(payload: try JSONValue(parsing: json), pushType: "liveactivity"))
    }
    _ = try await deliver(#"{"aps":{"event":"start","timestamp":1}}"#)
    let update = #"{"aps":{"event":"update","timestamp":1,"content-state":{}}}"#
    let end = #"{"aps":{"event":"end","timestamp":1}}"#
    for json in [update, update, end, RuleScenarioTests.start, update, end] {
      #expect(try await deliver(json).activity != nil)
    }
    #expect(try await deliver(RuleScenarioTests.start).rule == .pushToStartBudget)
  }
}
