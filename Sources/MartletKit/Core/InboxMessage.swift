public import Foundation
import PushPayload

/// A message in the inbox, as the server has it for this device.
public struct InboxMessage: Hashable, Sendable, Identifiable {
  /// The message's identifier at the server; that of the push with it is in ``Opening/messageID``.
  public let id: String
  /// The title.
  public let title: String
  /// The text; `nil` if there is none.
  public let text: String?
  /// The link, which may be a deep link; `nil` if there is none.
  public let link: String?
  /// The address of the picture; `nil` if there is none.
  public let imageURL: URL?
  /// The address of the video or sound; `nil` if there is none.
  public let mediaURL: URL?
  /// What the sender added for the app.
  public let custom: [String: String]
  /// When the message was published.
  public let publishedAt: Date
  /// Whether the person has read it, on this device or another.
  public internal(set) var isRead: Bool
  /// The message in the form of the server's API, but for `is_read`.
  let json: [String: JSONValue]
}

extension InboxMessage {
  /// Reads a message of the server; `nil` where it is none.
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

  /// The message as its file has it.
  var stored: JSONValue {
    var members = json
    members["is_read"] = .bool(isRead)
    return .object(members)
  }
}

/// What is known of the inbox now.
public struct InboxContent: Hashable, Sendable {
  /// The messages that were read from the server, the one published last first.
  public var messages: [InboxMessage]
  /// The number of unread messages, also of those that are not in ``messages``.
  public var unreadCount: Int
  /// Whether ``Inbox/more()`` reads further messages.
  public var hasMore: Bool

  static let empty = InboxContent(messages: [], unreadCount: 0, hasMore: false)
}
