package import PushPayload

/// An event that is posted to the app's webhooks that subscribe to it.
package struct WebhookNotice: Hashable, Sendable {
  package var app: String
  /// The name of the event, "notification.complete".
  package var event: String
  /// The event's `data` member, as the API documents it.
  package var data: JSONValue
  package var at: Timestamp

  package init(app: String, event: String, data: JSONValue, at: Timestamp) {
    self.app = app
    self.event = event
    self.data = data
    self.at = at
  }

  /// The JSON that is posted.
  ///
  /// A receiver recognizes a repeated event by its `id`.
  package func body(id: String) -> JSONValue {
    [
      "id": .string(id), "event": .string(event), "app_id": .string(app),
      "created_at": .string(at.iso8601), "data": data,
    ]
  }
}
