import PushModel
import PushPayload

extension Operation {
  static let createNotification = Operation(
    id: "createNotification",
    summary: "Sends a notification; it is stored durably when this answers.",
    parameters: [idempotencyKey],
    body: .closed(["notification": .named("NewNotification")]),
    example: example, status: 201, answer: .named("CreatedNotification"), refusals: [404],
    links: onward
      + Link.to([replayNotification], parameter: "notification_id", pointer: "/notification/id"))

  private static let onward = Link.to(
    [
      readNotification, streamNotification, pauseNotification, resumeNotification,
      cancelNotification, listOutcomes, reportNotification, notificationStats, notificationHours,
      templateStats,
    ], parameter: "notification_id", pointer: "/notification/id")

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
      "identifies the request: a repeat with the same key and body gets the first answer"))

  static let cancelNotification = Operation(
    id: "cancelNotification", summary: "Cancels a notification; pushes that were sent stay sent.",
    answer: .named("Notification"), refusals: [409])

  static let pauseNotification = Operation(
    id: "pauseNotification",
    summary: "Pauses a notification before the devices that it was not sent to yet.",
    answer: .named("Notification"), refusals: [409])

  static let resumeNotification = Operation(
    id: "resumeNotification", summary: "Resumes a paused notification.",
    answer: .named("Notification"), refusals: [409])

  static let replayNotification = Operation(
    id: "replayNotification",
    summary: "Sends a notification again, only to the devices for which it was rejected.",
    parameters: [idempotencyKey], status: 201, answer: .named("CreatedNotification"),
    refusals: [409], links: onward)

  static let streamNotification = Operation(
    id: "streamNotification",
    summary:
      "Streams a notification's state and counts as server-sent events, until it is complete.",
    answer: .any.described("events, each with a Notification as the JSON of its data"),
    answerType: "text/event-stream")

  static let previewNotification = Operation(
    id: "previewNotification",
    summary: "The payload that would be sent, and the number of devices; sends nothing.",
    body: .closed(["notification": .named("NewNotification")]), example: example,
    answer: .object([
      "device_count": .count, "payload": .any.described("the payload exactly as APNs would get it"),
      "bytes": .count, "quiet": LimitSchemas.estimatedQuiet,
      "capped": LimitSchemas.estimatedCapped,
      "findings": .array(.named("Finding")),
    ]), refusals: [404])

  static let group = Schema.string(3...64, pattern: "^[A-Za-z0-9-]{3,64}$")

  static let createTransactional = Operation(
    id: "createTransactional",
    summary: "Sends to the devices of one user, and answers with the outcomes.",
    parameters: [idempotencyKey],
    body: .closed([
      "to": .closed([
        "field": .oneOf(["device_id", "user_id", "sid"]), "value": .string(0...255),
      ]),
      "group": group,
      "notification": .closed(["payload": .named("Payload"), "force": NotificationSchemas.force]),
      "extra_filters": .array(.named("TransactionalFilter"), 0...100).optional,
    ]),
    answer: .object([
      "id": .string,
      "results": .object([
        "success": .count, "uninstalled": .count,
        "failures": .array(.string).described(
          "the ids of the devices for which Apple did not accept the push"),
      ]),
    ]), refusals: [409])

  static let listNotifications = Operation(
    id: "listNotifications", summary: "Lists the notifications, the newest first, 50 in a page.",
    parameters: [
      cursor, searchText,
      .query("label", Schema.string.described("a label that they have; empty for any")),
      .query("state", .oneOf(notificationStates + [""]).described("empty for any")),
    ],
    answer: .object([
      "notifications": .array(.named("Notification")), "meta": .named("Page"),
    ]), refusals: [404])

  static let notificationStates = [
    "scheduled", "sending", "pausing", "paused", "complete", "canceled", "failed",
  ]

  static let searchText = Parameter.query(
    "q",
    .string(0...RequestContext.queryLimit).described(
      "words that begin words of the name, the labels, the title or the text"))

  static let readNotification = Operation(
    id: "readNotification", summary: "A notification's state and counts.",
    answer: .named("Notification"))
}

