import PushPayload

@testable import MartletKit

/// The rules of the server for tokens of Live Activities: one token of an activity and a device, and a removal that names a
/// token removes no other.
struct ModelActivities {
  /// The tokens that start activities, by their types.
  var startTokens: [String: String] = [:]
  /// The tokens that update activities, and their types, by the activities.
  var tokens: [String: Token] = [:]

  struct Token: Hashable {
    var token: String
    var type: String
  }

  /// Handles a request for a device; `nil` if it is for another part of the server.
  static func answer(
    _ method: String, _ path: [String], _ body: JSONValue, device: (String) -> Int?,
    edit: (String, (inout ModelActivities) -> Void) -> Void
  ) -> Int? {
    guard path.first == "v6", method == "PUT" || method == "DELETE" else { return nil }
    let token = body["token"]?.string
    if path.count == 6, path[1] == "devices", path[3] == "activities", path[5] == "start-token" {
      if let refusal = device(path[2]) { return refusal }
      guard method == "DELETE" || token?.isEmpty == false else { return 422 }
      edit(path[2]) { $0.startTokens[path[4]] = method == "PUT" ? token : nil }
      return 204
    }
    guard path.count == 5, path[1] == "activities", path[3] == "tokens" else { return nil }
    if let refusal = device(path[4]) { return refusal }
    if method == "PUT" {
      guard let token, !token.isEmpty, let type = body["type"]?.string else { return 422 }
      edit(path[4]) { $0.tokens[path[2]] = Token(token: token, type: type) }
    } else {
      edit(path[4]) { activities in
        if token == nil || activities.tokens[path[2]]?.token == token {
          activities.tokens[path[2]] = nil
        }
      }
    }
    return 204
  }
}
