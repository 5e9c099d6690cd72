import PushPayload
import PushStore
import _HTTPServer

extension API {
  /// The store for one change, beside which it writes down who made it: the key, from where, to
  /// which thing; the app's webhooks hear of it too.
  func store(for call: Call, _ action: String, _ object: String?) -> any PushStore {
    let app = call.key?.app ?? call.namedApp
    var trace = ChangeRecord(entry(call, action, object, app: app))
    if let app { trace.notice = news(app, action, ["id": .optional(object)]) }
    return store.recording(trace)
  }

  /// The same for what is done to apps: the log is the server's own, which outlives them.
  func store(forServer call: Call, _ action: String, _ object: String?) -> any PushStore {
    store.recording(ChangeRecord(entry(call, action, object, app: nil)))
  }

  /// Writes down what was done in many steps.
  func audit(_ call: Call, _ action: String, _ object: String?) async throws {
    let app = call.key?.app ?? call.namedApp
    let told = app.flatMap { news($0, action, ["id": .optional(object)]) }
    try await store.recording(ChangeRecord(notice: told)).append(
      entry(call, action, object, app: app))
  }

  /// What an app's webhooks may hear; `nil` where that is no event of theirs.
  func news(_ app: String, _ event: String, _ data: JSONValue) -> WebhookNotice? {
    guard WebhookEvent.all.contains(event) else { return nil }
    return WebhookNotice(app: app, event: event, data: data, at: clock.now())
  }

  private func entry(
    _ call: Call, _ action: String, _ object: String?, app: String?
  ) -> AuditEntry {
    AuditEntry(
      app: app, key: call.key?.id, action: action, object: object,
      address: call.request.remoteAddress, at: clock.now())
  }
}
