import PushModel
import PushPayload

extension Operation {
  static let listTemplates = Operation(
    id: "listTemplates",
    summary: "Lists the templates by name, each with its newest version, 100 in a page.",
    parameters: [
      cursor,
      .query(
        "q",
        .string(0...RequestContext.queryLimit).described("a part of the name, in any case")),
    ],
    answer: .object(["templates": .array(.named("ListedTemplate")), "meta": .named("Page")]),
    refusals: [404])

  static let readTemplate = Operation(
    id: "readTemplate",
    summary: "The newest version of a template; the ETag is its version, for If-Match.",
    answer: template)

  static let saveTemplate = Operation(
    id: "saveTemplate",
    summary: "Saves the next version of a template, or the first one.",
    parameters: [
      .header(
        "If-Match",
        Schema.string(3...11, pattern: "^\"[0-9]{1,9}\"$").described(
          "the ETag of the version that is replaced; another newest one is refused with 412")),
      .header(
        "If-None-Match",
        Schema.oneOf(["*"]).described("refuses with 412 where there is such a template")),
    ],
    body: .closed([
      "template": .closed(["payload": .named("Payload"), "force": NotificationSchemas.force])
    ]),
    example: ["template": ["payload": ["title": "Welcome", "alert": "Good to have you here."]]],
    answer: template, refusals: [409, 412],
    links: Link.to(
      [readTemplate, listTemplateVersions, deleteTemplate], parameter: "template",
      pointer: "/template/name"))

  static let deleteTemplate = Operation(
    id: "deleteTemplate",
    summary: "Removes a template from the list; its versions stay readable.",
    parameters: [
      .header(
        "If-Match",
        Schema.string(3...11, pattern: "^\"[0-9]{1,9}\"$").described(
          "the ETag of the version that is known; another newest one is refused with 412"))
    ],
    answer: template, refusals: [412])

  static let listTemplateVersions = Operation(
    id: "listTemplateVersions",
    summary: "Lists the versions of a template, the newest first, 100 in a page.",
    parameters: [cursor],
    answer: .object([
      "versions": .array(.named("ListedTemplate")), "meta": .object(["cursor": .string.nullable]),
    ]))

  static let readTemplateVersion = Operation(
    id: "readTemplateVersion",
    summary: "A version of a template, also of one that was deleted.", answer: template)

  private static let template = Schema.object(["template": .named("Template")])
}

/// The schemas of templates.
enum TemplateSchemas {
  static let all: [String: Schema] = [
    "ListedTemplate": .object(members),
    "Template": .object(members + [("payload", .any)]),
  ]

  private static let members: [(key: String, value: Schema)] = [
    ("name", .string), ("version", .integer), ("saved_at", .time),
    ("saved_by", Schema.string.described("the id of a key or a person").nullable),
  ]
}
