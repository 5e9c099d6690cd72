import PushModel
import PushPayload

extension Operation {
  /// The ids of messages in a request.
  static let inboxIDs = Schema.array(.string(1...64), 1...InboxMarks.idLimit)

  static let createMessage = Operation(
    id: "createMessage",
    summary: "Adds a message to message streams, and sends the attached push, if any.",
    parameters: [idempotencyKey], body: .closed(["message": .named("NewMessage")]),
    example: [
      "message": [
        "to": [["name": "tags", "criteria": ["gold"]]], "title": "Hello", "text": "A message.",
        "notification": ["payload": ["alert": "Hello"]],
      ]
    ], status: 201, answer: .named("CreatedMessage"), refusals: [404],
    links: Link.to(
      [readMessage, recordImpression, messageStats], parameter: "message_id", pointer: "/id"))

  static let listMessages = Operation(
    id: "listMessages", summary: "Lists the messages, the newest first, 50 in a page.",
    parameters: [cursor],
    answer: .object(["messages": .array(.named("Message")), "meta": .named("Page")]),
    refusals: [404])

  static let readMessage = Operation(
    id: "readMessage", summary: "A message.", answer: .object(["message": .named("Message")]))

  static let updateMessage = Operation(
    id: "updateMessage",
    summary: "Replaces what inboxes show of a message; its push and its devices stay as they are.",
    body: .closed(["message": .named("MessageChange")]),
    example: ["message": ["title": "Hello", "text": "A message with a better text."]],
    answer: .object(["message": .named("Message")]), refusals: [409])

  static let unpublishMessage = Operation(
    id: "unpublishMessage",
    summary: "Ends a message now: inboxes no longer show it. Its push stays as it is.",
    answer: .object(["message": .named("Message")]), refusals: [409])

  static let recordImpression = Operation(
    id: "recordImpression", summary: "Records that a device showed a message, once for each kind.",
    body: .open([
      "impression": .open([
        "device_id": .named("DeviceID"),
        "kind": .integer(0...2).described("0 in the app, 1 in the message stream, 2 full screen"),
      ])
    ]), status: 202, answer: .object([:]))

  static let readInbox = Operation(
    id: "readInbox",
    summary:
      "Lists the messages for a device, the one published last first, at most 50 in a page.",
    parameters: [cursor],
    answer: .object([
      "messages": .array(.named("InboxMessage")), "unread": .count,
      "meta": .object(["cursor": .string.nullable]), "server_time": .time,
    ]), refusals: [404])

  static let markRead = Operation(
    id: "markRead",
    summary: "Marks messages as read for the device's user, or for a device without a user.",
    body: .named("ReadMessages"), answer: .object(["unread": .count]), refusals: [404])

  static let hideMessage = Operation(
    id: "hideMessage",
    summary:
      "Removes a message from the inbox of the device's user, or of a device without a user.",
    answer: .object(["unread": .count]))
}

/// The schemas of messages.
enum MessageSchemas {
  static let all: [String: Schema] = [
    "NewMessage": .closed([
      "to": .named("Target"), "title": title, "text": text, "type": type, "url": url,
      "custom": .map(of: .string).optional, "card_image_url": url, "card_media_url": url,
      "scheduled_at": .time.described(
        "when streams show the message and its push is sent; default now"
      )
      .optional,
      "notification": .named("AttachedNotification").optional,
      "unpublish_at": .time.described(
        "when streams stop showing the message; default 90 days after it is published"
      ).optional,
    ]),
    "MessageChange": .closed(
      content + [
        (
          "unpublish_at",
          .time.described("when streams stop showing the message; without it, as before").optional
        )
      ]),
    "AttachedNotification": .closed([
      "payload": .named("Payload"),
      "local_time": .boolean.described("whether scheduled_at is the local time of each device")
        .optional,
      "expires_at": .time.described("when the push expires; it is not sent after that").optional,
      "throttle_per_second": .integer(1...1_000_000).optional,
      "class": NotificationSchemas.sendClass.optional,
      "force": NotificationSchemas.force,
    ]),
    "Message": .object(shown + stored + [("notification_id", .string.nullable)]),
    "CreatedMessage": .object(
      shown + stored + [
        ("state", Schema.constant("scheduled")),
        ("notification", .named("NotificationReference").nullable),
      ]),
    "InboxMessage": .object(
      shown + [
        ("published_at", Schema.time.described("when inboxes began to show the message")),
        ("unpublish_at", Schema.time.described("when inboxes stop showing it")),
        ("is_read", .boolean),
      ]),
    "ReadMessages": .closed([
      "ids": Operation.inboxIDs.optional,
      "until": Schema.date.described("all messages published until then").optional,
    ]).withValue,
  ]

  /// The members that an inbox shows.
  static let content: [(key: String, value: Schema)] = [
    ("title", title), ("text", text), ("type", type), ("url", url),
    ("custom", .map(of: .string).optional), ("card_image_url", url), ("card_media_url", url),
  ]

  private static let title = Schema.string(1...255)
  private static let text = Schema.string(0...10_000).optional
  private static let type = Schema.oneOf(MessageContent.types).optional
  private static let url = Schema.string(1...2048).optional

  private static let shown: [(key: String, value: Schema)] = [
    ("id", .string), ("title", .string), ("text", .string.nullable), ("type", .string.nullable),
    ("url", .string.nullable), ("card_image_url", .string.nullable),
    ("card_media_url", .string.nullable), ("custom", .map(of: .string)), ("created_at", .time),
  ]

  private static let stored: [(key: String, value: Schema)] = [
    ("to", .named("AudienceReference")), ("unpublish_at", .time),
  ]
}
