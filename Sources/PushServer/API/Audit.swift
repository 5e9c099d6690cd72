import PushPayload
import PushStore
import _HTTPServer

extension API {
  /// Writes down who did what: the key, from where, to which thing.
  func audit(_ call: Call, _ action: String, _ object: String?) async throws {
    let app = call.key?.app ?? call.namedApp
    try await audit(call, action, object, app: app)
    if let app { try await tell(app, action, ["id": .optional(object)]) }
  }

  /// The same in the log of an app, or in the server's own, which outlives apps.
  func audit(_ call: Call, _ action: String, _ object: String?, app: String?) async throws {
    try await store.append(
      AuditEntry(
        app: app, key: call.key?.id, action: action, object: object,
        address: call.request.remoteAddress, at: clock.now()))
  }
}
