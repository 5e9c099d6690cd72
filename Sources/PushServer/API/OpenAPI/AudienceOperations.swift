import PushPayload

extension Operation {
  static let listAudiences = Operation(
    id: "listAudiences", summary: "The audiences with names, the newest first.",
    parameters: [
      .query("per", .integer(1...500).described("how many a page has; 50 where it is absent")),
      .query("page", .integer(1...1_000_000).described("which page, from 1")),
    ],
    answer: .object(["audiences": .array(.named("ListedAudience"))]))

  static let readAudience = Operation(
    id: "readAudience", summary: "An audience and how many devices it has now.", answer: one)

  static let listAudienceDevices = Operation(
    id: "listAudienceDevices",
    summary:
      "The devices of an audience, those out of a push's reach too; read on until none come.",
    parameters: [cursor],
    answer: .object([
      "meta": .named("EndlessPage"), "devices": .array(.named("Device")),
    ]))

  static let createAudience = Operation(
    id: "createAudience", summary: "Stores an audience.",
    body: .open([
      "audience": .open([
        "name": .string(1...255), "to": .named("Target"), "test": .boolean.optional,
      ])
    ]), status: 201, answer: one, refusals: [404],
    links: Link.to(
      [readAudience, listAudienceDevices, updateAudience, deleteAudience], "audience_id",
      "/audience/id"))

  static let updateAudience = Operation(
    id: "updateAudience", summary: "Changes what is named of an audience.",
    body: .open([
      "audience": .open([
        "name": .string(1...255).optional, "to": .named("Target").optional,
        "test": .boolean.optional,
      ])
    ]), answer: one, refusals: [409])

  static let deleteAudience = Operation(
    id: "deleteAudience", summary: "Removes an audience; sends to it stay.", answer: one,
    refusals: [409])

  static let countAudience = Operation(
    id: "countAudience",
    summary:
      "How many devices a target has now: with the app, reached by a push, of these quietly.",
    body: .open(["audience": .open(["to": .named("Target")])]),
    answer: .object([
      "device_count": .count, "targeted": .count, "push_enabled": .count, "quiet": .count,
    ]), refusals: [404])

  private static let one = Schema.object(["audience": .named("Audience")])
}

/// What audiences look like on the wire.
enum AudienceSchemas {
  static let all: [String: Schema] = [
    "ListedAudience": .object(members), "Audience": .object(members + [("device_count", .count)]),
  ]

  private static let members: [(key: String, value: Schema)] = [
    ("id", .string), ("name", .string.nullable), ("test", .boolean), ("created_at", .time),
    ("updated_at", .time),
  ]
}
