import APNs
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Why a device got a notification or did not", .timeLimit(.minutes(10)))
struct ExplanationTests {
  private static let now = Timestamp(milliseconds: 1_700_000_000_000)

  private static func device(_ edit: (inout Device) -> Void = { _ in }) -> Device {
    var device = Device(id: "d", createdAt: now)
    device.token = "aa"
    edit(&device)
    return device
  }

  private static func facts(_ edit: (inout DeliveryFacts) -> Void = { _ in }) -> DeliveryFacts {
    var facts = DeliveryFacts(device: device(), at: now)
    facts.selectedAt = now + .seconds(60)
    facts.isMember = true
    edit(&facts)
    return facts
  }

  private static func send(_ state: Send.State, failure: String? = nil) -> Send {
    var send = Send(
      id: "s", messageID: "m", app: "a", audience: "x", payload: [:], createdAt: now)
    (send.state, send.failure) = (state, failure)
    return send
  }

  private static func run(_ state: RunLifecycle.State, began: Bool = true) -> CampaignRun {
    var run = CampaignRun(
      id: "r", app: "a", campaign: "c", number: 1, version: 1, plannedAt: now)
    (run.state, run.startedAt, run.reason) = (state, began ? now : nil, "no devices")
    return run
  }

  private static func outcome(
    _ result: Outcome.Result, _ status: Int?, _ reason: String?
  ) -> Outcome {
    Outcome(device: 1, result: result, status: status, reason: reason, time: now)
  }

