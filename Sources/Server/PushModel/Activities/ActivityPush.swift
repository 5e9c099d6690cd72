package import PushPayload

/// A start, update or end of a Live Activity.
package struct ActivityPush: Hashable, Sendable {
  package enum Event: String, CaseIterable, Sendable { case start, update, end }

  /// The id of the activity, which the app's server chose.
  package var id: String
  package var event: Event
  /// The name of the `ActivityAttributes` type, which a start needs.
  package var type: String?
  /// The `apns-priority` header: 10, or 5, which does not count against the phone's hourly budget.
  package var priority: Int
  /// The time of sending in UNIX seconds; `nil` until the store has accepted the send.
  ///
  /// Phones ignore a push that is older than the last one, so timestamps ascend in the order in which the store
  /// accepts the pushes of an activity.
  package var timestamp: Int64?
  /// The channel of a broadcast, or the channel that a started activity follows.
  package var channel: String?
  /// Whether APNs stores the channel's most recent push for phones that are offline.
  package var isStored = false
  /// Whether a keeper has sent the push.
  ///
  /// It keeps the token of an end until the phone or APNs removes it.
  package var isKept = false

  package init(
    id: String, event: Event, type: String? = nil, priority: Int, timestamp: Int64? = nil,
    channel: String? = nil
  ) {
    self.id = id
    self.event = event
    self.type = type
    self.priority = priority
    self.timestamp = timestamp
    self.channel = channel
  }

  /// The channel of a broadcast; `nil` for a push to tokens.
  package var broadcastChannel: String? { event == .start ? nil : channel }

  /// The time after its acceptance for which the push is useful.
  ///
  /// An activity is active for eight hours at most and stays on the lock screen for four more. APNs
  /// stores a channel's push for up to eight hours.
  package var life: Duration {
    .seconds((event == .start || channel != nil ? 8 : 12) * 3600)
  }

  /// The tokens that the push goes to.
  package var subject: ActivityToken.Subject {
    event == .start ? .start(type: type ?? "") : .activity(id)
  }

  /// The device number that stands for a channel in a broadcast's only batch.
  ///
  /// Devices are numbered from 1.
  package static let channelNumber: UInt32 = 0
}

/// The push as the store writes it beside the activity's id.
extension ActivityPush {
  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "event": .string(event.rawValue), "priority": .integer(Int64(priority)),
    ]
    members["type"] = type.map(JSONValue.string)
    members["timestamp"] = timestamp.map(JSONValue.integer)
    members["channel"] = channel.map(JSONValue.string)
    if isStored { members["stored"] = true }
    if isKept { members["kept"] = true }
    return .object(members)
  }

  package init?(_ id: String, _ json: JSONValue) {
    let names: Set = ["event", "priority", "type", "timestamp", "channel", "stored", "kept"]
    guard let members = json.members(among: names), json.mayHave("type", \.string),
      json.mayHave("timestamp", \.integer), json.mayHave("channel", \.string),
      let event = members["event"]?.string.flatMap(Event.init(rawValue:)),
      // They are written only if they are true.
      let isStored = members["stored", default: false].bool,
      let isKept = members["kept", default: false].bool,
      let priority = members["priority"]?.integer.flatMap({ Int(exactly: $0) })
    else { return nil }
    self.init(
      id: id, event: event, type: json["type"]?.string, priority: priority,
      timestamp: json["timestamp"]?.integer, channel: json["channel"]?.string)
    (self.isStored, self.isKept) = (isStored, isKept)
  }
}
