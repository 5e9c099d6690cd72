import PushModel
import PushPayload

extension Operation {
  static let notificationStats = Operation(
    id: "notificationStats", summary: "A notification's counts of opens, pushes and conversions.",
    parameters: [ignored("from"), ignored("to")],
    answer: .object([
      "id": .string, "audience_id": .string, "message_id": .string,
      "push_text": .string.nullable, "published_time": .time, "direct_opens": .count,
      "indirect_opens": .count, "influenced_opens": .count, "opens": .count,
      "pushes_succeeded": .count, "pushes_rejected": .count, "event_conversions": .map(of: .count),
    ]))

  static let notificationHours = Operation(
    id: "notificationHours",
    summary: "A notification's counts by hour; hours without counts are left out.",
    answer: .array(.named("HourCounts")))

  static let templateStats = Operation(
    id: "templateStats",
    summary: "What people did with a notification's expanded view, by page and by answer.",
    answer: .object([
      "viewed": .count, "answered": .count, "opened": .count, "expired": .count, "played": .count,
      "pages": .array(.named("PageCounts")), "values": .array(.named("ValueCount")),
      "other_values": .count,
    ]))

  static let messageStats = Operation(
    id: "messageStats", summary: "The number of devices that showed a message, by where.",
    parameters: [ignored("from"), ignored("to")],
    answer: .object([
      "id": .string, "full_screen_impressions": .count, "message_stream_impressions": .count,
      "in_app_notification_impressions": .count,
    ]))

  static let groupStats = Operation(
    id: "groupStats", summary: "The counts of a group of transactional notifications.",
    parameters: [from, to],
    answer: .object([
      "group": .string, "direct_opens": .count, "indirect_opens": .count,
      "notifications_sent": .count, "event_conversions": .map(of: .count),
      "purchase_conversions": .array(.named("PurchaseConversion")),
    ]))

  static let countOpens = counts("countOpens", "The number of app opens by hour.")
  static let countInstalls = counts("countInstalls", "The number of new devices by hour.")
  static let countSessions = counts("countSessions", "The number of sessions by hour.")
  static let countActiveUsers = counts("countActiveUsers", "The number of active users by day.")

  static let totalInstalls = Operation(
    id: "totalInstalls", summary: "The number of new devices in whole days.",
    parameters: [from, to],
    answer: .object(["total_installs": .count]))

  /// A parameter that some callers send with every statistic, and that has no effect.
  private static func ignored(_ name: String) -> Parameter {
    .query(name, .string.described("ignored: the counts are of the whole life of the object"))
  }

  private static func counts(_ id: String, _ summary: String) -> Operation {
    Operation(
      id: id, summary: summary, parameters: [from, to],
      answer: .array(.named("TimeCount")))
  }

  static let recordReceipts = Operation(
    id: "recordReceipts",
    summary: """
      Records receipts of notifications, each id once; those of devices that a notification was not \
      for are ignored.
      """,
    body: .open([
      "receipts": .array(.named("Receipt"), 1...Receipt.listLimit)
    ]), status: 202, answer: partlyStored)

  static let listOutcomes = Operation(
    id: "listOutcomes", summary: "Lists the outcome of each device: what Apple answered.",
    parameters: [cursor],
    answer: .object(["outcomes": .array(.named("Outcome")), "meta": .named("Page")]))

  static let readOutcome = Operation(
    id: "readOutcome", summary: "The outcome of one device: what Apple answered.",
    answer: .object(["outcome": .named("Outcome")]))

  static let reportNotification = Operation(
    id: "reportNotification",
    summary: "The number of devices by outcome and reason, and of media failures by reason.",
    answer: .object([
      "id": .string, "failure": .string.nullable,
      "reasons": .array(.named("ReasonCount")),
      "media_failures": .map(of: .count),
    ]))
}

/// The schemas of counts, receipts and reasons.
enum StatSchemas {
  static let all: [String: Schema] = [
    "HourCounts": .object([
      "date": .time, "sent": .count, "rejected": .count, "uninstalled": .count,
      "delivered": .count, "displayed": .count, "opened": .count,
      "media": .map(of: .count), "media_failures": .map(of: .count),
    ]),
    "PurchaseConversion": .object(["name": .string, "total_value": .number, "count": .count]),
    "TimeCount": .object(["date": .time, "count": .count]),
    "Receipt": .open([
      "id": .string(1...255), "notification_id": .string(1...64),
      "device_id": .string(1...64),
      "event": .oneOf(Receipt.Event.allCases.map(\.rawValue)),
      "at": .time, "media": .string(0...64).optional, "reason": .string(0...64).optional,
      "duration_ms": .integer(0...2_147_483_647).optional,
      "trace": Schema.named("ReceiptTrace").optional,
      "page": .integer(0...TemplateEventLimits.lastPage).described(
        "of an expanded notification, from 0; needed with template_page"
      ).optional,
      "dwell_seconds": .integer(0...TemplateEventLimits.longestDwell).described(
        "how long the page was visible; needed with template_page"
      ).optional,
      "value": .string(1...TemplateEventLimits.longestValue).described(
        "the star, or the identifier of the choice"
      ).optional,
      "text": .string(1...TemplateEventLimits.longestValue).described(
        "what the person typed; passed to webhooks and not stored"
      ).optional,
    ]).needing(
      ["page", "dwell_seconds"], where: "event", is: Receipt.Event.templatePage.rawValue),
    "ReceiptTrace": .open([
      "dialect": .string(0...ReceiptTrace.wordLimit).optional,
      "decryption": .string(0...ReceiptTrace.wordLimit).optional,
      "content": Schema.oneOf(ReceiptTrace.Content.allCases.map(\.rawValue)).optional,
      "focused": .boolean.optional,
      "media": Schema.array(.named("ReceiptMedium"), 0...ReceiptTrace.mediaLimit).optional,
    ]).described("what the service extension did, without the content of the notification"),
    "ReceiptMedium": .open([
      "result": .string(0...ReceiptTrace.wordLimit),
      "reason": .string(0...ReceiptTrace.wordLimit).optional,
      "status": .integer(100...599).optional,
    ]),
    "PageCounts": .object([
      "page": .integer(0...TemplateEventLimits.lastPage), "seen": .count, "opened": .count,
      "mean_dwell_seconds": .number.nullable,
    ]),
    "ValueCount": .object(["value": .string, "count": .count]),
    "ReasonCount": .object([
      "result": .oneOf(["sent", "rejected", "uninstalled", "expired"]),
      "status": .integer.nullable,
      "reason": .string.nullable, "count": .count,
    ]),
  ]
}
