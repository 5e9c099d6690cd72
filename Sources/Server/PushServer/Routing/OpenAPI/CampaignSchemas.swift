import PushModel
import PushPayload

/// The schemas of campaigns and their runs.
enum CampaignSchemas {
  static let all: [String: Schema] = [
    "NewCampaign": .closed([
      "name": NotificationSchemas.sendName, "labels": NotificationSchemas.labels.optional,
      "to": .named("Target"),
      "when": Schema.one(of: [
        .named("CampaignTime"), .named("CampaignSchedule"), .named("EventTrigger"),
        .named("EnterTrigger"), .named("LeaveTrigger"),
      ]).optional,
      "variants": variants.optional,
      "steps": .array(
        .closed([
          "after": duration.described(
            "the time from entering, or from the message before; the first step may be without it"
          ).optional,
          "variants": variants,
        ]), 1...CampaignPlan.stepLimit
      ).described("the messages of a triggered campaign, in place of variants").optional,
      "test": .named("CampaignTest").optional,
      "goals": .array(.named("Goal"), 0...CampaignPlan.goalLimit).optional,
      "limits": .named("CampaignLimits").optional,
      "utm": .closed([
        "source": utm, "medium": utm, "campaign": utm, "term": utm, "content": utm,
      ]).described(
        "added to the http and https links of the pushes, where a link has not the parameter already"
      ).optional,
    ]),
    "CampaignTime": .closed([
      "at": .string(3...40, pattern: "^(now|\(Schema.datePattern))$").described("now, or a date"),
      "local_time": .boolean.described("whether at is the local time of each device").optional,
      "best_time": .boolean.described(
        "whether each device gets it within 24 hours of at, in the hour in which its app is opened most"
      ).optional,
    ]),
    "CampaignSchedule": .closed([
      "every": .named("CampaignDays"),
      "from": day.described("the first day; without it that of the start").optional,
      "until": day.described("the last day; without it the campaign goes on until it is ended")
        .optional,
      "missed": .string(4...37, pattern: "^(skip|late P.+)$").described(
        "how late a day is sent where no server ran then, or the campaign was paused: \"late PT2H\","
          + " at most 12 hours; \"skip\", the default, allows 5 minutes"
      ).optional,
    ]),
    "CampaignDays": .closed([
      "unit": .oneOf(["day", "week", "month"]),
      "days": .array(.oneOf(CampaignSchedule.weekdays), 1...7).described(
        "the days of the week, with the unit week"
      ).optional,
      "day": .integer(1...31).described(
        "the day of the month, with the unit month; a shorter month has its last day"
      ).optional,
      "time": .string(5...5, pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$").described(
        "the time that clocks of the zone show"),
      "zone": .string(1...DeviceTimeZone.lengthLimit).described(
        "\(DeviceTimeZone.form), or \"device\" for each device's own"),
    ]),
    "NewVariant": .closed([
      "key": .string(1...32, pattern: "^[a-z0-9_-]{1,32}$"),
      "name": NotificationSchemas.sendName.optional,
      "share": .integer(1...100).described("the share of the devices in hundredths").optional,
      "payload": .named("Payload").optional, "force": NotificationSchemas.force,
      "message": Schema.named("CampaignMessage").optional,
      "template": .string(1...74, pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}(@[1-9][0-9]{0,8})?$")
        .described(
          "a template in place of the payload; without @version the newest one when it is saved"
        ).optional,
    ]),
    "CampaignMessage": .closed(
      MessageSchemas.content + [
        (
          "unpublish_after",
          duration.described("how long inboxes show it, at most P90D, which is the default")
            .optional
        )
      ]
    ).described("an in-app message in place of a push; all variants have one, or none has"),
    "PublishedTest": .object(["message": .named("Message")]),
    "CampaignTest": .closed([
      "sample": .integer(1...99).described("the share of the devices to test with, in hundredths"),
      "metric": .oneOf(["opens", "conversions"]).optional,
      "decide_after": duration.described(
        "when the winner is chosen, counted from the start; without it a person decides"
      ).optional,
      "no_winner": .oneOf(["best", "default", "none"]).described(
        "what is sent where no variant is better by more than chance; default is the first variant"
      ).optional,
    ]),
    "Goal": .closed([
      "event": .string(1...255),
      "within": duration.described("how long it counts after the last device is due; default P3D")
        .optional,
    ]),
    "CampaignLimits": .closed([
      "per_second": .integer(1...1_000_000).optional,
      "holdout": .oneOf(["obey", "ignore"]).optional,
      "quiet": LimitSchemas.quiet("obey").optional,
      "caps": LimitSchemas.caps("obey").optional, "counts": LimitSchemas.counts.optional,
    ]),
    "ListedCampaign": .object(members),
    "Campaign": .object(
      members + [
        ("to", .any), ("when", Schema.any.optional), ("variants", Schema.any.optional),
        ("steps", Schema.any.optional),
        ("test", Schema.any.optional), ("goals", Schema.any.optional),
        ("limits", Schema.any.optional), ("utm", Schema.any.optional),
      ]),
    "ListedRun": .object(runMembers),
    "Run": .object(
      runMembers + [
        ("decide_at", .time.nullable),
        (
          "devices",
          .object([
            "selected": .count, "control": .count, "held_out": .count, "rest": .count,
            "missed": .count.described("devices whose local time was over when the run began"),
            "quiet": .count.described("devices that get nothing in their quiet hours"),
            "capped": .count.described("devices that had got as many pushes as the app allows"),
          ])
        ),
        ("variants", .array(.named("VariantReport"))),
        ("comparison", Schema.named("VariantComparison").nullable),
        (
          "split",
          Schema.object(["p_value": .number(0...1), "as_planned": .boolean]).described(
            "whether the devices were divided as the shares say")
        ),
        ("goals", .array(.named("GoalReport"))),
        (
          "decision",
          Schema.object([
            "variant": .string.nullable,
            "by": .string.described("clock, or the id of the key that decided"),
            "significant": .boolean, "at": .time, "comparison": .named("VariantComparison"),
          ]).nullable
        ),
      ]),
    "VariantReport": .object([
      "key": .string, "name": .string.nullable, "share": .integer,
      "notifications": .array(.object(["id": .string, "phase": .string, "state": .string])),
      "messages": .array(.object(["id": .string, "phase": .string, "unpublish_at": .time])),
      "targeted": .count, "sent": .count, "rejected": .count,
      "quiet": LimitSchemas.quietCount, "capped": LimitSchemas.cappedCount, "uninstalled": .count,
      "delivered": .count, "displayed": .count,
      "listed": .count.described("devices whose inbox has listed an in-app message"),
      "shown_in_app": .count.described("devices that have shown it over the app"),
      "opens": .named("Rate"),
    ]),
    "Rate": .object([
      "count": .count, "of": .count, "rate": .number(0...1), "low": .number(0...1),
      "high": .number(0...1),
    ]).described("a rate with Wilson's interval at 95 %"),
    "VariantComparison": .object([
      "variants": .array(.object(["key": .string, "result": .named("Rate")])),
      "best": .string.nullable,
      "winner": .string.nullable.described(
        "the best variant, where it is better than every other by more than chance"),
      "p_value": .number(0...1).described("Pearson's χ² of all variants"),
      "pairs": .array(.object(["key": .string, "p_value": .number(0...1)])).described(
        "the best variant against each other: two-proportion z tests with Holm's correction"),
    ]),
    "GoalReport": .object([
      "event": .string, "until": .time, "measured_at": .time.nullable,
      "variants": .array(
        .object([
          "key": .string, "result": .named("Rate"),
          "uplift": Schema.object([
            "difference": .number, "low": .number, "high": .number, "relative": .number.nullable,
            "p_value": .number(0...1),
          ]).described("the difference from the control, with Newcombe's interval at 95 %")
            .optional,
        ])),
      "control": Schema.named("Rate").nullable,
    ]),
    "Limits": .object([
      "holdout": Schema.object(["percent": .integer(1...15), "since": .time]).nullable,
      "quiet": Schema.named("QuietHours").nullable, "caps": .array(.named("FrequencyCap")),
      "approval": LimitSchemas.approval,
      "version": .string.described("changes with each of them"),
    ]),
  ]

