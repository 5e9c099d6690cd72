import PushModel
import PushPayload

extension Operation {
  static let updateDevice = Operation(
    id: "updateDevice",
    summary: "Creates a device or updates it; valid members are stored, and invalid ones dropped.",
    parameters: [userToken],
    body: .open(["device": .named("DeviceUpdate")]),
    answer: .object(["device": .named("UpdatedDevice"), "dropped": .array(.named("DroppedMember"))]
    ),
    refusals: [409, 451],
    links: Link.to(
      [
        readDevice, readInbox, markRead, syncDevice, recordDeviceEvents, eraseDevice,
        deleteDevice, resetDeviceSecret,
      ], parameter: "device_id", pointer: "/device/id"))

  private static let userToken = Parameter.header(
    UserProof.header,
    Schema.string.described(
      "with a device key: a JSON Web Token of the app's server, which proves the user; one that cannot be read proves nothing"
    ))

  static let syncDevice = Operation(
    id: "syncDevice",
    summary:
      "Updates a device and records its events, receipts and read messages in one request.",
    parameters: [userToken],
    body: .open([
      "device": .named("DeviceUpdate").optional,
      "events": .array(.named("Event"), 1...DeviceEvent.listLimit).optional,
      "receipts": .array(.named("Receipt"), 1...Receipt.listLimit).optional,
      "read": .named("ReadMessages").optional,
      "hidden": Operation.inboxIDs.described("messages that are not shown again").optional,
    ]).extensible.described("the parts, each of which is stored as by its own route"),
    answer: .object([
      "dropped": .array(.named("DroppedMember")),
      "unread": Schema.count.nullable.described(
        "the number of unread messages; null without the device's secret"),
      "server_time": .time,
    ]), refusals: [409, 451])

  static let resetDeviceSecret = Operation(
    id: "resetDeviceSecret",
    summary: "Removes a device's own secret; the next one that its app shows becomes its secret.",
    answer: .object(["device": .object(["id": .named("DeviceID")])]), refusals: [451])

  static let readDevice = Operation(
    id: "readDevice", summary: "A device, as the only element of `devices`.",
    answer: .object(["devices": .one(of: [.named("Device"), .named("ErasedDevice")])]))

  static let eraseDevice = Operation(
    id: "eraseDevice", summary: "Erases everything about a device but its id, permanently.",
    answer: .object(["device": .named("ErasedDevice")]))

  static let deleteDevice = Operation(
    id: "deleteDevice", summary: "Erases a device, as `POST /devices/{device_id}/erase` does.",
    answer: .object(["device": .named("ErasedDevice")]))

  static let listUninstalled = Operation(
    id: "listUninstalled",
    summary: "Lists the devices that Apple reported as uninstalled in the last 60 days.",
    parameters: [cursor, from, to],
    answer: .object(["meta": .named("EndlessPage"), "devices": .array(.named("GoneDevice"))]),
    refusals: [404])

  static let recordDeviceEvents = Operation(
    id: "recordDeviceEvents", summary: "Records custom events of a device.",
    body: events, status: 202, answer: partlyStored, refusals: [451], emptyRefusal: 400)

  static let recordUserEvents = Operation(
    id: "recordUserEvents", summary: "Records custom events on every device of a user.",
    body: events, status: 202, answer: partlyStored, emptyRefusal: 400)

  /// The answer to a list whose valid elements are stored.
  static let partlyStored = Schema.object([
    "dropped": .array(.named("DroppedMember"), 1...DeviceEvent.listLimit).described(
      "the elements that are not stored; absent where all are"
    ).optional
  ])

  static let updateUser = Operation(
    id: "updateUser", summary: "Sets custom attributes on every device of a user.",
    body: .open(["user": .open(["custom": newAttributes])]),
    answer: .object(["user": .object(["id": .string, "device_count": .count])]))

