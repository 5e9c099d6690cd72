package import PushPayload

/// A message in an app's own stream, with or without a notification.
package struct Message: Hashable, Sendable {
  /// The place in the app where a device showed the message; the raw values are the API's.
  package enum Impression: Int, CaseIterable, Sendable {
    case inApp = 0
    case stream = 1
    case detail = 2
  }

  package var id: String
  package var app: String
  package var audience: String
  /// The id of the send that was made with the message.
  package var send: String?
  package var title: String
  /// The other members of the API's message: `text`, `type`, `url`, `custom` and media.
  package var content: JSONValue
  package var createdAt: Timestamp
  /// When streams begin to show the message.
  package var publishAt: Timestamp
  /// When streams stop showing the message.
  package var unpublishAt: Timestamp

  package init(
    id: String, app: String, audience: String, title: String, content: JSONValue,
    createdAt: Timestamp, unpublishAt: Timestamp
  ) {
    self.id = id
    self.app = app
    self.audience = audience
    self.title = title
    self.content = content
    self.createdAt = createdAt
    publishAt = createdAt
    self.unpublishAt = unpublishAt
  }
}
