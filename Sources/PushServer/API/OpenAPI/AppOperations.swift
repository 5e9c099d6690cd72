import PushPayload

extension Operation {
  static let listApps = Operation(
    id: "listApps", summary: "The apps of this server.",
    answer: .object(["apps": .array(.named("App"))]))

  static let createApp = Operation(
    id: "createApp", summary: "Stores an app with its APNs key, and makes a key for each role.",
    body: .open(["app": .named("NewApp")]), status: 201, answer: .named("CreatedApp"),
    refusals: [409], links: Link.to([changeApp, listKeys, createKey, deleteApp], "app", "/id"))

  static let changeApp = Operation(
    id: "changeApp",
    summary: "Changes what the body names; a key that Apple refuses changes nothing.",
    body: .open(["app": .named("AppChange")]),
    answer: .object(["app": .named("App"), "note": .string.nullable]))

  static let listKeys = Operation(
    id: "listKeys", summary: "An app's keys, without the keys themselves.",
    answer: .object(["keys": .array(.named("Key"))]))

  static let createKey = Operation(
    id: "createKey", summary: "Makes a key, which is shown this once.",
    body: .open(["key": .named("NewKey")]), status: 201,
    answer: .object(["key": .named("CreatedKey")]),
    links: Link.to([revokeKey], "key_id", "/key/id", with: ["app": "$request.path.app"]))

  static let deleteApp = Operation(
    id: "deleteApp", summary: "Removes an app and all that is its own, for good.",
    answer: .object(["app": .named("App")]))

  static let revokeKey = Operation(
    id: "revokeKey", summary: "From here on the key opens nothing.",
    answer: .object(["key": .named("Key")]))

  static let listWebhooks = Operation(
    id: "listWebhooks", summary: "The webhooks, without their secrets.",
    answer: .object(["webhooks": .array(.named("Webhook"))]))

  static let createWebhook = Operation(
    id: "createWebhook",
    summary: "Makes a webhook; the secret that signs its calls is shown this once.",
    body: .open([
      "webhook": .open([
        "url": .string(1...2048).example("https://example.com/martlet"),
        "events": .array(.oneOf(WebhookEvent.all), 1...WebhookEvent.all.count),
      ])
    ]), status: 201, answer: .object(["webhook": .named("CreatedWebhook")]), refusals: [409],
    links: Link.to([deleteWebhook], "webhook_id", "/webhook/id"))

  static let deleteWebhook = Operation(
    id: "deleteWebhook", summary: "Removes a webhook and what it was still to be told.",
    answer: .object(["webhook": .named("Webhook")]))

  static let readAudit = Operation(
    id: "readAudit", summary: "Who did what, the newest first.",
    parameters: [.query("app", .string), cursor],
    answer: .object([
      "entries": .array(
        .object([
          "action": .string, "object": .string.nullable, "key_id": .string.nullable,
          "address": .string.nullable, "at": .time,
        ])),
      "meta": .named("Page"),
    ]), refusals: [404])

  static let health = Operation(
    id: "health", summary: "Whether the process answers.", answer: .named("Status"))
  static let readiness = Operation(
    id: "readiness", summary: "Whether the store answers too.", answer: .named("Status"))
  static let metrics = Operation(
    id: "metrics", summary: "Numbers for Prometheus.", answer: .string, answerType: "text/plain")
  static let openAPI = Operation(
    id: "openapi", summary: "This document.", answer: Schema(["type": "object"]))
}

/// What apps and keys look like on the wire.
enum AppSchemas {
  static let all: [String: Schema] = [
    "Error": .object(["error": .string.described("text a caller can act on")]),
    "Status": .object(["status": Schema(["const": "ok"])]),
    "App": .object([
      "id": .string, "name": .string, "bundle_id": .string, "team_id": .string,
      "key_id": .string, "throttle_per_second": .count.nullable, "created_at": .time,
    ]),
    "AppChange": .open([
      "name": .string(1...100).optional, "bundle_id": plain(155).optional,
      "team_id": plain(32).optional, "key_id": plain(32).optional,
      "private_key": .string.described("the .p8 file's text").optional,
      "throttle_per_second": .integer(1...1_000_000).optional,
      "verify": .boolean.described("whether Apple is asked first; true where absent").optional,
    ]),
    "NewApp": .open([
      "bundle_id": plain(155), "team_id": plain(32), "key_id": plain(32),
      "private_key": .string.described("the .p8 file's text"), "name": .string(1...100).optional,
      "verify": .boolean.described("whether Apple is asked first; false where absent").optional,
    ]),
    "CreatedApp": .object([
      "id": .string,
      "keys": .object(["push": .string, "analytics": .string, "device": .string, "admin": .string]),
    ]),
    "Webhook": .object(webhook),
    "CreatedWebhook": .object(webhook + [("secret", .string)]),
    "Key": .object(key),
    "CreatedKey": .object([
      "id": .string, "role": .named("Role"), "created_at": .time,
      "allow": .array(.string).optional, "per_second": .count.optional, "key": .string,
    ]),
    "NewKey": .open([
      "role": .oneOf(["push", "analytics", "device", "admin"]),
      "allow": .array(.string, 0...100).optional,
      "per_second": .integer(1...10_000).optional,
    ]),
    "Role": .oneOf(["push", "analytics", "device", "admin", "server"]),
  ]

  /// What Apple's ids are written with.
  private static func plain(_ limit: Int) -> Schema {
    .string(1...limit, pattern: "^[A-Za-z0-9.-]{1,\(limit)}$")
  }

  private static let webhook: [(key: String, value: Schema)] = [
    ("id", .string), ("url", .string), ("events", .array(.string)), ("created_at", .time),
  ]

  private static let key: KeyValuePairs<String, Schema> = [
    "id": .string, "role": .named("Role"), "created_at": .time,
    "allow": .array(.string).optional, "per_second": .count.optional,
  ]
}

extension OpenAPIDocument {
  /// All schemas, by name.
  static let schemas: [String: Schema] =
    [
      NotificationSchemas.all, TargetSchemas.all, DeviceSchemas.all, AudienceSchemas.all,
      MessageSchemas.all,
      AppSchemas.all,
    ]
    .reduce(into: [:]) { all, more in all.merge(more) { $1 } }
}
