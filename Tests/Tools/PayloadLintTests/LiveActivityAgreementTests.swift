import PayloadLint
import PushPayload
import Testing

/// Compares what `martlet lint` and `LiveActivity.problem(hasAlert:isBroadcast:)` say of the same payload.
///
/// The model of iOS drops a push by that method.
@Suite("Lint and the model of iOS agree about the keys that a Live Activity needs")
struct LiveActivityAgreementTests {
  static let keys = ["timestamp", "content-state", "attributes-type", "attributes", "alert"]
  static let events = ["start", "update", "end"]

  /// The keys of a push that has nothing wrong, for an event.
  static func aps(of event: String) -> [String: JSONValue] {
    var aps: [String: JSONValue] = [
      "event": .string(event), "timestamp": 1_795_305_600, "content-state": ["laps": 3],
      "alert": ["title": "Race", "body": "Lap 3"],
    ]
    if event == "start" {
      aps["attributes-type"] = "RaceAttributes"
      aps["attributes"] = ["name": "Monza"]
    }
    return aps
  }

  static func isDropped(_ aps: [String: JSONValue]) throws -> Bool {
    let read = APNsPayload(["aps": .object(aps)]).aps
    let activity = try #require(read.liveActivity)
    return activity.problem(hasAlert: read.alert != nil, isBroadcast: false) != nil
  }

  static func report(_ aps: [String: JSONValue]) -> LintReport {
    let payload: JSONValue = ["aps": .object(aps)]
    return LintReport(LintSubject(payload.serialized(), now: LintFixture.now))
  }

  @Test("a push with all of its keys is shown", arguments: events)
  func complete(event: String) throws {
    let aps = Self.aps(of: event)
    #expect(try !Self.isDropped(aps))
    #expect(!Self.report(aps).hasErrors)
  }

  @Test(
    "a push is dropped without a key, or with null for it, exactly where lint reports an error",
    arguments: events, keys)
  func missing(event: String, key: String) throws {
    for value in [nil, JSONValue.null] {
      var aps = Self.aps(of: event)
      aps[key] = value
      let report = Self.report(aps)
      #expect(try report.hasErrors == Self.isDropped(aps), "\(report.lines)")
    }
  }

  @Test("a push without a timestamp is dropped, and M902 is an error", arguments: events)
  func timestamp(event: String) throws {
    var aps = Self.aps(of: event)
    aps["timestamp"] = nil
    #expect(try Self.isDropped(aps))
    let errors = Self.report(aps).entries.filter { $0.rule.severity == .error }
    #expect(errors.map(\.rule.code) == ["M902"])
  }
}
