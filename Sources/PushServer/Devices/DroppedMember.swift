import PushPayload

/// A member of an update that was not stored.
///
/// The update is not refused for it: an app may be newer than its server.
struct DroppedMember: Hashable, Sendable {
  /// The JSON path of the member, such as `$.device.locale`.
  var path: String
  /// What is wrong with it, which begins with the path of the value that is wrong.
  var reason: String

  var json: JSONValue { ["path": .string(path), "reason": .string(reason)] }
}
