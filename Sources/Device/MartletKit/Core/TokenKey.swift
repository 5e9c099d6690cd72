import Foundation
import PushPayload

/// The key of a Live Activity's token in the record, beside the members of the device.
///
/// A member of ``update(activity:token:)`` has the token in its key and the type as its value. So an invalid token is removed
/// by its name, and a newer token of the same activity stays.
enum ActivityKey: Hashable, Sendable {
  /// The token that starts activities of a type, which is the member's value.
  case start(type: String)
  /// A token that updates an activity.
  case update(activity: String, token: String)

  private static let startPrefix = "activity_start_tokens."
  private static let updatePrefix = "activity_tokens."

  /// Reads the key of a member; `nil` if the member is not a token of a Live Activity.
  init?(_ key: String) {
    if key.hasPrefix(Self.startPrefix) {
      self = .start(type: String(key.dropFirst(Self.startPrefix.count)))
    } else if key.hasPrefix(Self.updatePrefix), let end = key.lastIndex(of: ".") {
      // An activity's identifier may have dots, a token has none.
      let start = key.index(key.startIndex, offsetBy: Self.updatePrefix.count)
      guard start <= end else { return nil }
      self = .update(activity: String(key[start..<end]), token: String(key[end...].dropFirst()))
    } else {
      return nil
    }
  }

  /// The member's key.
  var text: String {
    switch self {
    case .start(let type): Self.startPrefix + type
    case .update(let activity, let token): "\(Self.updatePrefix)\(activity).\(token)"
    }
  }

  /// The activity; `nil` for a token that starts one.
  var activity: String? {
    guard case .update(let activity, _) = self else { return nil }
    return activity
  }

  /// The path that names the token in a problem, without the token itself.
  var path: String {
    switch self {
    case .start(let type): "$.activities.\(type)"
    case .update(let activity, _): "$.activities.\(activity)"
    }
  }
}

extension DeviceRecord {
  /// Wants a token with which a server starts activities of a type; `nil` removes the token.
  mutating func wantStartToken(_ token: String?, type: String) {
    want(ActivityKey.start(type: type).text, token.map(JSONValue.string))
  }

  /// Wants a token with which a server updates an activity; it replaces an earlier token.
  mutating func wantToken(_ token: String, activity: String, type: String) {
    let key = ActivityKey.update(activity: activity, token: token)
    for (other, _) in wantedTokens where other != key && other.activity == activity {
      want(other.text, nil)
    }
    want(key.text, .string(type))
  }

  /// Wants no token of an activity that has ended; a newer one of the same activity stays.
  mutating func end(activity: String, token: String) {
    want(ActivityKey.update(activity: activity, token: token).text, nil)
  }

  /// Removes the tokens of all activities of a type that do not run.
  mutating func keepTokens(of running: Set<String>, type: String) {
    for (key, value) in wantedTokens where value == .string(type) {
      if let activity = key.activity, !running.contains(activity) { want(key.text, nil) }
    }
  }

  private var wantedTokens: [(ActivityKey, JSONValue)] {
    wanted.compactMap { key, value in ActivityKey(key).map { ($0, value) } }
  }
}
