import PushModel
import PushPayload

extension Operation {
  static let listApps = Operation(
    id: "listApps", summary: "Lists the apps of this server.",
    answer: .object(["apps": .array(.named("App"))]))

  static let createApp = Operation(
    id: "createApp", summary: "Creates an app with its APNs key, and an API key for each role.",
    body: .closed(["app": .named("NewApp")]), status: 201, answer: .named("CreatedApp"),
    refusals: [409],
    links: Link.to(
      [changeApp, listKeys, createKey, listIdentityKeys, createIdentityKey, deleteApp],
      parameter: "app", pointer: "/id"))

  static let changeApp = Operation(
    id: "changeApp",
    summary:
      "Changes the members of an app that the body names; stores nothing if Apple refuses the APNs key.",
    body: .closed(["app": .named("AppChange")]),
    answer: .object(["app": .named("App"), "note": .string.nullable]))

  static let listKeys = Operation(
    id: "listKeys", summary: "Lists an app's API keys, without the keys themselves.",
    answer: .object(["keys": .array(.named("Key"))]))

  static let createKey = Operation(
    id: "createKey",
    summary: "Creates an API key; this answer is the only one that has the key itself.",
    body: .closed(["key": .named("NewKey")]), status: 201,
    answer: .object(["key": .named("CreatedKey")]),
    links: Link.to(
      [revokeKey], parameter: "key_id", pointer: "/key/id", with: ["app": "$request.path.app"]))

  static let deleteApp = Operation(
    id: "deleteApp", summary: "Deletes an app with all of its data, permanently.",
    answer: .object(["app": .named("App")]))

  static let revokeKey = Operation(
    id: "revokeKey", summary: "Revokes an API key, at once.",
    answer: .object(["key": .named("Key")]))

  static let listIdentityKeys = Operation(
    id: "listIdentityKeys", summary: "Lists the public keys that verify an app's user tokens.",
    answer: .object(["identity_keys": .array(.named("IdentityKey"))]))

  static let createIdentityKey = Operation(
    id: "createIdentityKey",
    summary: "Adds a public key that verifies the app's user tokens; an app has at most two.",
    body: .open([
      "identity_key": .open([
        "public_key": .string(1...IdentityKey.maximumBytes).described(
          "a P-256 public key in PEM, which begins with BEGIN PUBLIC KEY"),
        "expires_at": AppSchemas.expiry,
      ])
    ]), status: 201, answer: .object(["identity_key": .named("IdentityKey")]), refusals: [409],
    links: Link.to(
      [deleteIdentityKey], parameter: "key_id", pointer: "/identity_key/id",
      with: ["app": "$request.path.app"]))

  static let deleteIdentityKey = Operation(
    id: "deleteIdentityKey", summary: "Removes an identity key; it verifies no token from then on.",
    answer: .object(["identity_key": .named("IdentityKey")]))

  static let listWebhooks = Operation(
    id: "listWebhooks", summary: "Lists the webhooks, without their secrets.",
    answer: .object(["webhooks": .array(.named("Webhook"))]))

  static let createWebhook = Operation(
    id: "createWebhook",
    summary:
      "Creates a webhook; this answer is the only one that has the secret that signs its calls.",
    body: .closed([
      "webhook": .closed([
        "url": .string(1...2048).example("https://example.com/martlet"),
        "events": .array(.oneOf(WebhookEvent.all), 1...WebhookEvent.all.count),
      ])
    ]), status: 201, answer: .object(["webhook": .named("CreatedWebhook")]), refusals: [409],
    links: Link.to([deleteWebhook], parameter: "webhook_id", pointer: "/webhook/id"))

  static let deleteWebhook = Operation(
    id: "deleteWebhook", summary: "Deletes a webhook and its pending calls.",
    answer: .object(["webhook": .named("Webhook")]))

  static let readAudit = Operation(
    id: "readAudit", summary: "Lists the audit log: who did what, the newest first.",
    parameters: [.query("app", .string), cursor],
    answer: .object([
      "entries": .array(.named("AuditEntry")),
      "meta": .named("Page"),
    ]), refusals: [404])

  static let health = Operation(
    id: "health", summary: "Answers while the process runs.", answer: .named("Health"))
  static let readiness = Operation(
    id: "readiness",
    summary:
      "Answers 200 when the server can take traffic: the store answers, and the audiences are indexed.",
    answer: .named("Health"))
  static let metrics = Operation(
    id: "metrics", summary: "The server's metrics, as Prometheus reads them.", answer: .string,
    answerType: "text/plain")
  static let openAPI = Operation(
    id: "openapi", summary: "This version of the API as an OpenAPI 3.1 document.",
    answer: Schema(["type": "object"]).extensible)
}

