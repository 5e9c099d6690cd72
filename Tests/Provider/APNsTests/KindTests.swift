import APNsTestSupport
import APNs
import Foundation
import PushPayload
import Testing

@testable import APNs

@Suite("Push types")
struct KindTests {
  static let state: JSONValue = ["laps": 3]
  static let start = LiveActivity.start(
    "RaceAttributes", attributes: ["name": "Monza"], contentState: state,
    at: date(1_700_000_000))

  static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  static func edited(
    _ activity: LiveActivity, _ edit: (inout LiveActivity) -> Void
  ) -> LiveActivity {
    var activity = activity
    edit(&activity)
    return activity
  }

  @Test("each push type has Apple's topic and headers, and APNs accepts it")
  func kinds() {
    let payload = Array(#"{"speaker":"Ann"}"#.utf8)
    let (token, app) = (deviceToken, "com.example.app")
    let cases: [(APNsNotification, String, Int?, APNsExpiration?, String)] = [
      (.background(to: token, bundleID: app), app, 5, nil, #"{"aps":{"content-available":1}}"#),
      (
        .contentChanged(.widgets, to: token, bundleID: app), app + ".push-type.widgets", nil, nil,
        #"{"aps":{"content-changed":true}}"#
      ),
      (
        .contentChanged(.controls, to: token, bundleID: app), app + ".push-type.controls", nil, nil,
        #"{"aps":{"content-changed":true}}"#
      ),
      (
        .pushToTalk(to: token, bundleID: app, payload: payload), app + ".voip-ptt", 10, 0,
        #"{"speaker":"Ann"}"#
      ),
      (
        .voip(to: token, bundleID: app, payload: payload), app + ".voip", 10, 0,
        #"{"speaker":"Ann"}"#
      ),
      (
        .mdm(to: token, topic: "com.apple.mgmt.External.1", pushMagic: "a\"b"),
        "com.apple.mgmt.External.1", nil, nil, #"{"mdm":"a\"b"}"#
      ),
    ]
    for (push, topic, priority, expiration, body) in cases {
      #expect(push.topic == topic)
      #expect(push.priority == priority)
      #expect(push.expiration == expiration)
      #expect(String(decoding: push.payload, as: UTF8.self) == body)
      #expect(push.problem(withToken: true) == nil)
    }
  }

  @Test(
    "an expiration is the second of its date, and one that no header field can have is the farthest",
    arguments: [
      (0, 0), (1.999, 1), (-0.5, -1), (1_800_000_000, 1_800_000_000), (.infinity, .max),
      (-.infinity, .min), (1e300, .max),
    ] as [(Double, Int64)])
  func expiration(seconds: Double, value: Int64) {
    #expect(APNsExpiration.at(Self.date(seconds)).seconds == value)
    let json = APNsPayload(.end(at: Self.date(seconds))).json
    #expect(json["aps"]?["timestamp"] == .integer(value))
  }

  @Test("Live Activity events are encoded as Apple documents them")
  func liveActivity() throws {
    var start = Self.start
    start.inputPushToken = true
    let push = try APNsNotification.liveActivity(
      start, to: deviceToken, bundleID: "com.example.app", alert: Alert(title: "Race", body: "Go"),
      sound: "horn.caf", relevanceScore: 75)
    #expect(push.topic == "com.example.app.push-type.liveactivity")
    #expect(push.pushType == .liveActivity)
    #expect(push.problem(withToken: true) == nil)
    let expected: JSONValue = [
      "aps": [
        "timestamp": 1_700_000_000, "event": "start", "attributes-type": "RaceAttributes",
        "attributes": ["name": "Monza"], "content-state": ["laps": 3], "input-push-token": 1,
        "alert": ["title": "Race", "body": "Go", "sound": "horn.caf"], "relevance-score": 75,
      ]
    ]
    #expect(try JSONValue(parsing: Data(push.payload)) == expected)

    let update = try APNsBroadcast.liveActivity(
      .update(contentState: Self.state, at: Self.date(5), staleDate: Self.date(9)),
      to: APNsChannel(id: "c"), priority: 5)
    let updated: JSONValue = [
      "aps": ["timestamp": 5, "event": "update", "content-state": ["laps": 3], "stale-date": 9]
    ]
    #expect(try JSONValue(parsing: Data(update.payload)) == updated)
    let end = APNsPayload(.end(at: Self.date(5), dismissalDate: Self.date(6)))
    let ended: JSONValue = ["aps": ["timestamp": 5, "event": "end", "dismissal-date": 6]]
    #expect(end.json == ended)
  }

  @Test(
    "an event that the system would drop is refused, and the error names the key",
    arguments: [
      (start, true, false, nil), (start, false, false, "an alert"),
      (start, true, true, "a channel"),
      (edited(start) { $0.timestamp = nil }, true, false, "timestamp"),
      (edited(start) { $0.attributesType = "" }, true, false, "attributes-type"),
      (edited(start) { $0.attributes = nil }, true, false, "needs attributes"),
      (edited(start) { $0.attributes = [] }, true, false, "takes an object"),
      (edited(start) { $0.contentState = nil }, true, false, "content-state"),
      (edited(start) { $0.dismissalDate = date(1) }, true, false, "dismissal-date"),
      (edited(start) { $0.inputPushChannel = "c" }, true, false, nil),
      (
        edited(start) {
          $0.inputPushChannel = "c"; $0.inputPushToken = true
        }, true, false, "not both"
      ),
      (.update(contentState: state, at: date(1)), false, true, nil),
      (.update(contentState: "x", at: date(1)), false, true, "content-state is"),
      (
        edited(.update(contentState: state, at: date(1))) { $0.contentState = nil }, false, true,
        "needs"
      ),
      (edited(.end(at: date(1))) { $0.inputPushToken = true }, false, false, "need event start"),
      (.end(at: date(1)), false, true, nil),
      (LiveActivity(event: "stop"), false, false, "timestamp"),
      (
        edited(LiveActivity(event: "stop")) { $0.timestamp = date(1) }, false, false,
        "event must be"
      ),
    ] as [(LiveActivity, Bool, Bool, String?)])
  func problems(activity: LiveActivity, hasAlert: Bool, isBroadcast: Bool, problem: String?) {
    let found = activity.problem(hasAlert: hasAlert, isBroadcast: isBroadcast)
    #expect((found == nil) == (problem == nil), "\(found ?? "")")
    if let problem { #expect(found?.contains(problem) == true, "\(found ?? "")") }
  }

  @Test("a payload is limited to 4096 bytes for a device and 5120 for a channel")
  func sizes() throws {
    func update(_ count: Int) -> LiveActivity {
      .update(contentState: ["x": .string(String(repeating: "x", count: count))], at: Self.date(1))
    }
    let frame = APNsPayload(update(0)).encoded().count
    func toDevice(_ count: Int) throws -> Int {
      try APNsNotification.liveActivity(update(count - frame), to: "00", bundleID: "a").payload
        .count
    }
    func toChannel(_ count: Int) throws -> Int {
      try APNsBroadcast.liveActivity(update(count - frame), to: APNsChannel(id: "c")).payload.count
    }
    #expect(try toDevice(4096) == 4096)
    #expect(try toChannel(5120) == 5120)
    #expect(throws: APNsError.self) { try toDevice(4097) }
    #expect(throws: APNsError.self) { try toChannel(5121) }
  }
}
