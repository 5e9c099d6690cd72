import PushModel
import PushPayload

/// The submitted form for an API key.
struct KeyForm: Sendable {
  /// The purpose of the key; empty if the user has named none.
  var name: String
  var role: String
  /// Addresses and ranges, separated by white space or commas.
  var allow: String
  var perSecond: String
  /// The first day, in UTC, on which the key is refused.
  var expires: String

  init(_ form: Form) {
    name = form.isOf("make-key") ? form["name"] ?? "" : ""
    role = form["role"] ?? APIKey.Role.push.rawValue
    allow = form["allow"] ?? ""
    perSecond = form["per_second"] ?? ""
    expires = form["expires"] ?? ""
  }

  /// The body of the new key, whose values the action checks.
  var body: BodyValue {
    var members: [String: JSONValue] = ["role": .string(role)]
    if !name.isEmpty { members["name"] = .string(name) }
    let ranges = allow.split { $0.isWhitespace || $0 == "," }
    if !ranges.isEmpty { members["allow"] = .array(ranges.map { .string(String($0)) }) }
    if !perSecond.isEmpty {
      members["per_second"] = Int64(perSecond).map(JSONValue.integer) ?? .string(perSecond)
    }
    if !expires.isEmpty { members["expires_at"] = .string(expires) }
    return BodyValue(.object(members), at: "$.key")
  }
}
