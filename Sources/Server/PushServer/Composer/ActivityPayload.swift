import APNs
import Foundation
import PushModel
import PushPayload

/// The payload of a push to a Live Activity, from the `activity` of a request.
///
/// All phones get the same bytes. Source: Apple, "Starting and updating Live Activities with
/// ActivityKit push notifications".
struct ActivityPayload: Sendable {
  /// The key of a start's attributes with the activity's id; the app registers its token for
  /// updates under this id.
  static let attributesKey = "martlet"
  /// The valid UNIX seconds of a date, up to the year 9999.
  static let seconds: ClosedRange<Int64> = 0...253_402_300_799

  private let push: ActivityPush
  private let path: String
  private var activity: LiveActivity
  private var alert: Alert?
  private var sound: String?
  private var relevanceScore: Double?

  /// Reads and checks the members of the payload.
  ///
  /// - Throws: ``RequestError`` if a member is wrong, or not allowed for the event.
  init(_ field: BodyValue, for push: ActivityPush) throws(RequestError) {
    self.push = push
    path = field.path
    activity = LiveActivity(event: push.event.rawValue)
    if let state = field["content_state"] {
      _ = try state.object()
      activity.contentState = state.value
    } else if push.event != .end {
      throw .missing(field.path(to: "content_state"))
    }
    activity.staleDate = try field["stale_date"].map { value throws(RequestError) in
      Self.date(try value.seconds())
    }
    if let date = field["dismissal_date"] {
      guard push.event == .end else { throw .refused(date.path, "is for the event end") }
      activity.dismissalDate = Self.date(try date.seconds())
    }
    if let alert = field["alert"] { try read(alert) }
    relevanceScore = try field["relevance_score"]?.number(
      in: -Double.greatestFiniteMagnitude...(.greatestFiniteMagnitude))
    if push.event == .start { try readStart(field) }
    try check()
  }

  private mutating func readStart(_ field: BodyValue) throws(RequestError) {
    guard alert != nil else { throw .missing(field.path(to: "alert")) }
    let attributes = try field.required("attributes")
    var members = try attributes.object()
    guard members[Self.attributesKey] == nil else {
      throw .refused(attributes.path(to: Self.attributesKey), "is added by the server")
    }
    members[Self.attributesKey] = ["activity_id": .string(push.id)]
    activity.attributes = .object(members)
    activity.attributesType = push.type
    if let channel = push.channel {
      activity.inputPushChannel = channel
    } else {
      activity.inputPushToken = true
    }
  }

  /// Reads an alert; its title is required, because without one ActivityKit drops the alert's sound too.
  ///
  /// Source: OneSignal's description of `ios_sound` for Live Activities.
  private mutating func read(_ field: BodyValue) throws(RequestError) {
    var alert = Alert()
    try Self.set(try field.required("title"), \.title, named: "title", in: &alert)
    if let body = field["body"] { try Self.set(body, \.body, named: "body", in: &alert) }
    sound = try field["sound"]?.string()
    self.alert = alert
  }

  /// Sets a text; a Live Activity writes a localized one as a dictionary.
  private static func set(
    _ field: BodyValue, _ text: WritableKeyPath<Alert, String?>, named name: String,
    in alert: inout Alert
  ) throws(RequestError) {
    if let string = field.value.string {
      guard !string.isEmpty else { throw .refused(field.path, "must not be empty") }
      alert[keyPath: text] = string
      return
    }
    guard field.value.object != nil else {
      throw .wrongType(field, expected: "a string, or an object with loc-key")
    }
    var localized: [String: JSONValue] = [
      "loc-key": .string(try field.required("loc-key").string())
    ]
    if let arguments = field["loc-args"] {
      var texts: [JSONValue] = []
      for element in try arguments.elements() { texts.append(.string(try element.string())) }
      localized["loc-args"] = .array(texts)
    }
    alert.unknown[name] = .object(localized)
  }

  private func check() throws(RequestError) {
    var dated = activity
    // Any timestamp has ten digits until the year 2286, so the size is the same.
    dated.timestamp = Self.date(push.timestamp ?? 1_700_000_000)
    let isBroadcast = push.broadcastChannel != nil
    if let problem = dated.problem(hasAlert: alert != nil, isBroadcast: isBroadcast) {
      throw .refused(path, "is not valid: \(problem)")
    }
    let count = bytes(of: dated).count
    let limit = isBroadcast ? APNsBroadcast.payloadLimit : PushType.liveActivity.payloadLimit
    guard count <= limit else {
      throw .refused(
        path, "is \(count) bytes when composed, and the limit is \(limit) bytes; send less state")
    }
  }

  /// The JSON for APNs, with the timestamp that the store assigned to the push.
  var bytes: [UInt8] {
    var dated = activity
    dated.timestamp = push.timestamp.map(Self.date)
    return bytes(of: dated)
  }

  private static func date(_ seconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(seconds))
  }

  private func bytes(of activity: LiveActivity) -> [UInt8] {
    let payload = APNsPayload(
      activity, alert: alert, sound: sound, relevanceScore: relevanceScore)
    return Array(payload.encoded())
  }
}

extension BodyValue {
  /// Reads UNIX seconds, or a date in ISO 8601.
  func seconds() throws(RequestError) -> Int64 {
    if let text = value.string {
      guard let time = Timestamp(iso8601: text) else {
        throw .refused(path, "must be UNIX seconds or an ISO 8601 date")
      }
      return time.milliseconds / 1000
    }
    return try integer(in: ActivityPayload.seconds)
  }
}
