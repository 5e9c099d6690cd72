import PushPayload

extension Operation {
  static let createNotification = Operation(
    id: "createNotification", summary: "Sends a notification; it is durable when this answers.",
    parameters: [idempotencyKey],
    body: .open(["notification": .named("NewNotification")]),
    example: example, status: 201, answer: .named("CreatedNotification"), refusals: [404],
    links: onward + Link.to([replayNotification], "notification_id", "/notification/id"))

  private static let onward = Link.to(
    [
      readNotification, streamNotification, pauseNotification, resumeNotification,
      cancelNotification, listOutcomes, reportNotification, notificationStats, notificationHours,
    ], "notification_id", "/notification/id")

  private static let example: JSONValue = [
    "notification": [
      "to": [
        ["name": "tags", "criteria": ["gold"]],
        ["name": "events.video_plays", "criteria": [["gt": 10]]],
      ],
      "payload": ["alert": "Hello {{ custom.first_name | default: \"there\" }}"],
    ]
  ]

  static let idempotencyKey = Parameter.header(
    "Idempotency-Key",
    .string(1...255, pattern: "^[!-~]+$").described(
      "names the request: one with the same key and body is answered as the first was"))

  static let cancelNotification = Operation(
    id: "cancelNotification", summary: "Ends a notification; what was sent was sent.",
    answer: .named("Notification"), refusals: [409])

  static let pauseNotification = Operation(
    id: "pauseNotification", summary: "Holds back what was not sent yet.",
    answer: .named("Notification"), refusals: [409])

  static let resumeNotification = Operation(
    id: "resumeNotification", summary: "Goes on where a pause held it.",
    answer: .named("Notification"), refusals: [409])

  static let replayNotification = Operation(
    id: "replayNotification",
    summary: "Sends it once more, to the devices for which it was refused alone.",
    parameters: [idempotencyKey], status: 201, answer: .named("CreatedNotification"),
    refusals: [409], links: onward)

  static let streamNotification = Operation(
    id: "streamNotification",
    summary: "Server-sent events of a notification's object as it changes, until it is over.",
    answer: Schema([
      "type": "object", "required": ["data"],
      "properties": [
        "data": [
          "type": "string", "contentMediaType": "application/json",
          "contentSchema": Schema.named("Notification").json,
        ]
      ],
    ]).described("one event"), answerType: "text/event-stream")

  static let previewNotification = Operation(
    id: "previewNotification", summary: "What would be sent, and to how many; sends nothing.",
    body: .open(["notification": .named("NewNotification")]), example: example,
    answer: .object([
      "device_count": .count, "payload": .any.described("for APNs, exactly"), "bytes": .count,
      "findings": .array(
        .object([
          "code": .string, "severity": .string, "path": .string, "message": .string,
          "advice": .string,
        ])),
    ]), refusals: [404])

  static let group = Schema.string(3...64, pattern: "^[A-Za-z0-9-]{3,64}$")

  static let createTransactional = Operation(
    id: "createTransactional",
    summary: "Sends to the devices of one person and answers what became of it.",
    parameters: [idempotencyKey],
    body: .open([
      "to": .open([
        "field": .oneOf(["device_id", "user_id", "sid"]), "value": .string(0...255),
      ]),
      "group": group,
      "notification": .open(["payload": .named("Payload")]),
      "extra_filters": .array(.named("TransactionalFilter"), 0...100).optional,
    ]),
    answer: .object([
      "id": .string,
      "results": .object([
        "success": .count, "uninstalled": .count,
        "failures": .array(.string).described("the ids of devices"),
      ]),
    ]), refusals: [409])

  static let listNotifications = Operation(
    id: "listNotifications", summary: "The newest notifications first, 50 a page.",
    parameters: [cursor],
    answer: .object([
      "notifications": .array(.named("Notification")), "meta": .named("Page"),
    ]), refusals: [404])

