package import PushPayload

/// An address to which an app's events are posted.
package struct Webhook: Hashable, Sendable {
  package var id: String
  package var app: String
  package var url: String
  /// The names of the events that are posted.
  package var events: [String]
  /// The secret that signs the bodies, encrypted by the server.
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

/// A call to one webhook about one event, leased to a node until the lease lapses.
package struct WebhookCall: Hashable, Sendable {
  /// The time after which a call is given up, counted from its event.
  package static let kept = Duration.seconds(36 * 3600)

  package var id: Int64
  /// The number of this lease; a lapsed lease cannot finish the call.
  package var lease: Int64
  /// The number of earlier, failed attempts.
  package var attempts: Int
  package var webhook: Webhook
  package var event: String
  package var body: JSONValue
  package var createdAt: Timestamp
  /// Why the last attempt failed; `nil` if none has failed.
  package var failure: String?

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