/// The schemas of apps, API keys and webhooks.
enum AppSchemas {
  static let all: [String: Schema] = [
    "Error": .object([
      "error": .string.described("what is wrong, where, and what to do"),
      "code": .string(4...11, pattern: "^(key_expired|M[0-9]{3})$").described(
        "key_expired in the 401 of a key that has expired, or the rule of `martlet lint` that a push breaks"
      ).optional,
    ]),
    "Health": .object(["status": .constant("ok")]),
    "App": .object([
      "id": .string, "name": .string, "bundle_id": .string, "team_id": .string,
      "key_id": .string, "identity": identity, "throttle_per_second": .count.nullable,
      "class": NotificationSchemas.sendClass.nullable,
      "created_at": .time,
    ]),
    "AppChange": .closed([
      "name": .string(1...100).optional, "bundle_id": bundleID.optional,
      "team_id": appleID.optional, "key_id": appleID.optional,
      "private_key": .string.described("the text of the .p8 file").optional,
      "throttle_per_second": .integer(1...1_000_000).optional,
      "class": NotificationSchemas.sendClass.nullable.optional,
      "identity": identity.optional,
      "verify": .boolean.described("whether the APNs key is checked with Apple first; default true")
        .optional,
    ]),
    "NewApp": .closed([
      "bundle_id": bundleID, "team_id": appleID, "key_id": appleID,
      "private_key": .string.described("the text of the .p8 file"),
      "name": .string(1...100).optional, "identity": identity.optional,
      "verify": .boolean.described(
        "whether the APNs key is checked with Apple first; default false"
      ).optional,
    ]),
    "AppKeys": .object([
      "push": .string, "analytics": .string, "device": .string, "admin": .string,
    ]),
    "CreatedApp": .object([
      "id": .string,
      "keys": .named("AppKeys"),
    ]),
    "IdentityKey": .object([
      "id": .string, "public_key": .string, "created_at": .time, "expires_at": .time.optional,
    ]),
    "Webhook": .object(webhook),
    "CreatedWebhook": .object(webhook + [("secret", .string)]),
    "Key": .object(key),
    "CreatedKey": .object([
      "id": .string, "role": .named("Role"), "created_at": .time,
      "allow": .array(.string).optional, "per_second": .count.optional,
      "expires_at": .time.optional, "development": .boolean.optional, "name": .string.optional,
      "class": NotificationSchemas.sendClass.optional, "key": .string,
    ]),
    "NewKey": .closed([
      "role": .named("AppRole"),
      "name": .string(1...APIKey.nameLimit).described("what the key is for").optional,
      "allow": .array(.string, 0...100).optional,
      "per_second": .integer(1...10_000).optional, "expires_at": expiry,
      "class": NotificationSchemas.sendClass.optional,
      "development": .boolean.described(
        "for the role device: whether the key may set development, for debug builds; default false"
      ).optional,
    ]),
    "AppRole": .oneOf(["push", "analytics", "device", "admin"]),
    "AuditEntry": .object([
      "action": .string, "object": .string.nullable, "key_id": .string.nullable,
      "account_id": .string.nullable.described("the person who did it in the dashboard"),
      "name": .string.nullable.described(
        "the name of the person or of the key at that time, which they have chosen themselves"),
      "address": .string.nullable.described(
        "null for the command line; an address without a key and a person is of nobody known"),
      "at": .time,
    ]),
    "Role": .oneOf(["push", "analytics", "device", "admin", "server"]),
  ]

  private static let identity = Schema.oneOf(App.Identity.allCases.map(\.rawValue)).described(
    "whether a device key's user needs a user token; default required")

  /// The time at which a new key expires.
  static let expiry = Schema.date.described(
    "the time, in the future, from which the key is refused; without it the key never expires"
  ).example("2100-01-01").optional

  private static let bundleID = Schema.string(1...155, pattern: "^[A-Za-z0-9.-]{1,155}$")
  /// The ID of a team or a key, as Apple assigns it.
  private static let appleID = Schema.string(10...10, pattern: "^[A-Z0-9]{10}$")

  private static let webhook: [(key: String, value: Schema)] = [
    ("id", .string), ("url", .string), ("events", .array(.string)), ("created_at", .time),
  ]

  private static let key: KeyValuePairs<String, Schema> = [
    "id": .string, "role": .named("Role"), "created_at": .time,
    "allow": .array(.string).optional, "per_second": .count.optional,
    "expires_at": .time.optional, "development": .boolean.optional, "name": .string.optional,
    "class": NotificationSchemas.sendClass.optional,
  ]
}

extension OpenAPIDocument {
  /// All schemas, by name.
  static let schemas: [String: Schema] =
    [
      NotificationSchemas.all, TargetSchemas.all, DeviceSchemas.all, AttributeSchemas.all,
      AudienceSchemas.all, MessageSchemas.all, StatSchemas.all, AppSchemas.all,
      ActivitySchemas.all, CampaignSchemas.all, ExplanationSchemas.all, LimitSchemas.all,
      ReloadSchemas.all, TemplateSchemas.all, TriggerSchemas.all,
    ]
    .reduce(into: [:]) { all, more in all.merge(more) { $1 } }
}
