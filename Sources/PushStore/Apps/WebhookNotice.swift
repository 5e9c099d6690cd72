package import PushPayload

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
