import PushModel

/// The schemas of the triggers of campaigns, and of the people whom they enrolled.
enum TriggerSchemas {
  static let all: [String: Schema] = [
    "EventTrigger": .closed(
      [
        (
          "trigger",
          Schema.one(of: [.constant(TriggerRule.call), .named("EventMatch")]).described(
            "the event that enrolls a person, or \"api\" if only the app's server does")
        )
      ] + members),
    "EnterTrigger": .closed(
      [
        (
          "enters",
          Schema.string.described("the id of an audience; a person who enters it is enrolled")
        ),
        (
          "current",
          Schema.boolean.described(
            "whether those who are in the audience at the start are enrolled too"
          ).optional
        ),
      ] + members),
    "LeaveTrigger": .closed(
      [
        (
          "leaves",
          Schema.string.described("the id of an audience; a person who leaves it is enrolled")
        )
      ] + members),
    "EventMatch": .closed([
      "event": .string(1...255),
      "where": .array(
        .closed([
          "name": .string(1...255).described(
            "a member of the event's data, or \"items\", the number of a purchase's items"),
          "criteria": .array(.any, 1...100).described(
            "values, or bounds of a number: {\"gte\": 1}"),
          "not_filter": .boolean.optional,
        ]), 0...TriggerRule.conditionLimit
      ).optional,
    ]),
    "EnrollmentReport": .object([
      "enrolled": .count, "waiting": .count, "done": .count,
      "exited": .map(of: .count).described("by the reason: exited by an event, campaign_ended"),
      "left_out": .map(of: .count).described(
        "by the reason: control, held_out, not_in_audience, unreachable, missed"),
      "steps": .array(
        .object([
          "number": .integer(1...Int64(CampaignPlan.stepLimit)), "run": .string.nullable,
          "waiting": .count,
          "variants": .array(
            .object([
              "key": .string, "name": .string.nullable, "targeted": .count, "sent": .count,
              "rejected": .count, "quiet": LimitSchemas.quietCount,
              "capped": LimitSchemas.cappedCount, "uninstalled": .count, "delivered": .count,
              "displayed": .count,
              "listed": .count.described("devices whose inbox has listed an in-app message"),
              "shown_in_app": .count.described("devices that have shown it over the app"),
              "opens": .named("Rate"),
            ])),
        ])),
    ]),
    "EnrollmentExplanation": .object([
      "device_id": .string, "code": .oneOf(EnrollmentExplanation.Code.allCases.map(\.rawValue)),
      "message": .string, "enrolled_at": .time.nullable,
      "round": .integer(1...Int64.max).nullable, "step": .integer(1...Int64.max).nullable,
      "due_at": .time.nullable, "ended_at": .time.nullable, "notification_id": .string.nullable,
      "message_id": .string.nullable, "variant": .string.nullable,
    ]),
  ]

  /// The members that all triggers have.
  private static let members: [(key: String, value: Schema)] = [
    (
      "after",
      CampaignSchemas.duration.described(
        "the time from entering to the message; without it, at once"
      ).optional
    ),
    (
      "exit_on",
      .array(.named("EventMatch"), 0...TriggerRule.exitLimit).described(
        "events after which a person who waits gets nothing more"
      ).optional
    ),
    (
      "again_after",
      CampaignSchemas.duration.described(
        "how long after the last message a person may enter again, at most 720 days; without it,"
          + " never"
      ).optional
    ),
    (
      "check_at_send",
      .boolean.described(
        "whether the audience is checked before each message; false checks it once, at entry"
      ).optional
    ),
  ]
}
