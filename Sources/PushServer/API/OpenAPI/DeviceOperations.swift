import PushPayload

extension Operation {
  static let updateDevice = Operation(
    id: "updateDevice",
    summary: "Creates a device or merges into it; what is valid is taken, the rest dropped.",
    body: .open(["device": .named("DeviceUpdate")]),
    answer: .any(of: [
      .object(["device": .named("UpdatedDevice")]),
      .object(["device": .object(["id": .named("DeviceID")])])
        .described("with a device key, which reads nothing"),
    ]))

  static let readDevice = Operation(
    id: "readDevice", summary: "A device; the key is plural and holds one.",
    answer: .object(["devices": .named("Device")]))

  static let importDevices = Operation(
    id: "importDevices", summary: "Takes devices from CSV; rejected rows are named by line.",
    parameters: [.query("app", .string(1...64))],
    body: .string.example("token,os_name,user_id\n00ff,iOS,ada\n"),
    answer: .object([
      "accepted": .count,
      "rejected": .array(.object(["line": .count, "error": .string])),
    ]), refusals: [404])
}

/// What devices look like on the wire.
enum DeviceSchemas {
  static let all: [String: Schema] = [
    "DeviceID": .string(1...64, pattern: "^[A-Za-z0-9_-]{1,64}$"),
    "DeviceUpdate": .object([
      "user_id": .string(0...255).nullable.optional,
      "user_email": .string(0...255).nullable.optional,
      "push_token": Schema(["type": ["string", "null"], "pattern": "^([0-9A-Fa-f]{2}){1,100}$"])
        .optional,
      "platform": .oneOf(["iOS", "Android"]).optional,
      "push_enabled": .boolean.optional,
      "development": .boolean.described("with a push key only").optional,
      "badge": .integer(0...2_147_483_647).nullable.optional,
      "tags": .array(.string(1...255), 0...100).optional,
      "locale": .string(0...255).nullable.optional,
      "time_zone": .string(0...255).nullable.optional,
      "app_version": .string(0...255).nullable.optional,
      "os_version": .string(0...255).nullable.optional,
      "public_key": Schema(["type": ["string", "null"], "pattern": "^[A-Za-z0-9_-]{87}$"]).optional,
      "auth_secret": Schema(["type": ["string", "null"], "pattern": "^[A-Za-z0-9_-]{22}$"])
        .optional,
      "user_attributes": .map(of: .named("Attribute")).optional,
    ]).described("a member that is not as here is dropped, unless nothing else is left"),
    "Attribute": .any(of: [
      attribute("string", .string(0...255)), attribute("integer", .number(-2_147_483_647...2_147_483_647)),
      attribute("float", .number), attribute("date", .time),
      .object(["type": Schema(["const": "boolean"]), "value": .boolean]),
    ]),
    "UpdatedDevice": device(email: "user_email"),
    "Device": device(email: "email"),
    "Location": .object([
      "gps": .object(["lat": .string.optional, "lng": .string.optional]),
      "geoip": .object([
        "lat": .string.nullable.optional, "lng": .string.nullable.optional,
        "city": .string.nullable.optional, "country": .string.nullable.optional,
      ]),
    ]),
    "EventCount": .object([
      "count": .count, "first_happened_at": .time, "last_happened_at": .time,
    ]),
  ]

  private static func attribute(_ type: String, _ value: Schema) -> Schema {
    .object([
      "type": Schema(["const": .string(type)]), "value": .any(of: [value, .array(value, 0...100)]),
    ])
  }

  private static func device(email: String) -> Schema {
    .object([
      "id": .named("DeviceID"), "user_id": .string.nullable, email: .string.nullable,
      "push_token": .string.nullable, "push_enabled": .boolean, "platform": .string,
      "development": .boolean, "tags": .array(.string),
      "user_attributes": .map(of: .named("Attribute")),
      "user_events": .map(of: .named("EventCount")), "location": .named("Location"),
      "locale": .string.nullable, "time_zone": .string.nullable, "app_version": .string.nullable,
      "os_version": .string.nullable, "installed_at": .time, "last_opened": .time.nullable,
      "updated_at": .time, "uninstalled_at": .time.nullable,
    ])
  }
}
