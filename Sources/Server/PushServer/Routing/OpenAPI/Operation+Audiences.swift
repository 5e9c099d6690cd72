import PushPayload

extension Operation {
  static let listAudiences = Operation(
    id: "listAudiences", summary: "Lists the named audiences, the newest first.",
    parameters: [
      .query("per", .integer(1...500).described("the number of audiences of a page; default 50")),
      .query("page", .integer(1...1_000_000).described("the number of the page, from 1")),
    ],
    answer: .object([
      "audiences": .array(.named("ListedAudience")),
      "damaged": .array(.object(["id": .string, "error": .string]))
        .described("those of the page that are not understood; each can be deleted by its id")
        .optional,
    ]))

  static let readAudience = Operation(
    id: "readAudience", summary: "An audience and the number of its devices now.", answer: one)

  static let listAudienceDevices = Operation(
    id: "listAudienceDevices",
    summary:
      "Lists the devices of an audience, also those that no push can reach; the list ends with an empty page.",
    parameters: [cursor],
    answer: .object([
      "meta": .named("EndlessPage"), "devices": .array(.named("Device")),
    ]))

  static let exportAudienceLines = Operation(
    id: "exportAudienceLines",
    summary:
      "Streams all devices of an audience as newline-delimited JSON; the header Martlet-Device-Count has their number.",
    answer: .string.described("a Device in each line"), answerType: DeviceImport.linesType)

  static let exportAudienceTable = Operation(
    id: "exportAudienceTable",
    summary:
      "Streams all devices of an audience as CSV; the header Martlet-Device-Count has their number.",
    answer: .string.described(
      "a line of column names, then a device in each line, whose tags are separated by a |"),
    answerType: "text/csv")

  static let createAudience = Operation(
    id: "createAudience", summary: "Creates a named audience.",
    body: .closed([
      "audience": .closed([
        "name": .string(1...255), "to": .named("Target"), "test": .boolean.optional,
      ])
    ]), status: 201, answer: one, refusals: [404],
    links: Link.to(
      [readAudience, listAudienceDevices, updateAudience, deleteAudience], parameter: "audience_id",
      pointer: "/audience/id"))

  static let updateAudience = Operation(
    id: "updateAudience", summary: "Changes the members of an audience that the body names.",
    body: .closed([
      "audience": .closed([
        "name": .string(1...255).optional, "to": .named("Target").optional,
        "test": .boolean.optional,
      ])
    ]), answer: one, refusals: [409])

  static let deleteAudience = Operation(
    id: "deleteAudience", summary: "Deletes an audience; notifications to it stay.", answer: one,
    refusals: [409])

  static let countAudience = Operation(
    id: "countAudience",
    summary:
      "Counts the devices of a target now: with the app, within reach of a push, and of these quiet ones.",
    body: .closed(["audience": .closed(["to": .named("Target")])]),
    answer: .object([
      "device_count": .count, "targeted": .count, "push_enabled": .count, "quiet": .count,
    ]), refusals: [404])

  private static let one = Schema.object(["audience": .named("Audience")])
}

/// The schemas of audiences.
enum AudienceSchemas {
  static let all: [String: Schema] = [
    "ListedAudience": .object(members), "Audience": .object(members + [("device_count", .count)]),
  ]

  private static let members: [(key: String, value: Schema)] = [
    ("id", .string), ("name", .string.nullable), ("test", .boolean), ("created_at", .time),
    ("updated_at", .time),
  ]
}