  static let attributeName = Schema.string(1...255, pattern: #"^[^"\\\x00-\x1f]+$"#)
  private static let newAttributes = Schema.named(attributeName, .named("NewAttribute"))
  private static let events = Schema.open(["events": .array(.named("Event"), 1...1000)])

  static let importDevices = Operation(
    id: "importDevices",
    summary:
      "Imports devices from CSV or newline-delimited JSON, and lists the first rejected lines.",
    parameters: [.query("app", .string(1...64))],
    texts: [
      "text/csv": .string.example("token,os_name,user_id\n00ff,iOS,ada\n"),
      "application/x-ndjson": .string.example(#"{"push_token":"00ff","user_id":"ada"}"#),
    ],
    answer: .object([
      "accepted": .count,
      "accepted_with_losses": .count.described(
        "how many of the accepted devices lost a part that is not understood"),
      "rejected": .count.described("how many lines are not imported"),
      "lines": .array(.named("RejectedLine"), 0...DeviceImport.Report.lineLimit).described(
        "the first lines that are rejected and, where these are fewer, that lost a part; by line"
      ),
      "skipped": .count.described("how many rows have only separators"),
      "left_without_token": .count.described(
        "how many devices lost their token to a device with an id of the file; no push reaches them"
      ),
    ]), refusals: [404])
}

/// The schemas of devices, events and locations.
enum DeviceSchemas {
  static let all: [String: Schema] = [
    "DeviceID": .string(1...64, pattern: "^[A-Za-z0-9_-]{1,64}$"),
    "DeviceUpdate": .object([
      "user_id": .string(0...255).nullable.optional,
      "user_email": .string(0...255).nullable.optional,
      "push_token": Schema(["type": ["string", "null"], "pattern": "^[!-~]{1,1024}$"])
        .described("an even number of hex digits, or any token where platform is Android").optional,
      "platform": .oneOf(["iOS", "Android"]).optional,
      "push_enabled": .boolean.optional,
      "push_quiet": .boolean.described(
        "whether pushes are delivered quietly, to the notification center only"
      )
      .optional,
      "notification_settings": Schema.named("NewNotificationSettings").nullable.optional,
      "development": .boolean.described(
        "whether the token is of a development build; a device key must be one for development"
      ).optional,
      "badge": .integer(0...2_147_483_647).nullable.optional,
      "tags": .array(.string(1...255), 0...100).optional,
      "locale": .string(0...255).nullable.optional,
      "time_zone": .string(1...DeviceTimeZone.lengthLimit).nullable.described(DeviceTimeZone.form)
        .optional,
      "app_version": .string(0...255).nullable.optional,
      "os_version": .string(0...255).nullable.optional,
      "sdk_version": .string(0...255).nullable.optional,
      "opened": .boolean.described("whether the app was opened just now").optional,
      "location": .named("NewLocation").optional,
      "public_key": Schema(["type": ["string", "null"], "pattern": "^[A-Za-z0-9_-]{87}$"]).optional,
      "auth_secret": Schema(["type": ["string", "null"], "pattern": "^[A-Za-z0-9_-]{22}$"])
        .optional,
      "user_attributes": .map(of: .named("NewAttribute")).optional,
      "id": .named("DeviceID").described("ignored: the path names the device").optional,
    ]).extensible.described(
      "an invalid or unknown member is dropped; where no member is valid, the request is refused"),
    "NewNotificationSettings": .open(settings).described(
      "the app's settings on the phone as iOS tells them; a setting that the phone lacks is left out"
    ),
    "NotificationSettings": .object(settings),
    "DroppedMember": .object([
      "path": .string, "reason": .string.described("what is wrong, and where"),
    ]).described("a member that was not stored"),
    "Event": .open([
      "id": .string(1...64).described("counts once on each device, however often it is sent")
        .optional,
      "name": Operation.attributeName, "date": .date.optional,
      "notification_id": .string.optional,
      "items": .array(.named("PurchasedItem"), 0...100).optional,
      "data": Schema.named("EventData").optional,
    ]),
    "EventData": .map(of: .any).described(
      "what the app says of the event, at most \(Enrollment.dataLimit) bytes of JSON; triggered"
        + " campaigns keep it, and templates have it as event"),
    "PurchasedItem": .open([
      "name": Operation.attributeName, "quantity": .integer(1...1000).optional,
      "price": .integer(0...100_000_000).described(
        "the price of one item, in the smallest unit of the currency"),
    ]),
    "RejectedLine": .object(["line": .count, "error": .string]),
    "UpdatedDevice": .object(
      device(email: "user_email").map { ($0.key, $0.key == "id" ? $0.value : $0.value.optional) }
    ).described("the device; to a device key, which cannot read devices, its id alone"),
    "Device": .object(device(email: "email")),
    "GoneDevice": .object(device(email: "email").filter { $0.key != "push_token" }),
    "ErasedDevice": .object([
      "id": .named("DeviceID"), "user_id": .string.nullable, "email": .string.nullable,
      "push_token": .string.nullable, "platform": .string, "last_opened": .time.nullable,
      "installed_at": .time.nullable, "push_enabled": .boolean,
      "user_attributes": .object([:]), "user_events": .object([:]), "tags": .array(.string),
      "location": .named("Location"), "erased_at": .time,
    ]).described(
      "an erased device, of which all but the id, the platform and the time is null or empty"),
    "Location": .object([
      "gps": .named("Coordinates"), "geoip": .named("Region"),
    ]),
    "Coordinates": .object(["lat": .string.optional, "lng": .string.optional]),
    "Region": .object([
      "lat": .string.nullable, "lng": .string.nullable, "city": .string.nullable,
      "country": .string.nullable,
    ]),
    "NewLocation": .open([
      "gps": .named("NewCoordinates").optional, "geoip": .named("NewRegion").optional,
    ]),
    "NewCoordinates": .open(["lat": degrees(90), "lng": degrees(180)]),
    "NewRegion": .open([
      "city": .string(0...255).optional, "country": .string(0...255).optional,
    ]),
    "EventCount": .object([
      "count": .count, "first_happened_at": .time, "last_happened_at": .time,
    ]),
  ]

  /// Degrees as a number, or as the string that answers have.
  private static func degrees(_ limit: Double) -> Schema {
    .one(of: [
      .number(-limit...limit), .string(1...20, pattern: #"^-?[0-9]{1,3}(\.[0-9]{1,15})?$"#),
    ])
  }

  private static let settings: KeyValuePairs<String, Schema> = [
    "authorization": Schema.oneOf(DeviceSettings.Authorization.allCases.map(\.rawValue)).optional,
    "alerts": Schema.boolean.optional, "badges": Schema.boolean.optional,
    "sounds": Schema.boolean.optional, "lock_screen": Schema.boolean.optional,
    "notification_center": Schema.boolean.optional, "scheduled_summary": Schema.boolean.optional,
    "time_sensitive": Schema.boolean.optional,
    "focused": Schema.boolean.described("whether a Focus silenced notifications").optional,
  ]

  private static func device(email: String) -> [(key: String, value: Schema)] {
    let members: KeyValuePairs<String, Schema> = [
      "id": .named("DeviceID"), "user_id": .string.nullable, email: .string.nullable,
      "push_token": .string.nullable, "push_enabled": .boolean,
      "push_quiet": .boolean, "platform": .string,
      "reload_tokens": Schema.array(.named("StoredReloadToken")).described(
        "the tokens of widgets and controls, in a read and an export; absent without any"
      ).optional,
      "notification_settings": Schema.named("NotificationSettings").described(
        "absent if the app has reported none"
      ).optional,
      "development": .boolean, "tags": .array(.string),
      "user_attributes": .map(of: .named("Attribute")),
      "user_events": .map(of: .named("EventCount")), "location": .named("Location"),
      "locale": .string.nullable, "time_zone": .string.nullable, "app_version": .string.nullable,
      "os_version": .string.nullable, "sdk_version": .string.nullable,
      "badge": .integer.nullable, "installed_at": .time, "last_opened": .time.nullable,
      "updated_at": .time, "uninstalled_at": .time.nullable, "erased_at": .time.nullable,
    ]
    return Array(members)
  }
}
