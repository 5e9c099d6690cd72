import PushPayload

/// The schemas of targets and filters.
enum TargetSchemas {
  static let all: [String: Schema] = [
    "Target": .any(of: [
      Schema(["const": "*"]).described("every device"),
      .string(1...64, pattern: "^[0-9a-f]{24}$").described("an audience's id"),
      .closed(["audience": .string(1...64, pattern: "^[0-9a-f]{24}$")]),
      .closed(["user_ids": .array(.string, 1...10_000)]),
      .array(.named("Filter"), 1...100).described("filters, all of which must match"),
    ]),
    "TransactionalFilter": filter("device_id|sid|user_id|user_email", .string)
      .example(["name": "user_id", "criteria": ["ada"]]),
    "Filter": .any(of: [
      filter(
        "tags|user_id|user_email|sid|device_id|locale|time_zone|country|city|platform|os_name|"
          + custom("string"), .string
      ).example(["name": "custom.string.favourite team", "criteria": ["red", "blue"]]),
      filter("development|push_enabled|push_quiet|" + custom("boolean"), .boolean)
        .example(["name": "push_enabled", "criteria": [true]]),
      filter(
        "badge|events\\.\(name)|" + custom("integer"), .any(of: [.integer, range(of: .integer)])
      )
      .example(["name": "events.video_plays", "criteria": [["gt": 10]]]),
      filter(custom("float"), .any(of: [.number, range(of: .number)]))
        .example(["name": "custom.float.score", "criteria": [["gte": 0.5, "lt": 1]]]),
      filter(
        "created_at|registered_at|last_opened|" + custom("date"),
        .any(of: [.date, range(of: .any(of: [.date, relativeDate]))])
      ).example(["name": "last_opened", "criteria": [["lt": "-7d"]], "not_filter": true]),
      filter("os_version|app_version|sdk_version", .any(of: [version, range(of: version)]))
        .example(["name": "os_version", "criteria": [["gte": "17.1"]]]),
      filter("location", .named("Circle"))
        .example([
          "name": "location", "criteria": [["lat": 52.52, "lng": 13.405, "radius": 5000]],
        ]),
    ]),
    "Circle": .object([
      "lat": .number(-90...90), "lng": .number(-180...180),
      "radius": .number(0...20_100_000).described("in metres"),
    ]),
  ]

  /// The pattern of the name of an attribute or event.
  private static let name = #"[^"\\\x00-\x1f]{1,255}"#
  private static let version = Schema.string(1...255, pattern: "^[0-9]")
  private static let relativeDate = Schema.string(
    2...32,
    pattern: "^([+-][0-9]{1,5}[mhdw]|[0-9]{1,5} (minute|hour|day|week)s? ago"
      + "|in [0-9]{1,5} (minute|hour|day|week)s?|now)$"
  ).described("a date relative to now")

  private static func custom(_ type: String) -> String { "custom\\.\(type)\\.\(name)" }

  private static func filter(_ names: String, _ criterion: Schema) -> Schema {
    .open([
      "name": Schema(["type": "string", "pattern": .string("^(\(names))$")]),
      "criteria": .array(criterion, 1...1000).described("the values, of which any must match"),
      "not_filter": .boolean.optional,
    ]).closed
  }

  private static func range(of value: Schema) -> Schema {
    Schema.object([
      "gt": value.optional, "gte": value.optional, "lt": value.optional, "lte": value.optional,
    ]).nonEmpty
  }
}
