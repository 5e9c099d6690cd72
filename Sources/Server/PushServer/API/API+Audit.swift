import PushPayload
import PushStore
import _HTTPServer

extension API {
  /// Writes an audit entry for a change that took several transactions.
  func audit(_ action: String, object: String?, for call: Call) async throws {
    let app = call.key?.app ?? call.namedApp
    let notice = webhookNotice(of: action, app: app, data: ["id": .optional(object)])
    try await store.recording(ChangeRecord(notice: notice)).append(
      auditEntry(for: call, action: action, object: object, app: app))
  }

  /// The notice of an event for an app's webhooks; `nil` if webhooks cannot subscribe to the event.
  func webhookNotice(of event: String, app: String?, data: JSONValue) -> WebhookNotice? {
    guard let app, WebhookEvent.all.contains(event) else { return nil }
    return WebhookNotice(app: app, event: event, data: data, at: clock.now())
  }

  func auditEntry(
    for call: Call, action: String, object: String?, app: String?
  ) -> AuditEntry {
    AuditEntry(
      app: app, key: call.person == nil ? call.key?.id : nil, account: call.person?.id,
      name: call.person?.name ?? call.key?.name, action: action, object: object,
      address: call.request.remoteAddress, at: clock.now())
  }
}