/// The schemas of notifications and payloads.
enum NotificationSchemas {
  static let all: [String: Schema] = [
    "NewNotification": .closed([
      "to": .named("Target"), "payload": .named("Payload"),
      "name": sendName.optional, "labels": labels.optional,
      "scheduled_at": .time.described("when the notification is sent; default now").optional,
      "local_time": .boolean.described("whether scheduled_at is the local time of each device")
        .optional,
      "expires_at": .time.described("when the notification expires; it is not sent after that")
        .optional,
      "throttle_per_second": .integer(1...1_000_000).optional,
      "class": sendClass.optional,
      "limits": .named("NotificationLimits").optional, "force": force,
    ]),
    "Finding": .object([
      "code": .string, "severity": .string, "path": .string, "message": .string,
      "advice": .string,
    ]).described(
      "what `martlet lint` says of the payload, or a name in a text without a value on devices"),
    "Outcome": .object([
      "device_id": .string, "result": .oneOf(["sent", "rejected", "uninstalled"]),
      "status": .integer.nullable, "reason": .string.nullable, "apns_id": .string, "at": .time,
    ]),
    "Payload": .open([
      "alert": .named("Alert").optional,
      "title": .named("Text").optional,
      "subtitle": .named("Text").optional,
      "badge": .one(of: [
        .integer(0...2_147_483_647),
        .string(2...10, pattern: "^[+-][0-9]{1,9}$")
          .described("an increment of the device's badge"),
      ]).optional,
      "sound": .one(of: [.string, .named("CriticalSound")]).optional,
      "category": .string.optional,
      "thread_id": .string.optional,
      "target_content_id": .string.optional,
      "filter_criteria": .string.optional,
      "content_available": .boolean.optional,
      "mutable_content": .boolean.optional,
      "interruption_level": .oneOf(["passive", "active", "time-sensitive", "critical"]).optional,
      "relevance_score": .number(0...1).optional,
      "collapse_key": .string(1...64).optional,
      "_overflow": .oneOf(["refuse", "shorten"])
        .described("what to do with a payload of more than 4096 bytes; default refuse")
        .optional,
      "_st": Schema(["type": "object"]).extensible.optional,
    ]).nonEmpty.extensible
      .described(
        "Apple's spelling of a key, such as thread-id, and an object aps are taken too; any other member is sent unchanged"
          + " beside aps, as custom data"),
    "CriticalSound": .closed([
      "critical": .one(of: [.boolean, .integer(0...1).described("as in Apple's payload")]).optional,
      "name": .string.optional, "volume": .number(0...1).optional,
    ]).described("the sound of a critical alert, for which the app needs Apple's entitlement"),
    "Text": .one(of: [text, .named("LocalizedTexts"), .named("LocalizationKey")]),
    "Alert": .one(of: [text, .named("AlertObject")]),
    "LocalizedTexts": .open(["default": .string]).others(.string.nullable)
      .described("texts by locale; null is as if the locale were left out"),
    "LocalizationKey": .closed(["loc-key": .string, "loc-args": .array(.string).optional])
      .described("a key of the app's localized strings"),
    "AlertObject": Schema.open([("default", .string.optional)] + appleAlert)
      .others(.string.nullable).nonEmpty.excluding(appleAlert.map(\.key), where: "default")
      .described(
        "texts by locale, which have a default, or the members of aps.alert in Apple's form"),
    "CreatedNotification": .object([
      "id": .string, "created_at": .time, "state": .constant("scheduled"),
      "to": .named("AudienceReference"),
      "notification": .named("NotificationReference"),
    ]),
    "NotificationReference": .object(["id": .string, "created_at": .time, "payload": .any]),
    "Notification": .object([
      "id": .string,
      "state": .oneOf(Operation.notificationStates), "class": sendClass,
      "created_at": .time, "started_at": .time.nullable, "completed_at": .time.nullable,
      "to": .named("AudienceReference"), "counts": .named("Counts"),
      "reason": .string.described("why the notification failed, or why the server paused it")
        .optional,
      "name": .string.optional, "labels": .array(.string).optional,
      "campaign": .named("NotificationOrigin").optional,
    ]),
    "NotificationOrigin": .object([
      "id": .string, "run": .string, "phase": .oneOf(["test", "rollout"]), "variant": .string,
    ]).described("the campaign that sent a notification"),
    "Counts": .object([
      "targeted": .count, "sent": .count, "rejected": .count,
      "quiet": LimitSchemas.quietCount, "capped": LimitSchemas.cappedCount, "uninstalled": .count,
      "expired": .count.described("devices that were not sent to before the notification expired"),
      "delivered": .count, "displayed": .count, "opened": .count,
    ]),
    "AudienceReference": .object(["id": .string, "type": .constant("Audience")]),
    "EndlessPage": .object([
      "cursor": .string.described("always present; the list ends with an empty page"),
      "total": .count,
    ]),
    "Page": .object(["cursor": .string.nullable, "total": .count]),
  ]

  static let force = Schema.boolean.described(
    "sends the payload although `martlet lint` calls it an error; default false"
  ).optional

  static let sendClass = Schema.oneOf(SendClass.names).described(
    "transactional for what a person waits for, such as a code: it does not wait for the pushes of campaigns"
  )

  /// The team's name for a notification or a campaign.
  static let sendName = Schema.string(1...SendNaming.nameLimit).described(
    "what your team calls it; devices do not get it")
  static let labels = Schema.array(
    .string(1...SendNaming.labelLimit), 0...SendNaming.labelCount)

  private static let text = Schema.string.described(
    "a text, which is a Liquid template where it has {{ or {%")

  /// The members of `aps.alert`.
  private static let appleAlert: [(key: String, value: Schema)] = [
    ("title", localized.optional), ("subtitle", localized.optional), ("body", localized.optional),
    ("title-loc-key", .string.optional), ("title-loc-args", .array(.string).optional),
    ("subtitle-loc-key", .string.optional), ("subtitle-loc-args", .array(.string).optional),
    ("loc-key", .string.optional), ("loc-args", .array(.string).optional),
    ("launch-image", .string.optional),
  ]

  /// A text, or texts by locale.
  private static let localized = Schema.one(of: [.string, .named("LocalizedTexts")])
}
