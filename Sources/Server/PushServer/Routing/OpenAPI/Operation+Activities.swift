import PushModel
import PushPayload

extension Operation {
  static let registerStartToken = Operation(
    id: "registerStartToken",
    summary: "Registers a device's push-to-start token for a type of Live Activities.",
    body: .closed(["token": ActivitySchemas.token]), status: 204, refusals: [451])

  static let removeStartToken = Operation(
    id: "removeStartToken",
    summary: "Removes a device's push-to-start token; with a body, only if it is this token.",
    body: only, isBodyOptional: true, status: 204, refusals: [451])

  static let registerActivityToken = Operation(
    id: "registerActivityToken",
    summary: "Registers a device's token for updates of a Live Activity, in place of an older one.",
    body: .closed(["token": ActivitySchemas.token, "type": .named("ActivityType")]), status: 204,
    refusals: [451])

  static let removeActivityToken = Operation(
    id: "removeActivityToken",
    summary: "Removes a device's token of a Live Activity; with a body, only if it is this token.",
    body: only, isBodyOptional: true, status: 204, refusals: [451])

  private static let only = Schema.closed(["token": ActivitySchemas.token.optional])

  static let createActivityPush = Operation(
    id: "createActivityPush",
    summary: "Starts, updates or ends a Live Activity; it is stored durably when this answers.",
    parameters: [idempotencyKey],
    body: .closed(["activity": .named("NewActivityPush")]),
    example: [
      "activity": [
        "event": "start", "type": "OrderAttributes", "devices": ["phone-1"],
        "attributes": ["number": 7], "content_state": ["status": "cooking"],
        "alert": ["title": "Your order", "body": "The kitchen has begun"],
      ]
    ], status: 201, answer: .object(["notification": .named("ActivityPush")]),
    refusals: [404, 409],
    links: Link.to(
      [readNotification, cancelNotification, listOutcomes, reportNotification],
      parameter: "notification_id", pointer: "/notification/id"))

  static let readActivity = Operation(
    id: "readActivity",
    summary: "A Live Activity: its phones, its last push, and the counts of all of its pushes.",
    answer: .object(["activity": .named("Activity")]))

  static let keepActivity = Operation(
    id: "keepActivity",
    summary: "Keeps a Live Activity: the server sends, renews and ends it until it is over.",
    body: .closed(["activity": .named("KeptActivityChange")]),
    example: [
      "activity": [
        "type": "OrderAttributes", "devices": ["phone-1"], "attributes": ["number": 7],
        "content_state": ["status": "cooking"],
        "alert": ["title": "Your order", "body": "The kitchen has begun"],
      ]
    ], answer: .object(["activity": .named("Activity")]), refusals: [404, 409])

  static let followActivity = Operation(
    id: "followActivity",
    summary: "Shows a kept Live Activity on a device; the answer says who begins it.",
    answer: .object([
      "channel_id": .string.nullable.described(
        "the channel on which the app begins the activity; null if the server starts it by a push")
    ]), refusals: [451])

  static let unfollowActivity = Operation(
    id: "unfollowActivity", summary: "Ends a kept Live Activity on a device, and shows it no more.",
    status: 204, refusals: [451])

  static let listChannels = Operation(
    id: "listChannels",
    summary: "Lists an app's broadcast channels, the newest first, 500 in a page.",
    parameters: [cursor],
    answer: .object(["channels": .array(.named("Channel")), "meta": .named("Page")]),
    refusals: [404])

  static let createChannel = Operation(
    id: "createChannel",
    summary: "Creates a broadcast channel at Apple, on which one push updates every activity.",
    body: .closed([
      "channel": .closed([
        "storage": .oneOf(Channel.Storage.allCases.map(\.rawValue)).described(
          "what Apple keeps for phones that are offline; it cannot be changed"),
        "development": .boolean.described(
          "whether the channel is of Apple's development environment; default false"
        ).optional,
      ])
    ]), status: 201, answer: .object(["channel": .named("Channel")]), refusals: [409],
    links: Link.to(
      [deleteChannel], parameter: "channel_id", pointer: "/channel/id",
      with: ["app": "$request.path.app"]))

  static let deleteChannel = Operation(
    id: "deleteChannel",
    summary: "Deletes a broadcast channel at Apple; its id in the path is percent-encoded.",
    answer: .object(["channel": .named("Channel")]), refusals: [409])
}

/// The schemas of Live Activities and channels.
enum ActivitySchemas {
  static let token = Schema.string(2...400, pattern: "^([0-9A-Fa-f]{2}){1,200}$")
    .described("the push token in hexadecimal")

