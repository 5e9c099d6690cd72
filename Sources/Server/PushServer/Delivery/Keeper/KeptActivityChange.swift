import PushModel
import PushPayload

/// The `activity` of a request that keeps a Live Activity, checked.
///
/// A member that is left out stays as it was.
struct KeptActivityChange: Sendable {
  private static let seconds: ClosedRange<Duration> = .seconds(60) ... .seconds(28_800)
  private static let limits = "one minute to eight hours"
  /// The largest budget of pushes with priority 10 an hour.
  static let urgentLimit: Int64 = 240

  /// The members that are stored as they are given.
  private static let contents: Set = [
    "content_state", "attributes", "alert", "relevance_score", "dismissal_date", "stale_after",
    "channel", "urgent_per_hour", "renew", "followers",
  ]

  let type: String
  let content: JSONValue
  let wanted: WantedActivity
  /// The phones that are to show the activity beside those that do; `nil` for no others.
  let target: Target?
  let path: String

  init(_ field: BodyValue, to kept: KeptActivity?, id: String, at now: Timestamp)
    throws(RequestError)
  {
    path = field.path
    var members = kept?.content.object ?? [:]
    let given = try field.object()
    let others: Set = ["devices", "targets", "type", "priority", "ended", "heartbeat"]
    for (name, value) in given where !others.contains(name) {
      guard Self.contents.contains(name) else {
        throw .refused(field.path(to: name), "is not a member of a kept activity")
      }
      members[name] = value.isNull ? nil : value
    }
    if let kept, kept.keeper.channel != nil, given["channel"] != nil {
      members["channel"] = try Self.channel(field, of: kept)
    }
    let content = JSONValue.object(members)
    self.content = content
    type = try Self.type(field, of: kept)
    try Self.checkFollowers(field, content, of: kept)
    target = try NewActivityPush.target(field, isRequired: false)
    wanted = try Self.wanted(field, content, of: kept)
    try Self.check(BodyValue(content, at: field.path), wanted, type: type, id: id, at: now)
  }

  /// The rule of an activity that has its channel already, which says how the channel was made.
  private static func channel(
    _ field: BodyValue, of kept: KeptActivity
  ) throws(RequestError) -> JSONValue {
    var members = kept.content["channel"]?.object ?? [:]
    let given = try field["channel"]?.object() ?? [:]
    let (stored, path) = (KeptChannelRule(stored: kept.content), field.path(to: "channel"))
    for (name, value) in given { members[name] = value }
    let changed = KeptChannelRule(stored: ["channel": .object(members)])
    guard field["channel"] != nil, changed.storage == stored.storage,
      changed.isDevelopment == stored.isDevelopment
    else {
      throw .refused(
        path, "is in use: the activity has its channel, whose storage and host cannot change")
    }
    return .object(members)
  }

  private static func type(_ field: BodyValue, of kept: KeptActivity?) throws(RequestError)
    -> String
  {
    guard let name = field["type"] else {
      guard let kept else { throw .missing(field.path(to: "type")) }
      return kept.type
    }
    guard ActivityID.isType(try name.string()) else {
      throw .refused(name.path, "must be \(ActivityID.typeForm)")
    }
    let type = try name.string()
    guard kept.map({ $0.type == type }) ?? true else {
      throw .refused(name.path, "cannot change while the activity is kept")
    }
    return type
  }

  /// Refuses a change of who may follow, because the phones that were named before are not known.
  private static func checkFollowers(
    _ field: BodyValue, _ content: JSONValue, of kept: KeptActivity?
  ) throws(RequestError) {
    _ = try field["followers"]?.word(of: ActivityFollowers.allCases.map(\.rawValue))
    let followers = ActivityFollowers(stored: content)
    guard kept.map({ ActivityFollowers(stored: $0.content) == followers }) ?? true else {
      throw .refused(field.path(to: "followers"), "cannot change while the activity is kept")
    }
  }

  private static func wanted(
    _ field: BodyValue, _ content: JSONValue, of kept: KeptActivity?
  ) throws(RequestError) -> WantedActivity {
    var wanted = kept?.keeper.wanted ?? WantedActivity()
    let priority = try field["priority"]?.integer(in: 1...10) ?? 10
    guard priority == 5 || priority == 10 else {
      throw .refused(field.path(to: "priority"), "must be 5 or 10")
    }
    if let limit = field["urgent_per_hour"] {
      wanted.urgentLimit = Int(try limit.integer(in: 1...urgentLimit))
    }
    if let renew = field["renew"] { wanted.isRenewed = try renew.bool() }
    if let heartbeat = try field.object()["heartbeat"] {
      wanted.heartbeat =
        try heartbeat.isNull
        ? nil : field.member("heartbeat", heartbeat).duration(in: seconds, limits)
    }
    _ = try field["stale_after"]?.duration(in: seconds, limits)
    if let isEnded = try field["ended"]?.bool() { wanted.isOver = isEnded }
    wanted.startsPhones = content["attributes"] != nil
    guard let kept else {
      if field["alert"] != nil { wanted.alertRevision = 1 }
      return wanted
    }
    // A request that is repeated changes nothing.
    if content != kept.content {
      wanted.change(hasAlert: field["alert"] != nil, isUrgent: priority == 10)
    }
    return wanted
  }

  /// Checks the payloads of every push that may be sent.
  private static func check(
    _ field: BodyValue, _ wanted: WantedActivity, type: String, id: String, at now: Timestamp
  ) throws(RequestError) {
    for event in ActivityPush.Event.allCases where event != .start || wanted.startsPhones {
      let push = KeptPush(event: event, revision: 1, isUrgent: true, hasAlert: true)
      let members = KeptActivity.members(field.value, of: push, at: now)
      var sent = ActivityPush(
        id: id, event: event, type: event == .start ? type : nil, priority: 10)
      // Apple's id is not known yet, and a start on a channel is longer than one without.
      if event == .start, KeptChannelRule(stored: field.value).above != nil {
        sent.channel = String(repeating: "A", count: 64)
      }
      _ = try ActivityPayload(BodyValue(members, at: field.path), for: sent)
    }
    if let date = field["dismissal_date"] { _ = try date.seconds() }
    guard let channel = field["channel"] else { return }
    _ = try channel["above"]?.integer(in: 0...Int64(KeptChannelRule.phoneLimit))
    _ = try channel["storage"]?.word(of: Channel.Storage.allCases.map(\.rawValue))
    _ = try channel["development"]?.bool()
    _ = try channel.object()
  }
}

/// The devices that may follow a kept activity by themselves.
enum ActivityFollowers: String, CaseIterable, Sendable {
  /// Each device of the app, which has to know the activity's id.
  case anyone
  /// The devices that the app's server has named.
  case named

  /// Reads the checked members of a request.
  init(stored content: JSONValue) {
    self = content["followers"]?.string.flatMap(Self.init(rawValue:)) ?? .anyone
  }
}