  static let readNotification = Operation(
    id: "readNotification", summary: "A notification's state and counts.",
    answer: .named("Notification"))
}

/// What notifications look like on the wire.
enum NotificationSchemas {
  static let all: [String: Schema] = [
    "NewNotification": .open([
      "to": .named("Target"), "payload": .named("Payload"),
      "scheduled_at": .time.described("when it is sent; at once where it is absent").optional,
      "local_time": .boolean.described("whether scheduled_at is by each device's clock").optional,
      "expires_at": .time.described("from when on no device is sent it").optional,
      "throttle_per_second": .integer(1...1_000_000).optional,
    ]),
    "Outcome": .object([
      "device_id": .string, "result": .oneOf(["sent", "rejected", "uninstalled"]),
      "status": .integer.nullable, "reason": .string.nullable, "apns_id": .string, "at": .time,
    ]),
    "Payload": .open([
      "alert": .any(of: [.named("Text"), .named("AppleAlert")]).optional,
      "title": .named("Text").optional,
      "subtitle": .named("Text").optional,
      "badge": .any(of: [
        .integer(0...2_147_483_647),
        .string(2...10, pattern: "^[+-][0-9]{1,9}$")
          .described("so many more, or fewer, than the device has"),
      ]).optional,
      "sound": .string.optional,
      "category": .string.optional,
      "content_available": .boolean.optional,
      "mutable_content": .boolean.optional,
      "interruption_level": .oneOf(["passive", "active", "time-sensitive", "critical"]).optional,
      "relevance_score": .number(0...1).optional,
      "collapse_key": .string(1...64).optional,
      "_overflow": .oneOf(["refuse", "shorten"])
        .described("what becomes of texts that are too long for 4096 bytes; refused where absent")
        .optional,
      "_st": Schema(["type": "object"]).optional,
    ]).nonEmpty
      .described("what is not named here goes out beside aps, untouched"),
    "Text": .any(of: [
      .string.described("text, with Liquid where it has {{ or {%"),
      .open(["default": .string]).described("texts by locale"),
      .open(["loc-key": .string, "loc-args": .array(.string).optional])
        .described("a text of the app's own"),
    ]),
    "AppleAlert": .closed([
      "title": localized.optional, "subtitle": localized.optional, "body": localized.optional,
      "title-loc-key": .string.optional, "title-loc-args": .array(.string).optional,
      "subtitle-loc-key": .string.optional, "subtitle-loc-args": .array(.string).optional,
      "loc-key": .string.optional, "loc-args": .array(.string).optional,
      "launch-image": .string.optional,
    ]).nonEmpty.described("the members of Apple's alert"),
    "CreatedNotification": .object([
      "id": .string, "created_at": .time, "state": Schema(["const": "scheduled"]),
      "to": .named("AudienceReference"),
      "notification": .object(["id": .string, "created_at": .time, "payload": .any]),
    ]),
    "Notification": .object([
      "id": .string,
      "state": .oneOf([
        "scheduled", "sending", "pausing", "paused", "complete", "canceled", "failed",
      ]),
      "created_at": .time, "started_at": .time.nullable, "completed_at": .time.nullable,
      "to": .named("AudienceReference"), "counts": .named("Counts"),
      "reason": .string.described("why it failed, or why the server paused it").optional,
    ]),
    "Counts": .object([
      "targeted": .count, "sent": .count, "rejected": .count, "uninstalled": .count,
      "delivered": .count, "displayed": .count, "opened": .count,
    ]),
    "AudienceReference": .object(["id": .string, "type": Schema(["const": "Audience"])]),
    "EndlessPage": .object([
      "cursor": .string.described("always there; the list ends with a page of nothing"),
      "total": .count,
    ]),
    "Page": .object(["cursor": .string.nullable, "total": .count]),
  ]

  /// Text, or texts by locale.
  private static let localized = Schema.any(of: [.string, .open(["default": .string])])
}