  static let all: [String: Schema] = [
    "ActivityID": .string(1...64, pattern: ActivityID.pattern),
    "ActivityType": .string(1...128, pattern: ActivityID.typePattern).described(
      "the name of the ActivityAttributes type"),
    "NewActivityPush": .one(of: [
      .named("ActivityStart"), .named("ActivityUpdate"), .named("ActivityEnd"),
    ]),
    "ActivityStart": .closed([
      "event": .constant("start"), "type": .named("ActivityType"),
      "attributes": object.described(
        "decodes to the type; the server adds martlet: {activity_id} to it"),
      "content_state": state, "alert": .named("ActivityAlert"),
      "devices": .array(.named("DeviceID"), 1...NewActivityPush.deviceLimit).described(
        "the devices; a start has devices or targets"
      ).optional,
      "targets": .named("Target").optional,
      "channel_id": channel.described("the channel that the new activity follows").optional,
      "timestamp": timestamp, "stale_date": staleDate, "relevance_score": score,
      "priority": priority,
    ]),
    "ActivityUpdate": .closed([
      "event": .constant("update"), "content_state": state,
      "alert": .named("ActivityAlert").optional, "channel_id": broadcast, "timestamp": timestamp,
      "stale_date": staleDate, "relevance_score": score, "priority": priority,
    ]),
    "ActivityEnd": .closed([
      "event": .constant("end"), "content_state": state.optional,
      "alert": .named("ActivityAlert").optional, "channel_id": broadcast, "timestamp": timestamp,
      "stale_date": staleDate,
      "dismissal_date": date.described(
        "when the activity leaves the lock screen; one in the past removes it at once"
      ).optional,
      "relevance_score": score, "priority": priority,
    ]),
    "ActivityAlert": .closed([
      "title": .named("ActivityText"), "body": .named("ActivityText").optional,
      "sound": .string.optional,
    ]),
    "ActivityText": .one(of: [.string(1...4096), .named("LocalizationKey")]),
    "ActivityPush": .object([
      "id": .string.described("a notification's id, for the routes that take one"),
      "activity_id": .named("ActivityID"), "event": event,
      "timestamp": .integer.described("UNIX seconds, as phones get it"),
      "state": .oneOf([
        "scheduled", "sending", "pausing", "paused", "complete", "canceled", "failed",
      ]), "class": NotificationSchemas.sendClass,
      "created_at": .time, "started_at": .time.nullable, "completed_at": .time.nullable,
      "counts": .named("Counts"),
      "reason": .string.described("why the push failed, or why the server paused it").optional,
    ]),
    "KeptActivityChange": .closed([
      "type": .named("ActivityType").optional,
      "attributes": object.described(
        "decodes to the type; without it the server starts the activity on no phone"
      ).optional,
      "content_state": state.optional, "alert": .named("ActivityAlert").optional,
      "devices": .array(.named("DeviceID"), 1...NewActivityPush.deviceLimit).optional,
      "targets": .named("Target").optional, "relevance_score": score,
      "priority": Schema(["type": "integer", "enum": [5, 10]]).described(
        "10, the default, sends with 10 as long as the phone's budget allows"
      ).optional,
      "stale_after": .string.described(
        "an ISO 8601 duration after each push, at which the content is outdated"
      ).optional,
      "heartbeat": .string.described(
        "an ISO 8601 duration, the longest time between two pushes to a phone"
      ).nullable.optional,
      "urgent_per_hour": .integer(1...KeptActivityChange.urgentLimit).described(
        "the most pushes with priority 10 to a phone in an hour; default 10"
      ).optional,
      "renew": .boolean.described(
        "whether the activity is started again before eight hours; default true"
      ).optional,
      "channel": .named("KeptChannel").optional,
      "followers": .oneOf(ActivityFollowers.allCases.map(\.rawValue)).described(
        "named: only devices that devices or targets have named may follow; default anyone, cannot change"
      ).optional,
      "ended": .boolean.described("true ends the activity").optional,
      "dismissal_date": date.described("when an ended activity leaves the lock screen").optional,
    ]),
    "KeptChannel": .closed([
      "above": .integer(0...Int64(KeptChannelRule.phoneLimit)).described(
        "the number of phones above which a channel is taken; default 1000"
      ).optional,
      "storage": .oneOf(Channel.Storage.allCases.map(\.rawValue)).optional,
      "development": .boolean.optional,
    ]),
    "KeptActivity": .object([
      "state": .oneOf(["running", "ending", "finished"]), "revision": .count,
      "phones": .map(of: .count).described("the phones by the keeper's stage"),
      "channel_id": .string.nullable, "created_at": .time,
    ]),
    "Activity": .object([
      "id": .named("ActivityID"), "type": .string.nullable,
      "kept": .named("KeptActivity").nullable,
      "phones": .count.described("the devices with a token of the activity"),
      "last_event": event.nullable, "last_timestamp": .integer.nullable,
      "created_at": .time.nullable, "updated_at": .time.nullable,
      "counts": .named("ActivityCounts"),
      "failures": .map(of: .count).described("the number of failed pushes by reason"),
      "last_hour": .named("ActivityHour"),
    ]),
    "ActivityCounts": .object([
      "targeted": .count, "sent": .count, "failed": .count,
      "tokens_removed": .count.described("tokens of phones that ended, or that Apple refused"),
    ]),
    "ActivityHour": .object([
      "pushes": .count,
      "urgent": .count.described("with priority 10, which counts against each phone's budget"),
    ]),
    "Channel": .object([
      "id": .string.described("Apple's id, in base64"),
      "storage": .oneOf(Channel.Storage.allCases.map(\.rawValue)), "development": .boolean,
      "created_at": .time,
    ]),
  ]

  private static let object = Schema(["type": "object"]).extensible
  private static let state = object.described("decodes to the type's ContentState")
  private static let event = Schema.oneOf(ActivityPush.Event.allCases.map(\.rawValue))
  private static let channel = Schema.string(1...255)
  private static let broadcast = channel.described("sends to the channel in place of the tokens")
    .optional
  private static let date = Schema.one(of: [.integer(ActivityPayload.seconds), .date])
  private static let timestamp = date.described(
    "the time of sending in UNIX seconds or ISO 8601; default now, or a second after the last push"
  ).optional
  private static let staleDate = date.described("when the content is outdated").optional
  private static let score = Schema.number.described(
    "the rank among the app's activities; the highest comes first"
  ).optional
  private static let priority = Schema(["type": "integer", "enum": [5, 10]]).described(
    "default 10, which counts against the phone's budget; 5 does not"
  ).optional
}
