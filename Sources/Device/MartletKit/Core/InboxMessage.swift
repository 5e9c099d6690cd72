public import Foundation
import PushPayload

/// A message in the inbox, as the server has it for this device.
public struct InboxMessage: Hashable, Sendable, Identifiable {
  /// The message's identifier at the server; the tap on a push for the message has it as ``Opening/messageID``.
  public let id: String
  /// The title.
  public let title: String
  /// The text; `nil` if the message has no text.
  public let text: String?
  /// The link, which may be a deep link; `nil` if the message has no link.
  public let link: String?
  /// The address of the picture; `nil` if the message has no picture.
  public let imageURL: URL?
  /// The address of the video or sound; `nil` if the message has neither.
  public let mediaURL: URL?
  /// The custom data that the sender added for the app.
  public let custom: [String: String]
  /// The time at which the message was published.
  public let publishedAt: Date
  /// Whether the person has read it, on this device or another.
  public internal(set) var isRead: Bool
  /// The message in the form of the server's API, but for `is_read`.
  let json: [String: JSONValue]

  /// Creates a message, such as one for a preview or a test.
  ///
  /// - Parameters:
  ///   - id: The message's identifier at the server.
  ///   - title: The title.
  ///   - text: The text.
  ///   - link: The link.
  ///   - imageURL: The address of the picture.
  ///   - mediaURL: The address of the video or sound.
  ///   - custom: The custom data that the sender added for the app.
  ///   - publishedAt: The time at which the message was published, stored to the millisecond.
  ///   - isRead: Whether the person has read it.
  public init(
    id: String, title: String, text: String? = nil, link: String? = nil, imageURL: URL? = nil,
    mediaURL: URL? = nil, custom: [String: String] = [:], publishedAt: Date = Date(),
    isRead: Bool = false
  ) {
    self.id = id
    self.title = title
    self.text = text
    self.link = link
    self.imageURL = imageURL
    self.mediaURL = mediaURL
    self.custom = custom
    self.publishedAt = publishedAt
    self.isRead = isRead
    var members: [String: JSONValue] = [
      "id": .string(id), "title": .string(title),
      "published_at": .string(Milliseconds(publishedAt).text),
    ]
    members["text"] = text.map(JSONValue.string)
    members["url"] = link.map(JSONValue.string)
    members["card_image_url"] = imageURL.map { .string($0.absoluteString) }
    members["card_media_url"] = mediaURL.map { .string($0.absoluteString) }
    if !custom.isEmpty { members["custom"] = .object(custom.mapValues(JSONValue.string)) }
    json = members
  }
}

extension InboxMessage {
  /// Reads a message of the server; `nil` if it has no id, no title or no valid time of publication.
  init?(_ value: JSONValue) {
    guard var members = value.object, let id = value["id"]?.string, !id.isEmpty,
      let title = value["title"]?.string,
      let time = value["published_at"]?.string.flatMap(Milliseconds.init(_:))
    else { return nil }
    self.id = id
    self.title = title
    text = value["text"]?.string
    link = value["url"]?.string
    imageURL = value["card_image_url"]?.string.flatMap { URL(string: $0) }
    mediaURL = value["card_media_url"]?.string.flatMap { URL(string: $0) }
    custom = (value["custom"]?.object ?? [:]).compactMapValues(\.string)
    publishedAt = time.date
    isRead = value["is_read"]?.bool ?? false
    members["is_read"] = nil
    json = members
  }

  /// The time at which inboxes stop showing the message; `nil` if the server has not said.
  var end: Milliseconds? { json["unpublish_at"]?.string.flatMap(Milliseconds.init(_:)) }

  /// The message as its file has it.
  var stored: JSONValue {
    var members = json
    members["is_read"] = .bool(isRead)
    return .object(members)
  }
}

/// The present content of the inbox, as far as this device has read it.
public struct InboxContent: Hashable, Sendable {
  /// The messages that were read from the server, the one published last first.
  public var messages: [InboxMessage]
  /// The number of unread messages, including messages that are not in ``messages``.
  public var unreadCount: Int
  /// Whether ``Inbox/loadMore()`` reads further messages.
  public var hasMore: Bool

  /// Creates a content, such as one for a preview or a test.
  ///
  /// - Parameters:
  ///   - messages: The messages, the one published last first.
  ///   - unreadCount: The number of unread messages, including messages that are not in `messages`.
  ///   - hasMore: Whether the server has further messages.
  public init(messages: [InboxMessage], unreadCount: Int, hasMore: Bool = false) {
    self.messages = messages
    self.unreadCount = unreadCount
    self.hasMore = hasMore
  }

  static let empty = InboxContent(messages: [], unreadCount: 0)
}