  private static let utm = Schema.string(
    1...LinkParameters.valueLimit, pattern: "^[^{]*$"
  ).optional

  private static let variants = Schema.array(
    .named("NewVariant"), 1...(CampaignPlan.variantLimit + 1)
  ).described("shares together are 100; the variant \"control\" has no payload")

  static let states = ["draft", "live", "paused", "ended", "discarded"]
  private static let state = Schema.oneOf(states)

  private static let day = Schema.string(10...10, pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")

  /// A duration in ISO 8601, as ``BodyValue/duration(in:_:)`` reads it.
  static let duration = Schema.string(
    3...32, pattern: "^P([0-9]+W)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+S)?)?$")

  private static let members: [(key: String, value: Schema)] = [
    ("id", .string), ("name", .string), ("labels", .array(.string)),
    ("kind", .oneOf(["once", "recurring", "triggered"])),
    ("state", state), ("version", .integer), ("created_at", .time), ("updated_at", .time),
    (
      "approval",
      Schema.object([
        "state": .oneOf(["submitted", "approved", "rejected", "outdated"]).described(
          "outdated where the campaign was changed since"),
        "version": .integer, "submitted_by": .string.described("the id of a key or a person"),
        "submitted_at": .time, "decided_by": .string.nullable, "decided_at": .time.nullable,
        "note": .string.nullable,
      ]).nullable
    ),
  ]

  private static let runMembers: [(key: String, value: Schema)] = [
    ("id", .string), ("campaign", .string), ("number", .integer), ("version", .integer),
    (
      "state",
      .oneOf(["planned", "testing", "deciding", "rolling", "settled", "skipped", "canceled"])
    ),
    ("day", day.nullable.described("the day of a recurring campaign that the run is for")),
    ("planned_at", .time), ("started_at", .time.nullable), ("settled_at", .time.nullable),
    ("reason", .string.nullable),
  ]
}
