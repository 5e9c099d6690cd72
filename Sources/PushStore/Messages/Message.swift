package import PushPayload

/// A message that an app's stream shows, with or without a notification.
package struct Message: Hashable, Sendable {
  /// Where a device saw it, by the wire's numbers.
  package enum Impression: Int, CaseIterable, Sendable {
    case inApp = 0
    case stream = 1
    case detail = 2
  }

  package var id: String
  package var app: String
  package var audience: String
  /// The notification that was sent with it.
  package var send: String?
  package var title: String
  /// The rest of what the caller wrote: `text`, `type`, `url`, `custom`, media.
  package var content: JSONValue
  /// Whom it is for; `nil` is every device, those that come later too.
  package var devices: DeviceNumbers?
  package var createdAt: Timestamp
  package var publishAt: Timestamp
  /// From when on no stream shows it.
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

/// A message as one device's stream has it.
package struct StreamMessage: Hashable, Sendable {
  package var message: Message
  /// Whether the device saw it in detail.
  package var isRead: Bool

  package init(_ message: Message, isRead: Bool) {
    self.message = message
    self.isRead = isRead
  }
}
