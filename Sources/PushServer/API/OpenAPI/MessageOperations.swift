import PushPayload

extension Operation {
  static let createMessage = Operation(
    id: "createMessage", summary: "Puts a message into streams, with a push where one is attached.",
    parameters: [idempotencyKey], body: .open(["message": .named("NewMessage")]),
    example: [
      "message": [
        "to": [["name": "tags", "criteria": ["gold"]]], "title": "Hello", "text": "A message.",
        "notification": ["payload": ["alert": "Hello"]],
      ]
    ], status: 201, answer: .named("CreatedMessage"), refusals: [404],
    links: Link.to([readMessage, recordImpression, messageStats], "message_id", "/id"))

  static let listMessages = Operation(
    id: "listMessages", summary: "The newest messages first, 50 a page.", parameters: [cursor],
    answer: .object(["messages": .array(.named("Message")), "meta": .named("Page")]),
    refusals: [404])

  static let readMessage = Operation(
    id: "readMessage", summary: "A message.", answer: .object(["message": .named("Message")]))

  static let recordImpression = Operation(
    id: "recordImpression", summary: "Counts that a device saw a message, once a kind.",
    body: .open([
      "impression": .open([
        "device_id": .named("DeviceID"),
        "kind": .integer(0...2).described("0 in the app, 1 in the stream, 2 in detail"),
      ])
    ]), status: 202, answer: .object([:]))

  static let readStream = Operation(
    id: "readStream",
    summary: "The messages for a device, for your server to hand on; the newest first, 50 a page.",
    parameters: [cursor],
    answer: .object([
      "messages": .array(.named("StreamMessage")),
      "meta": .object(["cursor": .string.nullable, "unread": .count]),
    ]), refusals: [404])
}

/// What messages look like on the wire.
enum MessageSchemas {
  static let all: [String: Schema] = [
    "NewMessage": .open([
      "to": .named("Target"), "title": .string(1...255), "text": .string(0...10_000).optional,
      "type": .oneOf(NewMessage.types).optional, "url": .string(1...2048).optional,
      "custom": .map(of: .string).optional, "card_image_url": .string(1...2048).optional,
      "card_media_url": .string(1...2048).optional,
      "scheduled_at": .time.described(
        "when streams show it and its push goes; at once where absent"
      )
      .optional,
      "notification": .open([
        "payload": .named("Payload"),
        "local_time": .boolean.described("whether scheduled_at is by each device's clock").optional,
        "expires_at": .time.described("from when on no device is sent it").optional,
        "throttle_per_second": .integer(1...1_000_000).optional,
      ]).optional,
      "unpublish_at": .time.described("three months on where it is absent").optional,
    ]),
    "Message": .object(shown + stored + [("notification_id", .string.nullable)]),
    "CreatedMessage": .object(
      shown + stored + [
        ("state", Schema(["const": "scheduled"])),
        (
          "notification",
          .any(of: [
            .object(["id": .string, "created_at": .time, "payload": .any]), .null,
          ])
        ),
      ]),
    "StreamMessage": .object(shown + [("is_read", .boolean)]),
  ]

  private static let shown: [(key: String, value: Schema)] = [
    ("id", .string), ("title", .string), ("text", .string.nullable), ("type", .string.nullable),
    ("url", .string.nullable), ("card_image_url", .string.nullable),
    ("card_media_url", .string.nullable), ("custom", .map(of: .string)), ("created_at", .time),
  ]

  private static let stored: [(key: String, value: Schema)] = [
    ("to", .named("AudienceReference")), ("unpublish_at", .time),
  ]
}
