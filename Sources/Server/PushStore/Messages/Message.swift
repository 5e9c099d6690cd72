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
  /// The run of a campaign that has published the message; `nil` where none has.
  package var origin: Send.RunOrigin?
  /// The number of devices that a run has published the message to.
  package var targeted = 0
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

/// How many devices some messages of a run were published to, and how many have seen them in each way.
package struct MessageCounts: Hashable, Sendable {
  package var targeted = 0
  package var seen: [Message.Impression: Int] = [:]

  package init() {}
}

/// A message that a run has published, with the number of devices that have seen it in each way.
package struct PublishedMessage: Hashable, Sendable {
  package var message: Message
  package var seen: [Message.Impression: Int]

  package init(_ message: Message, seen: [Message.Impression: Int]) {
    self.message = message
    self.seen = seen
  }
}
