import Foundation
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
      var behavior = HostBehavior()
      (behavior.pushToStartBudget, behavior.pushToStartWindow) = (1, .seconds(60))
      var phone = PhoneActivities(behavior: behavior)
      for (time, rule) in [(0, nil), (59, .pushToStartBudget), (60, nil)] as [(Double, HostRule?)] {
        let now = Date(timeIntervalSince1970: time)
        #expect(phone.start(LiveActivity(event: "start"), token: "\(time)", at: now) == rule)
      }
    },
    RuleScenario(.activityLife, "an activity runs for eight hours and is gone after twelve") {
      var phone = PhoneActivities()
      let start = Date(timeIntervalSince1970: 0)
      func after(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }
      #expect(phone.start(LiveActivity(event: "start"), token: "aa", at: start) == nil)
      #expect(phone.runs("aa", at: after(8 * 3600 - 1)) && !phone.runs("aa", at: after(8 * 3600)))
      #expect(phone.visible(at: after(12 * 3600 - 1)).map(\.token) == ["aa"])
      #expect(phone.visible(at: after(12 * 3600)).isEmpty)
      // A date of dismissal is heeded up to four hours after the end.
      for (dismissal, seconds) in [(nil, 14_400), (0, 0), (60, 60), (20_000, 14_400)]
        as [(Double?, Double)]
      {
        var phone = PhoneActivities()
        _ = phone.start(LiveActivity(event: "start"), token: "aa", at: start)
        let end = LiveActivity.end(at: start, dismissalDate: dismissal.map(after))
        #expect(phone.receive(end, to: "aa", priority: 5, at: start) == nil)
        #expect(phone.visible(at: after(seconds)).isEmpty)
        #expect(seconds == 0 || phone.visible(at: after(seconds - 1)).count == 1)
      }
    },
    RuleScenario(.activityToken, "after the end, and for another token, an update is ignored") {
      let host = World().host()
      let token = try #require(await deliver(start, to: nil, host).activity?.token)
      #expect(try await deliver(update(1_798_135_300), to: token, host).activity?.token == token)
      #expect(try await deliver(update(2), to: "00", host).rule == .activityToken)
      #expect(try await deliver(end, to: token, host).activity != nil)
      #expect(try await deliver(update(9_999_999_999), to: token, host).rule == .activityToken)
    },
    RuleScenario(
      .activityOrder, "an update that is older than the last is ignored, one as old is not"
    ) {
      let host = World().host()
      let token = try #require(await deliver(start, to: nil, host).activity?.token)
      for (timestamp, rule) in [
        (1_798_135_200, .liveActivity), (1_798_135_199, .activityOrder),
        (1_798_135_201, .liveActivity), (1_798_135_200, .activityOrder),
      ] as [(Int, HostRule)] {
        #expect(try await deliver(update(timestamp), to: token, host).rule == rule)
      }
    },
    RuleScenario(.activityUpdateBudget, "updates with priority 10 have a budget, those with 5 none")
    {
      let world = World { _, behavior in behavior.activityUpdateBudget = 2 }
      let host = world.host()
      let token = try #require(await deliver(start, to: nil, host).activity?.token)
      for (priority, rule) in [
        (10, .liveActivity), (5, .liveActivity), (10, .liveActivity), (10, .activityUpdateBudget),
        (5, .liveActivity), (10, .activityUpdateBudget),
      ] as [(Int, HostRule)] {
        let report = try await deliver(update(1_798_135_200), to: token, host, priority: priority)
        #expect(report.rule == rule, "\(report)")
      }
    },
    RuleScenario(.reloadBudget, "reloads have a budget for each kind, which is whole after a day") {
      let json = #"{"aps":{"content-changed":true}}"#
      let host = World { _, behavior in behavior.reloadBudget = 2 }.host()
      for (type, rule) in [
        ("widgets", .pushDestination), ("widgets", .pushDestination), ("widgets", .reloadBudget),
        ("controls", .pushDestination), ("widgets", .reloadBudget),
      ] as [(String, HostRule)] {
        let message = PushMessage(payload: try JSONValue(parsing: json), pushType: type)
        let report = await host.deliver(message)
        #expect(report.rule == rule, "\(report)")
        #expect((report.outcome == .dropped) == (rule == .reloadBudget))
      }
      var behavior = HostBehavior()
      for (budget, answers) in [
        (1, [true, false, true]), (0, [false, false, false]), (nil, [true, true, true]),
      ] as [(Int?, [Bool])] {
        behavior.reloadBudget = budget
        var phone = PhoneReloads(behavior: behavior)
        let times = [0, 86_399, 86_400].map(Date.init(timeIntervalSince1970:))
        #expect(times.map { phone.reload("widgets", at: $0) } == answers)
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

  private static func update(_ timestamp: Int) -> String {
    #"{"aps":{"event":"update","timestamp":\#(timestamp),"content-state":{}}}"#
  }

  private static let end = #"{"aps":{"event":"end","timestamp":1798135400}}"#

  private static func deliver(
    _ json: String, to token: String?, _ host: VirtualPhone, priority: Int = 10
  ) async throws -> DeliveryReport {
    var message = PushMessage(payload: try JSONValue(parsing: json), pushType: "liveactivity")
    (message.activityToken, message.priority) = (token, priority)
    return await host.deliver(message)
  }

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