  static let reasons: [(facts: DeliveryFacts, code: String, message: String)] = [
    (
      facts {
        $0.send = send(.complete)
        $0.outcome = outcome(.sent, 200, nil)
        $0.receipts = [Receipt(id: "r", send: "s", device: "d", event: .opened, at: now)]
      }, "delivered", "the device has reported opened at 2023-11-14T22:13:20.000Z"
    ),
    (
      facts {
        $0.send = send(.complete)
        $0.outcome = outcome(.sent, 200, nil)
      }, "accepted",
      "APNs accepted the push at 2023-11-14T22:13:20.000Z, and the device has not reported it; it may"
        + " be off, in a Focus, or its app has no service extension"
    ),
    (
      facts {
        // What the device is now says nothing of what happened.
        $0.device.isPushEnabled = false
        $0.outcome = outcome(.rejected, 400, "BadDeviceToken")
      }, "refused",
      "APNs refused the push with 400 BadDeviceToken. The token is of another environment or of"
        + " another app. Register devices of development builds with development: true."
    ),
    (
      facts { $0.outcome = outcome(.uninstalled, 410, "Unregistered") }, "refused",
      "APNs refused the push with 410 Unregistered. The app was removed from the device, which gets"
        + " no more pushes until the app registers again."
    ),
    (
      facts { $0.outcome = outcome(.rejected, nil, "PayloadTooLarge") }, "refused",
      "nothing was sent: PayloadTooLarge. Write shorter texts, or let them be shortened (_overflow)."
    ),
    (facts { $0.send = send(.scheduled) }, "waiting", "its push is not sent yet"),
    (facts { $0.send = send(.sending) }, "waiting", "its push is not sent yet"),
    (facts { $0.send = send(.paused) }, "paused", "the notification is paused"),
    (
      facts { $0.send = send(.pausing, failure: "Apple refuses the key") }, "paused",
      "the notification is paused: Apple refuses the key"
    ),
    (
      facts { $0.send = send(.canceled) }, "canceled",
      "the notification was canceled before its push was sent"
    ),
    (
      facts { $0.send = send(.failed, failure: "no") }, "failed", "the notification failed: no"
    ),
    (
      facts { $0.send = send(.complete) }, "expired",
      "the notification expired before its push was sent"
    ),
    (
      facts {
        $0.run = run(.rolling)
        $0.group = .control
      }, "control", "its person is in the control of the campaign, which is sent nothing"
    ),
    (
      facts {
        $0.run = run(.rolling)
        $0.group = .heldOut
      }, "held_out", "its person is in the holdout of the app, which gets no campaigns"
    ),
    (
      facts {
        $0.run = run(.rolling)
        $0.group = .missed
      }, "missed", "the time of the campaign was over in its time zone when the run began"
    ),
    (
      facts {
        $0.run = run(.rolling)
        $0.group = .quiet
      }, "quiet", "its push would have been sent in its quiet hours, in which it gets nothing"
    ),
    (
      facts {
        $0.outcome = outcome(.rejected, nil, "Capped 2/P7D")
        $0.pushes = [
          now + .seconds(-8 * 86_400), now + .seconds(-60), now + .seconds(-30), now + .seconds(9),
        ]
      }, "capped",
      "the app allows a device 2 pushes in P7D, and it had got them at 2023-11-14T22:12:20.000Z,"
        + " 2023-11-14T22:12:50.000Z"
    ),
    (
      facts {
        $0.run = run(.rolling)
        $0.group = .capped
        $0.caps = [FrequencyCap(most: 1, within: .seconds(3600))]
        $0.pushes = [now + .seconds(-60)]
      }, "capped",
      "the app allows a device 1 push in PT1H, and it had got them at 2023-11-14T22:12:20.000Z"
    ),
    (
      facts {
        $0.run = run(.rolling)
        $0.group = .capped
      }, "capped",
      "it had got as many pushes as the app allows; which ones is not stored any more"
    ),
    (
      facts {
        $0.device.timeZone = "Moon/Base"
        $0.outcome = outcome(.rejected, nil, "Quiet")
      }, "quiet",
      #"its time zone "Moon/Base" is not known, so that it may be night there; set a known one"#
    ),
    (
      facts {
        $0.device.timeZone = "Moon/Base"
        $0.run = run(.rolling)
        $0.group = .quiet
      }, "quiet",
      #"its time zone "Moon/Base" is not known, so that it may be night there; set a known one"#
    ),
    (
      facts {
        $0.device.timeZone = "Moon/Base"
        $0.send = send(.scheduled)
        $0.waiting = WaitingPush(dueAt: now, quiet: .always)
      }, "waiting",
      #"its time zone "Moon/Base" is not known, so that it may be night there; set a known one"#
    ),
    (
      facts { $0.outcome = outcome(.rejected, nil, "Quiet") }, "quiet",
      "at 2023-11-14T22:13:20.000Z it was in its quiet hours, in which it gets nothing"
    ),
    (
      facts {
        $0.run = run(.deciding)
        $0.group = .rest
      }, "waits_for_winner", "it is not in the sample of the test, and waits for the winner"
    ),
    (
      facts {
        $0.run = run(.canceled)
        $0.group = .rest
      }, "canceled", "the run was canceled before the winner was sent"
    ),
    (
      facts {
        $0.run = run(.settled)
        $0.group = .rest
      }, "no_winner", "it was not in the sample of the test, after which no variant was sent"
    ),
    (
      facts { $0.run = run(.planned, began: false) }, "planned",
      "the run begins at 2023-11-14T22:13:20.000Z, and selects its devices then"
    ),
    (
      facts { $0.run = run(.skipped, began: false) }, "skipped",
      "the run was skipped: no devices"
    ),
    (
      facts { $0.run = run(.canceled, began: false) }, "canceled",
      "the run was canceled before it began"
    ),
    (
      facts { $0.isStored = false }, "not_stored",
      "which devices it was sent to is not stored any more, see retention"
    ),
    (
      facts { $0.isMember = nil }, "not_stored",
      "the audience was deleted, so it is not known who was in it"
    ),
    (
      facts { $0.device.erasedAt = now }, "erased",
      "the device was erased at 2023-11-14T22:13:20.000Z"
    ),
    (
      facts { $0.device.uninstalledAt = now }, "uninstalled",
      "the app was removed from the device, says APNs since 2023-11-14T22:13:20.000Z"
    ),
    (
      facts { $0.selectedAt = now + .milliseconds(-1) }, "registered_later",
      "the device registered at 2023-11-14T22:13:20.000Z, after the devices were selected"
    ),
    (
      // It is not in the audience: whether a push would reach it does not matter.
      facts {
        $0.isMember = false
        $0.device.isPushEnabled = false
      }, "not_in_audience", "the device is not in the audience"
    ),
    (
      facts {
        $0.device.isPushEnabled = false
        $0.device.token = nil
      }, "opted_out", "the user does not allow pushes"
    ),
    (facts { $0.device.token = nil }, "no_token", "the device has no push token"),
    (
      facts { $0.device.platform = "Android" }, "other_platform",
      "the device is no iOS device, and pushes go through APNs"
    ),
    (
      facts { $0.message = message(until: 60) }, "published",
      "the message is in the device's inbox until 2023-11-14T22:14:20.000Z, unless its user removes it"
    ),
    (
      facts { $0.message = message(until: 0) }, "unpublished",
      "the device's inbox has shown the message until 2023-11-14T22:13:20.000Z"
    ),
    (
      // An inbox needs no push.
      facts {
        $0.isInApp = true
        $0.device.isPushEnabled = false
      }, "not_selected",
      "the device is in the audience now, and was not when it was read at 2023-11-14T22:14:20.000Z"
    ),
    (
      facts(), "not_selected",
      "the device could get it now, and could not when the devices were selected at"
        + " 2023-11-14T22:14:20.000Z"
    ),
  ]

