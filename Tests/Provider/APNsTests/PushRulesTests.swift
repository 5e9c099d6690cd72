import APNsTestSupport
import APNsSandbox
import PushPayload
import Testing

@testable import APNs

@Suite("Validation before sending")
struct PushRulesTests {
  static func push(_ edit: (inout APNsNotification) -> Void) -> APNsNotification {
    var push = APNsNotification(
      deviceToken: "0a0b", topic: "com.example.app", payload: Array(#"{"aps":{}}"#.utf8))
    edit(&push)
    return push
  }

  @Test(
    "each push type has its topic suffix, priorities and payload limit",
    arguments: [
      (PushType.alert, "", [10, 5, 1], 4096), (.background, "", [5], 4096),
      (.complication, ".complication", [10, 5, 1], 4096),
      (.controls, ".push-type.controls", [10, 5, 1], 4096),
      (.fileProvider, ".pushkit.fileprovider", [10, 5, 1], 4096),
      (.liveActivity, ".push-type.liveactivity", [10, 5], 4096),
      (.location, ".location-query", [10, 5, 1], 4096), (.mdm, "", [10, 5, 1], 4096),
      (.pushToTalk, ".voip-ptt", [10, 5, 1], 4096), (.voip, ".voip", [10, 5, 1], 5120),
      (.widgets, ".push-type.widgets", [10, 5, 1], 4096),
      (PushType(rawValue: "invented"), "", [10, 5, 1], 4096),
    ])
  func kinds(type: PushType, suffix: String, priorities: [Int], limit: Int) {
    let good = Self.push {
      $0.pushType = type
      $0.topic = type.topic(forBundleID: "com.example.app")
      $0.priority = 5
      $0.payload = [UInt8](repeating: 0x20, count: limit)
    }
    #expect(good.topic == "com.example.app" + suffix)
    #expect(good.problem(withToken: true) == nil)

    var long = good
    long.payload.append(0x20)
    #expect(
      long.problem(withToken: true) == "the payload has \(limit + 1) bytes; the limit is \(limit)")
    for priority in -1...11 {
      var changed = good
      changed.priority = priority
      #expect((changed.problem(withToken: true) == nil) == priorities.contains(priority))
    }
    var bare = good
    bare.topic = "com.example.app"
    #expect((bare.problem(withToken: true) == nil) == suffix.isEmpty)
    var unsaid = good
    unsaid.priority = nil
    #expect((unsaid.problem(withToken: true) == nil) == priorities.contains(10))
  }

  @Test(
    "a location query and a Live Activity need a provider token",
    arguments: [PushType.location, .liveActivity])
  func needsToken(type: PushType) {
    let push = Self.push {
      $0.pushType = type
      $0.topic = type.topic(forBundleID: "com.example.app")
    }
    #expect(push.problem(withToken: true) == nil)
    #expect(push.problem(withToken: false)?.contains("provider token") == true)
  }

  @Test(
    "the message says what is wrong",
    arguments: [
      ("the device token is empty", { @Sendable in $0.deviceToken = "" }),
      ("apns-topic is empty", { @Sendable in $0.topic = "" }),
      ("takes seconds since 1970", { @Sendable in $0.expiration = -1 }),
      (
        "65 bytes; the limit is 64",
        { @Sendable in $0.collapseID = String(repeating: "a", count: 65) }
      ),
      (
        "66 bytes; the limit is 64",
        { @Sendable in $0.collapseID = String(repeating: "é", count: 33) }
      ),
      ("apns-topic may contain only", { @Sendable in $0.topic = "com.example.app\n" }),
      ("apns-topic may contain only", { @Sendable in $0.topic = " com.example.app" }),
      ("apns-topic may contain only", { @Sendable in $0.topic = "com.example.app\u{7f}" }),
      ("apns-topic may contain only", { @Sendable in $0.topic = "com.example.äpp" }),
      ("apns-push-type is empty", { @Sendable in $0.pushType = PushType(rawValue: "") }),
      ("apns-push-type is empty", { @Sendable in $0.pushType = PushType(rawValue: "a b") }),
      ("apns-collapse-id has a control", { @Sendable in $0.collapseID = "a\r\nb" }),
      ("apns-collapse-id has a control", { @Sendable in $0.collapseID = "a\u{7f}" }),
      ("apns-collapse-id has a control", { @Sendable in $0.collapseID = " a" }),
      ("apns-collapse-id has a control", { @Sendable in $0.collapseID = "a " }),
      (
        "for push type alert",
        { @Sendable in $0.topic = "com.example.app.push-type.liveactivity" }
      ),
      (
        "for push type background",
        { @Sendable in
          $0.topic = "com.example.app.pushkit.fileprovider"
          $0.pushType = .background
          $0.priority = 5
        }
      ),
      ("must be a UUID", { @Sendable in $0.id = "1" }),
      ("must be a UUID", { @Sendable in $0.id += "0" }),
      ("must be a UUID", { @Sendable in $0.id = $0.id.replacing("-", with: "g") }),
      ("the payload is empty", { @Sendable in $0.payload = [] }),
    ] as [(String, @Sendable (inout APNsNotification) -> Void)])
  func problems(message: String, edit: @Sendable (inout APNsNotification) -> Void) {
    #expect(Self.push(edit).problem(withToken: true)?.contains(message) == true)
  }

  @Test(
    "a value at its limit, or one that only APNs can judge, is sent",
    arguments: [
      { @Sendable in $0.collapseID = String(repeating: "a", count: 64) },
      { @Sendable in $0.collapseID = "score of réal ~" },
      { @Sendable in $0.topic = "!~" },
      { @Sendable in $0.topic = "com.example.voip" },
      { @Sendable in $0.expiration = 0 },
      { @Sendable in $0.id = $0.id.uppercased() },
      { @Sendable in $0.deviceToken = "no hexadecimal" },
      { @Sendable in $0.deviceToken = String(repeating: "a", count: 1000) },
    ] as [@Sendable (inout APNsNotification) -> Void])
  func fine(edit: @Sendable (inout APNsNotification) -> Void) {
    #expect(Self.push(edit).problem(withToken: true) == nil)
  }

  @Test(
    "every field that differs from the push before is validated",
    arguments: [
      { @Sendable in $0.deviceToken = "" }, { @Sendable in $0.topic = "" },
      { @Sendable in $0.pushType = .voip }, { @Sendable in $0.priority = 7 },
      { @Sendable in $0.expiration = -1 }, { @Sendable in $0.collapseID = "\n" },
      { @Sendable in $0.id = "1" }, { @Sendable in $0.payload = [] },
      { @Sendable in $0.payload = [UInt8](repeating: 0x20, count: 4097) },
    ] as [@Sendable (inout APNsNotification) -> Void])
  func unlike(edit: @Sendable (inout APNsNotification) -> Void) {
    let good = Self.push { _ in }
    let bad = Self.push(edit)
    let longer = Self.push { $0.payload = [UInt8](repeating: 0x20, count: 4096) }
    let pushes = [good, good, bad, good, longer, bad, longer]
    let problems = Requests.pushes(pushes).problems(withToken: true)
    #expect(problems.map(\.index) == [2, 5])
    #expect(Set(problems.map(\.problem)) == [bad.problem(withToken: true) ?? "none"])
  }

  @Test(
    "an invalid push of a batch is never sent, and the others are sent", .timeLimit(.minutes(10)))
  func batch() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    var pushes = pushes(3)
    pushes[1].priority = 7
    let outcomes = await client.send(pushes)
    #expect(outcomes.map(\.status) == [200, nil, 200])
    #expect(outcomes.map(\.isInvalid) == [false, true, false])
    #expect(outcomes[1].kind == .neverSent)
    #expect(outcomes[1].message == "apns-priority is 7; push type alert takes 10, 5, 1")
    #expect(await client.send([pushes[1]]).map(\.isInvalid) == [true])
    #expect(fixture.record.counts.count == 2)
    await client.close()
    await fixture.sandbox.stop()
  }
}
