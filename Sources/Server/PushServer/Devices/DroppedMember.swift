/// A member of an update that was not stored, with the reason, for the answer's `dropped`.
///
/// The update is not refused, because an app may be newer than its server.
struct DroppedMember: Hashable, Sendable {
  /// The JSON path of the member, such as `$.device.locale`.
  var path: String
  /// The problem, which follows the path in the message.
  var reason: String

  init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// Makes the entry for a refused member.
  init(_ error: RequestError, at path: String) {
    self.path = error.path ?? path
    let prefix = self.path + " "
    let message = error.message
    reason = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
  }

  /// The path and the reason in one sentence.
  var text: String { "\(path) \(reason)" }
}
