import PushPayload

extension Operation {
  static let createNotification = Operation(
    id: "createNotification", summary: "Sends a notification; it is durable when this answers.",
    body: .open(["notification": .named("NewNotification")]),
    status: 201, answer: .named("CreatedNotification"), refusals: [404])

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
    "NewNotification": .open(["to": .named("Target"), "payload": .named("Payload")]),
    "Target": .any(of: [
      Schema(["const": "*"]).described("every device"),
      .string(1...64, pattern: "^[0-9a-f]{24}$").described("an audience's id"),
      .open(["audience": .string(1...64, pattern: "^[0-9a-f]{24}$")]),
      .array(.named("Filter"), 1...100).described("all of them must hold"),
    ]),
    "Filter": .any(of: [
      filter("^(tags|user_id|device_id|custom\\.string\\.[A-Za-z0-9_-]{1,64})$", .string),
      filter(
        "^(development|custom\\.boolean\\.[A-Za-z0-9_-]{1,64})$", .boolean),
      filter(
        "^custom\\.integer\\.[A-Za-z0-9_-]{1,64}$",
        orRange(.integer)),
      filter("^custom\\.float\\.[A-Za-z0-9_-]{1,64}$", orRange(.number)),
      filter("^custom\\.date\\.[A-Za-z0-9_-]{1,64}$", orRange(.time)),
    ]),
    "Payload": .open([
      "alert": .named("Text").optional,
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
      "overflow": .oneOf(["refuse", "shorten"]).optional,
      "_st": Schema(["type": "object"]).optional,
    ]).described("what is not named here goes out beside aps, untouched"),
    "Text": .any(of: [
      .string.described("text, with Liquid where it has {{ or {%"),
      .open(["default": .string]).described("texts by locale"),
      .open(["loc-key": .string, "loc-args": .array(.string).optional])
        .described("a text of the app's own"),
    ]),
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
    ]),
    "Counts": .object([
      "targeted": .count, "sent": .count, "rejected": .count, "uninstalled": .count,
      "delivered": .count, "displayed": .count, "opened": .count,
    ]),
    "AudienceReference": .object(["id": .string, "type": Schema(["const": "Audience"])]),
    "Page": .object(["cursor": .string.nullable, "total": .count]),
  ]

  private static func filter(_ names: String, _ criterion: Schema) -> Schema {
    .open([
      "name": Schema(["type": "string", "pattern": .string(names)]),
      "criteria": .array(criterion, 1...1000).described("any of them"),
      "not_filter": .boolean.optional,
    ])
  }

  private static func orRange(_ value: Schema) -> Schema {
    var range = Schema.object([
      "gt": value.optional, "gte": value.optional, "lt": value.optional, "lte": value.optional,
    ])
    range.json = .object((range.json.object ?? [:]).merging(["minProperties": 1]) { $1 })
    return .any(of: [value, range])
  }
}
