package import PushPayload

/// A message in an app's own stream, with or without a notification.
package struct Message: Hashable, Sendable {
  /// The place in the app in which a device showed the message; the raw values are the API's.
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
  /// The run of a campaign that has published the message; `nil` if no run has published it.
  package var origin: Send.RunOrigin?
  /// The number of devices to which a run has published the message.
  package var targeted = 0
  package var title: String
  /// The other members of the API's message: `text`, `type`, `url`, `custom` and media.
  package var content: JSONValue
  package var createdAt: Timestamp
  /// The time at which streams begin to show the message.
  package var publishAt: Timestamp
  /// The time at which streams stop showing the message.
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

/// The number of devices to which messages of a run were published, and of those that saw them by kind of impression.
package struct MessageCounts: Hashable, Sendable {
  package var targeted = 0
  package var seen: [Message.Impression: Int] = [:]

  package init() {}
}

/// A message that a run has published, with the number of devices that have seen it by kind of impression.
package struct PublishedMessage: Hashable, Sendable {
  package var message: Message
  package var seen: [Message.Impression: Int]

  package init(_ message: Message, seen: [Message.Impression: Int]) {
    self.message = message
    self.seen = seen
  }
}
