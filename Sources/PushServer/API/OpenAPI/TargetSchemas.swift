import PushPayload

/// The schemas of targets and filters; each variant has a name, which generators of clients use.
enum TargetSchemas {
  static let all: [String: Schema] = [
    "Target": .one(of: [
      .string(1...64, pattern: #"^(\*|[0-9a-f]{24})$"#)
        .described("* for every device, or an audience's id"),
      .named("AudienceTarget"), .named("UserTarget"),
      .named("ChoiceTarget"),
      .array(.named("Filter"), 1...100).described("filters, all of which must match"),
    ]),
    "ChoiceTarget": .closed([
      "all": .array(.named("Filter"), 0...100).described("filters, all of which must match")
        .optional,
      "any": .array(part, 1...TargetParts.limit)
        .described("the parts of which a device is in at least one").optional,
      "except": .array(part, 0...TargetParts.limit)
        .described("the parts whose devices are left out").optional,
    ]).nonEmpty.described("devices that match all filters, one of any, and none of except"),
    "ReceivedTarget": .closed([
      "received": .string(1...64, pattern: "^[0-9a-f]{24}$").described(
        "the id of a notification, of a campaign or of its run; the devices for which APNs accepted it"
      ),
      "opened": .boolean.described("keeps the devices that opened it, or those that did not")
        .optional,
    ]),
    "AudienceTarget": .closed(["audience": .string(1...64, pattern: "^[0-9a-f]{24}$")]),
    "UserTarget": .closed(["user_ids": .array(.string, 1...10_000)]),
    "TransactionalFilter": filter("device_id|sid|user_id|user_email", .string)
      .example(["name": "user_id", "criteria": ["ada"]]),
    "Filter": .one(of: filters.map { .named($0.name) }),
    "IntegerRange": range(of: .integer), "NumberRange": range(of: .number),
    "DateRange": range(of: dateBound), "VersionRange": range(of: version),
    "Circle": .object([
      "lat": .number(-90...90), "lng": .number(-180...180),
      "radius": .number(0...20_100_000).described("in metres"),
    ]),
  ].merging(filters.map { ($0.name, $0.schema) }) { $1 }

  /// A part of `any` and `except`; it has no name, for a generator names what is in it by its use.
  private static let part = Schema.one(of: [
    .string(1...64, pattern: "^[0-9a-f]{24}$").described("an audience's id"),
    .array(.named("Filter"), 1...100).described("filters, all of which must match"),
    .named("ReceivedTarget"),
  ])

  private static let filters: [(name: String, schema: Schema)] = [
    (
      "TextFilter",
      filter(
        "tags|user_id|user_email|sid|device_id|locale|time_zone|country|city|platform|os_name|"
          + custom("string"), .string
      ).example(["name": "custom.string.favourite team", "criteria": ["red", "blue"]])
    ),
    (
      "BooleanFilter",
      filter("development|push_enabled|push_quiet|" + custom("boolean"), .boolean)
        .example(["name": "push_enabled", "criteria": [true]])
    ),
    (
      "IntegerFilter",
      filter(
        "badge|events\\.\(name)|" + custom("integer"), .one(of: [.integer, .named("IntegerRange")])
      )
      .example(["name": "events.video_plays", "criteria": [["gt": 10]]])
    ),
    (
      "NumberFilter",
      filter(custom("float"), .one(of: [.number, .named("NumberRange")]))
        .example(["name": "custom.float.score", "criteria": [["gte": 0.5, "lt": 1]]])
    ),
    (
      "DateFilter",
      filter(
        "created_at|registered_at|last_opened|" + custom("date"),
        .one(of: [.date, .named("DateRange")])
      ).example(["name": "last_opened", "criteria": [["lt": "-7d"]], "not_filter": true])
    ),
    (
      "VersionFilter",
      filter("os_version|app_version|sdk_version", .one(of: [version, .named("VersionRange")]))
        .example(["name": "os_version", "criteria": [["gte": "17.1"]]])
    ),
    (
      "LocationFilter",
      filter("location", .named("Circle"))
        .example([
          "name": "location", "criteria": [["lat": 52.52, "lng": 13.405, "radius": 5000]],
        ])
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

  private static func range(of value: Schema) -> Schema {
    Schema.object([
      "gt": value.optional, "gte": value.optional, "lt": value.optional, "lte": value.optional,
    ]).nonEmpty
  }
}
