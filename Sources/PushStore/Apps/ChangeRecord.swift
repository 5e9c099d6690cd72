package import PushPayload

/// What is written down beside a change, in its own transaction, so that a crash loses neither.
package struct ChangeRecord: Hashable, Sendable {
  /// Who made the change.
  package var entry: AuditEntry?
  /// What webhooks are told of it.
  package var news: WebhookNotice?

  package init(_ entry: AuditEntry? = nil, news: WebhookNotice? = nil) {
    self.entry = entry
    self.news = news
  }
}

/// An event, for each of an app's webhooks that wants to hear of it.
package struct WebhookNotice: Hashable, Sendable {
  package var app: String
  package var event: String
  package var data: JSONValue
  package var at: Timestamp

  package init(app: String, event: String, data: JSONValue, at: Timestamp) {
    self.app = app
    self.event = event
    self.data = data
    self.at = at
  }

  /// What is posted; a receiver that gets it twice knows it by the id.
  func body(id: String) -> JSONValue {
    [
      "id": .string(id), "event": .string(event), "app_id": .string(app),
      "created_at": .string(at.iso8601), "data": data,
    ]
  }
}
