import PushPayload

/// The schemas of targets and filters, whose variants have names for client generators.
enum TargetSchemas {
  static let all: [String: Schema] = [
    "Target": .one(of: [
      .string(1...64, pattern: #"^(\*|[0-9a-f]{24})$"#)
        .described("* for every device, or an audience's id"),
      .named("TargetObject"),
      .array(.named("Filter"), 1...100).described("filters, all of which must match"),
    ]),
    "TargetObject": Schema.closed([
      "audience": .string(1...64, pattern: "^[0-9a-f]{24}$").described(
        "the id of an audience, without other members"
      ).optional,
      "user_ids": .array(.string, 1...Target.userLimit).described(
        "the devices of these users, without other members"
      ).optional,
      "all": .array(.named("Filter"), 0...100).described("filters, all of which must match")
        .optional,
      "any": .array(part, 1...TargetParts.limit)
        .described("the parts of which a device is in at least one").optional,
      "except": .array(part, 0...TargetParts.limit)
        .described("the parts whose devices are left out").optional,
    ]).withValue.alone(["audience", "user_ids"]).described(
      "an audience, the devices of users, or those that match all filters, one of any, and none of except"
    ),
    "ReceivedTarget": .closed([
      "received": .string(1...64, pattern: "^[0-9a-f]{24}$").described(
        "the id of a notification, of a campaign or of its run; the devices for which APNs accepted it"
      ),
      "opened": .boolean.described("keeps the devices that opened it, or those that did not")
        .optional,
    ]),
    "TransactionalFilter": filter("device_id|sid|user_id|user_email", .string)
      .example(["name": "user_id", "criteria": ["ada"]]),
    "Filter": filter(kinds.map(\.names).joined(separator: "|"), .any)
      .elements(
        of: "criteria", by: "name",
        kinds.map {
          (pattern: "^(\($0.names))$", schema: .one(of: [$0.criterion, .named("AnyValue")]))
        }
      )
      .examples(kinds.map(\.example)).described("the type of the criteria follows from the name"),
    "AnyValue": Schema.closed(["exists": Schema(["type": "boolean", "const": true])]).described(
      "any value, `{\"exists\": true}`; with not_filter, the devices without one"),
    "IntegerRange": range(of: .integer), "NumberRange": range(of: .number),
    "DateRange": range(of: dateBound), "VersionRange": range(of: version),
    "Circle": .object([
      "lat": .number(-90...90), "lng": .number(-180...180),
      "radius": .number(0...20_100_000).described("in metres"),
    ]),
  ]

  /// A part of `any` and `except`, without a name because generators name its contents by their use.
  private static let part = Schema.one(of: [
    .string(1...64, pattern: "^[0-9a-f]{24}$").described("an audience's id"),
    .array(.named("Filter"), 1...100).described("filters, all of which must match"),
    .named("ReceivedTarget"),
  ])

  /// The names of filters as a pattern, by the type of their criteria, each with an example of a filter.
  private static let kinds: [(names: String, criterion: Schema, example: JSONValue)] = [
    (
      "tags|user_id|user_email|sid|device_id|locale|country|city|platform|os_name|"
        + custom("string"), .string,
      ["name": "custom.string.favourite team", "criteria": ["red", "blue"]]
    ),
    (
      "time_zone", .string(1...DeviceTimeZone.lengthLimit).described(DeviceTimeZone.form),
      ["name": "time_zone", "criteria": ["Europe/Berlin"]]
    ),
    (
      "development|push_enabled|push_quiet|" + custom("boolean"), .boolean,
      ["name": "push_enabled", "criteria": [true]]
    ),
    (
      "badge|events\\.\(name)|" + custom("integer"),
      .one(of: [.integer, .named("IntegerRange")]),
      ["name": "events.video_plays", "criteria": [["gt": 10]]]
    ),
    (
      custom("float"), .one(of: [.number, .named("NumberRange")]),
      ["name": "custom.float.score", "criteria": [["gte": 0.5, "lt": 1]]]
    ),
    (
      "created_at|registered_at|last_opened|" + custom("date"),
      .one(of: [.date, .named("DateRange")]),
      ["name": "last_opened", "criteria": [["lt": "-7d"]], "not_filter": true]
    ),
    (
      "os_version|app_version|sdk_version", .one(of: [version, .named("VersionRange")]),
      ["name": "os_version", "criteria": [["gte": "17.1"]]]
    ),
    (
      "location", .named("Circle"),
      ["name": "location", "criteria": [["lat": 52.52, "lng": 13.405, "radius": 5000]]]
    ),
  ]

  /// The pattern of the name of an attribute or event.
  private static let name = #"[^"\\\x00-\x1f]{1,255}"#
  private static let version = Schema.string(1...255, pattern: "^[0-9]")
  private static let dateBound = Schema.string(
    2...40,
    pattern: "^(\(Schema.datePattern)|[+-][0-9]{1,5}[mhdw]|[0-9]{1,5} (minute|hour|day|week)s? ago"
      + "|in [0-9]{1,5} (minute|hour|day|week)s?|now)$"
  ).described("a date, or one relative to now")

  private static func custom(_ type: String) -> String { "custom\\.\(type)\\.\(name)" }

  private static func filter(_ names: String, _ criterion: Schema) -> Schema {
    .closed([
      "name": Schema(["type": "string", "pattern": .string("^(\(names))$")]),
      "criteria": .array(criterion, 1...1000).described("the values, of which any must match"),
      "not_filter": .boolean.optional,
    ])
  }

  /// A range, whose bounds may be absent, but not `null`.
  private static func range(of value: Schema) -> Schema {
    Schema.object([
      "gt": value.optional, "gte": value.optional, "lt": value.optional, "lte": value.optional,
    ]).nonEmpty
  }
}