  private static func message(until seconds: Int64) -> Message {
    Message(
      id: "m", app: "app", audience: "a", title: "T", content: [:], createdAt: now,
      unpublishAt: now + .seconds(seconds))
  }

  @Test("the first reason that applies is told, in a code and in words", arguments: reasons.indices)
  func reason(_ index: Int) {
    let (facts, code, message) = Self.reasons[index]
    #expect(facts.reason.code.rawValue == code && facts.reason.message == message)
  }

  @Test("every code is told in one of these cases")
  func codes() {
    #expect(Set(Self.reasons.map(\.code)) == Set(DeliveryFacts.Code.allCases.map(\.rawValue)))
  }

  @Test("each device of a run has one reason, and all that have one of the run are as it reports")
  func run() async throws {
    let all = try await CampaignFixture(devices: 120)
    let fixture = all.fixture
    try await fixture.register("opted-out") { $0.isPushEnabled = .set(false) }
    try await fixture.register("no-token") { $0.token = .set(nil) }
    try await fixture.register("outside") { $0.tags = .set(["out"]) }
    let limits = #"{"limits":{"holdout":{"percent":10}}}"#
    #expect(
      await fixture.request("PUT", "/v6/limits", role: .admin, body: limits).status == 200)
    let refused = Fixture.token("d7")
    fixture.apple.answer { push in
      push.deviceToken == refused
        ? APNsOutcome(kind: .answered, status: 400, reason: .topicDisallowed, apnsID: push.id)
        : APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
    }
    let (_, id) = try await all.start([
      "to": [["name": "tags", "criteria": ["out"], "not_filter": true]],
      "test": CampaignFixture.test,
    ])
    #expect(await all.code("opted-out", run: id) == "opted_out")
    #expect(await all.code("no-token", run: id) == "no_token")
    #expect(await all.code("outside", run: id) == "not_in_audience")
    var codes: [String: Int] = [:]
    for number in 0..<120 {
      codes[await all.code("d\(number)", run: id), default: 0] += 1
    }
    let devices = await all.run(id)["devices"]
    #expect(codes["control"] == devices?["control"]?.integer.map { Int($0) })
    #expect(codes["held_out"] == devices?["held_out"]?.integer.map { Int($0) })
    #expect(codes["waits_for_winner"] == devices?["rest"]?.integer.map { Int($0) })
    #expect(codes.values.reduce(0, +) == 120 && codes["waiting"] ?? 0 > 0 && codes.count == 4)
    await all.deliver()
    #expect(await all.post("runs/\(id)/decide", ["variant": "b"]).status == 200)
    await all.deliver()
    fixture.clock.advance(by: .seconds(60))
    try await fixture.register("late")
    #expect(await all.code("late", run: id) == "registered_later")
    codes = [:]
    for number in 0..<120 {
      codes[await all.code("d\(number)", run: id), default: 0] += 1
    }
    #expect(codes["accepted"] == all.received.count - (codes["refused"] ?? 0))
    #expect(Set(codes.keys).isSubset(of: ["accepted", "refused", "control", "held_out"]))
    try await all.open(1, of: "a", run: id)
    var delivered: [JSONValue] = []
    for number in 0..<120 {
      let explained = await all.explanation("runs/\(id)", "d\(number)")
      if explained["code"] == "delivered" { delivered.append(explained) }
    }
    #expect(delivered.count == 1 && delivered.first?["variant"] == "a")
    #expect(delivered.first?["apns_id"]?.string != nil)
  }

  @Test("a notification is explained for each device of a user")
  func user() async throws {
    let all = try await CampaignFixture(devices: 0)
    let fixture = all.fixture
    try await fixture.register("phone") { $0.userID = .set("ada") }
    try await fixture.register("tablet") {
      $0.userID = .set("ada")
      $0.isDevelopment = .set(true)
    }
    try await fixture.register("old") {
      $0.userID = .set("ada")
      $0.isPushEnabled = .set(false)
    }
    let sent = await fixture.send(["alert": "Hi"]).json
    let id = try #require(sent["notification"]?["id"]?.string)
    let gone = Fixture.token("tablet")
    fixture.apple.answer { push in
      push.deviceToken == gone
        ? APNsOutcome(kind: .answered, status: 400, reason: .topicDisallowed, apnsID: push.id)
        : APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
    }
    await all.deliver()
    let explained = await all.explanations("notifications/\(id)", user: "ada")
    #expect(explained.map { $0["device_id"] } == ["phone", "tablet", "old"])
    #expect(explained.map { $0["code"] } == ["accepted", "refused", "opted_out"])
    #expect(explained.map { $0["status"] } == [200, 400, .null])
    #expect(explained.map { $0["reason"] } == [.null, "TopicDisallowed", .null])
    #expect(explained.map { $0["development"] } == [false, true, false])
    #expect(explained.map { $0["notification_id"] } == [.string(id), .string(id), .null])
  }

  @Test("a notification of a campaign is explained with its run, of which a device got another one")
  func otherVariant() async throws {
    let all = try await CampaignFixture(devices: 20)
    let (_, id) = try await all.start()
    await all.deliver()
    let sends = try await all.fixture.store.sends(ofRun: id, app: all.fixture.app.id)
    let first = try #require(sends.first)
    var variants: Set<String> = []
    for number in 0..<20 {
      let explained = await all.explanation("notifications/\(first.id)", "d\(number)")
      let variant = explained["variant"]?.string
      if let variant { variants.insert(variant) }
      #expect(
        (variant == first.origin?.variant)
          == (explained["notification_id"] == .string(first.id)))
    }
    #expect(variants == ["a", "b"])
  }

  @Test("who was in an audience that refers to a deleted one is not known")
  func deletedAudience() async throws {
    let all = try await CampaignFixture(devices: 2)
    let to: JSONValue = [["name": "device_id", "criteria": ["d0"]]]
    let made = await all.post("audiences", ["audience": ["name": "One", "to": to]])
    let audience = try #require(made.json["audience"]?["id"]?.string, "\(made.text)")
    let sent = await all.fixture.send(["alert": "Hi"], to: ["any": [.string(audience)]]).json
    let id = try #require(sent["notification"]?["id"]?.string)
    func codes() async -> [JSONValue?] {
      let first = await all.explanation("notifications/\(id)", "d0")
      return [first["code"], await all.explanation("notifications/\(id)", "d1")["code"]]
    }
    #expect(await codes() == ["waiting", "not_in_audience"])
    _ = await all.fixture.request("DELETE", "/v6/audiences/\(audience)")
    #expect(await codes() == ["waiting", "not_stored"])
  }

  @Test(
    "a device or notification that is not there is refused, and a user without devices has none",
    arguments: [
      ("notifications/ID/explanations/d0", 200), ("notifications/ID/explanations/x", 404),
      ("notifications/ID/explanations", 422), ("notifications/ID/explanations?user_id=x", 200),
      ("notifications/none/explanations/d0", 404), ("runs/none/explanations/d0", 404),
      ("runs/none/explanations?user_id=x", 404),
    ])
  func refused(path: String, status: Int) async throws {
    let all = try await CampaignFixture(devices: 1)
    let sent = await all.fixture.send(["alert": "Hi"]).json
    let id = try #require(sent["notification"]?["id"]?.string)
    let path = path.replacing("ID", with: id)
    #expect(await all.fixture.request("GET", "/v6/\(path)").status == status)
  }
}

extension CampaignFixture {
  func explanations(_ path: String, user: String) async -> [JSONValue] {
    await get("\(path)/explanations?user_id=\(user)")["explanations"]?.array ?? []
  }

  func explanation(_ path: String, _ device: String) async -> JSONValue {
    await get("\(path)/explanations/\(device)")["explanation"] ?? .null
  }

  func code(_ device: String, run: String) async -> String {
    await explanation("runs/\(run)", device)["code"]?.string ?? ""
  }
}
