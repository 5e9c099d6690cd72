package import PushPayload

/// An address that wants to hear of events.
package struct Webhook: Hashable, Sendable {
  package var id: String
  package var app: String
  package var url: String
  package var events: [String]
  /// What signs the bodies, as the server sealed it; to a store these are bytes.
  package var sealedSecret: [UInt8]
  package var createdAt: Timestamp

  package init(
    id: String, app: String, url: String, events: [String], sealedSecret: [UInt8],
    createdAt: Timestamp
  ) {
    self.id = id
    self.app = app
    self.url = url
    self.events = events
    self.sealedSecret = sealedSecret
    self.createdAt = createdAt
  }
}

/// One body on its way to one webhook, held until its lease lapses.
package struct WebhookCall: Hashable, Sendable {
  package var id: Int64
  package var lease: Int64
  /// Earlier ones that ended without success.
  package var attempts: Int
  package var webhook: Webhook
  package var event: String
  package var body: JSONValue
  package var createdAt: Timestamp

  package init(
    id: Int64, lease: Int64, attempts: Int, webhook: Webhook, event: String, body: JSONValue,
    createdAt: Timestamp
  ) {
    self.id = id
    self.lease = lease
    self.attempts = attempts
    self.webhook = webhook
    self.event = event
    self.body = body
    self.createdAt = createdAt
  }
}
