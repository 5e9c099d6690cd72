import PushModel
import PushPayload

/// The sends of a kept activity, from the members of its request.
extension KeptActivity {
  /// Makes the send of a keeper's push.
  func send(_ action: ActivityKeeper.Action, id sendID: String, at now: Timestamp) -> Send {
    var send = Send(
      id: sendID, messageID: Identifiers.makeObjectID(), app: app,
      audience: Identifiers.everyone(in: app),
      payload: Self.members(content, of: action.push, at: now),
      createdAt: now)
    var push = ActivityPush(
      id: id, event: action.push.event, type: action.push.event == .start ? type : nil,
      priority: action.push.isUrgent ? 10 : 5, channel: action.channel)
    push.isKept = true
    push.isStored =
      action.channel != nil && KeptChannelRule(stored: content).storage == .mostRecent
    send.activity = push
    send.expiresAt = now + (action.push.event == .start ? KeptPush.startLife : push.life)
    return send
  }

  /// The members from which delivery composes a push.
  static func members(_ content: JSONValue, of push: KeptPush, at now: Timestamp) -> JSONValue {
    var members: [String: JSONValue] = [:]
    for name in ["content_state", "relevance_score"] { members[name] = content[name] }
    if push.hasAlert { members["alert"] = content["alert"] }
    if let text = content["stale_after"]?.string, let life = BodyValue.duration(of: text) {
      members["stale_date"] = .integer((now + life).milliseconds / 1000)
    }
    switch push.event {
    case .start:
      members["attributes"] = content["attributes"]
      if push.isRenewal, var alert = members["alert"]?.object {
        // The person has been told before; Apple asks for an alert all the same.
        alert["sound"] = nil
        members["alert"] = .object(alert)
      }
    case .update: break
    case .end:
      members["dismissal_date"] = push.isRenewal ? JSONValue.integer(1) : content["dismissal_date"]
    }
    return .object(members)
  }
}

/// The rule by which a kept activity takes a channel.
struct KeptChannelRule: Sendable {
  /// The number of phones above which the activity takes a channel; `nil` if it takes none.
  var above: Int?
  var storage = Channel.Storage.mostRecent
  var isDevelopment = false

  /// The most phones that are kept by their tokens.
  static let phoneLimit = ActivityKeeper.phoneLimit

  /// Reads the checked members of a request.
  init(stored content: JSONValue) {
    guard let channel = content["channel"], channel.object != nil else { return }
    above = channel["above"]?.integer.map { Int($0) } ?? Self.phoneLimit
    storage = channel["storage"]?.string.flatMap(Channel.Storage.init(rawValue:)) ?? .mostRecent
    isDevelopment = channel["development"]?.bool ?? false
  }
}
