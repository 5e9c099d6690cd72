import Foundation
import PushPayload

/// The key of a token in the record that a request of its own sends, beside the members of the device.
///
/// A member of ``update(activity:token:)`` has the token in its key and the type as its value. So an invalid token is removed
/// by its name, and a newer token of the same activity stays.
enum TokenKey: Hashable, Sendable {
  /// The token that starts activities of a type, which is the member's value.
  case start(type: String)
  /// A token that updates an activity.
  case update(activity: String, token: String)
  /// All tokens that reload the app's widgets or its controls, which are the member's value.
  case reload(ReloadType)

  /// The push types of widgets and controls.
  enum ReloadType: String, Sendable { case widgets, controls }

  private static let reloadPrefix = "reload_tokens."
  private static let startPrefix = "activity_start_tokens."
  private static let updatePrefix = "activity_tokens."

  /// Reads the key of a member; `nil` if the member is a value of the device itself.
  init?(_ key: String) {
    if key.hasPrefix(Self.reloadPrefix) {
      guard let type = ReloadType(rawValue: String(key.dropFirst(Self.reloadPrefix.count))) else {
        return nil
      }
      self = .reload(type)
    } else if key.hasPrefix(Self.startPrefix) {
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
    case .reload(let type): Self.reloadPrefix + type.rawValue
    }
  }

  /// The activity; `nil` for any other token than one that updates an activity.
  var activity: String? {
    guard case .update(let activity, _) = self else { return nil }
    return activity
  }

  /// The path that names the token in a problem, without the token itself.
  var path: String {
    switch self {
    case .start(let type): "$.activities.\(type)"
    case .update(let activity, _): "$.activities.\(activity)"
    case .reload: "$.\(text)"
    }
  }
}

extension DeviceRecord {
  /// Wants a token with which a server starts activities of a type; `nil` removes the token.
  mutating func wantStartToken(_ token: String?, type: String) {
    want(TokenKey.start(type: type).text, token.map(JSONValue.string))
  }

  /// Wants a token with which a server updates an activity; it replaces an earlier token.
  mutating func wantToken(_ token: String, activity: String, type: String) {
    let key = TokenKey.update(activity: activity, token: token)
    for (other, _) in wantedTokens where other != key && other.activity == activity {
      want(other.text, nil)
    }
    want(key.text, .string(type))
  }

  /// Wants no token of an activity that has ended; a newer one of the same activity stays.
  mutating func end(activity: String, token: String) {
    want(TokenKey.update(activity: activity, token: token).text, nil)
  }

  /// Removes the tokens of all activities of a type that do not run.
  mutating func keepTokens(of running: Set<String>, type: String) {
    for (key, value) in wantedTokens where value == .string(type) {
      if let activity = key.activity, !running.contains(activity) { want(key.text, nil) }
    }
  }

  private var wantedTokens: [(TokenKey, JSONValue)] {
    wanted.compactMap { key, value in TokenKey(key).map { ($0, value) } }
  }
}
