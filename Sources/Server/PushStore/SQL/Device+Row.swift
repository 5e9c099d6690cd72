import PushModel
import PushPayload

/// A device as a row of `devices`.
extension Device {
  private static let table: KeyValuePairs = [
    "key": "BIGINT", "app": "BIGINT", "id": "TEXT", "created_at": "BIGINT", "token": "TEXT",
    "platform": "TEXT", "development": "BOOL", "push_enabled": "BOOL", "uninstalled_at": "BIGINT",
    "user_id": "TEXT", "user_email": "TEXT", "tags": "JSONB", "attributes": "JSONB",
    "events": "JSONB", "locale": "TEXT", "time_zone": "TEXT", "app_version": "TEXT",
    "os_version": "TEXT", "sdk_version": "TEXT", "latitude": "DOUBLE PRECISION",
    "longitude": "DOUBLE PRECISION", "country": "TEXT", "city": "TEXT", "public_key": "TEXT",
    "auth_secret": "TEXT", "badge": "BIGINT", "updated_at": "BIGINT", "token_at": "BIGINT",
    "last_opened_at": "BIGINT", "erased_at": "BIGINT", "push_quiet": "BOOL",
    "secret_hash": "BYTEA", "settings": "TEXT",
  ]
  static let columnNames = table.map(\.key)
  /// The types of the columns on PostgreSQL, for arrays of their values.
  private static let columnTypes = table.map(\.value)
  static let columns: SQL = "\(raw: columnNames.joined(separator: ", "))"

  func insert(app: Int64) -> SQL {
    "INSERT INTO devices (\(Self.columns)) VALUES (\(values(app: app)))"
  }

  func update(app: Int64) -> SQL {
    let settings = zip(Self.columnNames, values(app: app)).dropFirst(3).map { name, value in
      "\(raw: name) = \(value)" as SQL
    }
    return """
      UPDATE devices SET \(settings.joined(separator: ", "))
      WHERE \(DeviceKeys(app: app).isDevice(number)) AND id = \(id)
      """
  }

  /// A statement for many new devices, with a list of values for each column.
  static func insertAll(_ devices: [Device], app: Int64) -> SQL {
    let rows = devices.map { $0.values(app: app) }
    let lists = columnTypes.enumerated().map { place, type in
      "CAST(\(.list(rows.map { $0[place] })) AS \(raw: type)[])" as SQL
    }
    return """
      INSERT INTO devices (\(columns))
      SELECT * FROM unnest(\(lists.joined(separator: ", ")))
      """
  }

  /// A statement for many stored devices, with a list of values for each column.
  ///
  /// It avoids a join, whose plan would depend on the table's statistics.
  static func updateAll(_ devices: [Device], app: Int64) -> SQL {
    let settings = columnNames.dropFirst(4).map { "\($0) = excluded.\($0)" }
    return """
      \(insertAll(devices, app: app))
      ON CONFLICT (app, key) DO UPDATE
      SET \(raw: settings.joined(separator: ", "))
      """
  }

  /// A query for the devices with one of the values in a column.
  static func query(
    by column: DeviceColumn, among values: [String], app: Int64, _ dialect: SQLDialect
  ) -> SQL {
    guard dialect.hasArrays else {
      return """
        SELECT \(columns) FROM devices
        WHERE app = \(app) AND \(raw: column.rawValue) \(dialect.among(values))
        """
    }
    // `OFFSET 0` keeps PostgreSQL from joining in another order. Without statistics, it would read
    // all of the app's devices.
    return """
      SELECT \(columns) FROM unnest(CAST(\(.list(of: values)) AS TEXT[])) AS given (value)
      CROSS JOIN LATERAL (
        SELECT * FROM devices
        WHERE app = \(app) AND \(raw: column.rawValue) = given.value OFFSET 0) AS found
      """
  }

  func values(app: Int64) -> [SQLValue] {
    [
      DeviceKeys(app: app).key(number), .integer(app), .text(id), .time(createdAt),
      .optional(token), .text(platform), .bool(isDevelopment), .bool(isPushEnabled),
      .time(uninstalledAt),
      .optional(userID), .optional(userEmail),
      tags.isEmpty ? .text("[]") : .json(.array(tags.map(JSONValue.string))),
      attributes.isEmpty ? .text("{}") : .json(.object(attributes.mapValues(\.json))),
      .json(eventsJSON),
      .optional(locale), .optional(timeZone), .optional(appVersion), .optional(osVersion),
      .optional(sdkVersion), .optional(location.latitude), .optional(location.longitude),
      .optional(location.country), .optional(location.city), .optional(publicKey),
      .optional(authSecret), .optional(badge), .time(updatedAt),
      .time(tokenAt), .time(lastOpenedAt), .time(erasedAt), .bool(isPushQuiet),
      secretHash.map(SQLValue.blob) ?? .null, .optional(settings?.stored),
    ]
  }

  /// The JSON in the column `events`.
  var eventsJSON: JSONValue { .object(events.mapValues(\.json)) }

  /// Reads a row of ``columns``.
  init(row: inout SQLRow) throws {
    let key = try row.integer("key")
    row.skip("app")
    self.init(id: try row.text("id"), createdAt: try row.time("created_at"))
    number = DeviceKeys.number(of: key)
    token = try row.optionalText("token")
    platform = try row.text("platform")
    isDevelopment = try row.bool("development")
    isPushEnabled = try row.bool("push_enabled")
    uninstalledAt = try row.optionalTime("uninstalled_at")
    userID = try row.optionalText("user_id")
    userEmail = try row.optionalText("user_email")
    tags = try row.tags("tags")
    attributes = try row.attributes("attributes")
    events = try row.events("events")
    locale = try row.optionalText("locale")
    timeZone = try row.optionalText("time_zone")
    appVersion = try row.optionalText("app_version")
    osVersion = try row.optionalText("os_version")
    sdkVersion = try row.optionalText("sdk_version")
    location.latitude = try row.optionalReal("latitude")
    location.longitude = try row.optionalReal("longitude")
    location.country = try row.optionalText("country")
    location.city = try row.optionalText("city")
    publicKey = try row.optionalText("public_key")
    authSecret = try row.optionalText("auth_secret")
    badge = try row.optionalInteger("badge")
    updatedAt = try row.time("updated_at")
    tokenAt = try row.optionalTime("token_at")
    lastOpenedAt = try row.optionalTime("last_opened_at")
    erasedAt = try row.optionalTime("erased_at")
    isPushQuiet = try row.bool("push_quiet")
    secretHash = try row.optionalBlob("secret_hash")
    settings = try row.optionalValue("settings", DeviceSettings.init(stored:))
  }
}

extension SQLRow {
  mutating func tags(_ name: StaticString) throws(StoredValueError) -> [String] {
    try filled(name, unless: "[]", \.texts) ?? []
  }

  mutating func events(_ name: StaticString) throws(StoredValueError) -> [String: EventCount] {
    try filled(name, unless: "{}") { $0.object?.allValues(EventCount.init(json:)) } ?? [:]
  }

  mutating func attributes(_ name: StaticString) throws(StoredValueError) -> [String: Attribute] {
    try filled(name, unless: "{}") { $0.object?.allValues(Attribute.init(json:)) } ?? [:]
  }

  /// Reads a value from JSON; `nil` if it is the empty value, which most devices have and which is not parsed.
  private mutating func filled<Value>(
    _ name: StaticString, unless empty: String, _ read: (JSONValue) -> Value?
  ) throws(StoredValueError) -> Value? {
    let text = try text(name)
    guard text != empty else { return nil }
    guard let json = try? JSONValue(parsing: text), let value = read(json) else {
      throw fault(name, Self.notUnderstood)
    }
    return value
  }
}

extension EventCount {
  /// The JSON in the column `events`, `[count, first, last]`.
  fileprivate var json: JSONValue {
    [.integer(Int64(count)), .integer(first.milliseconds), .integer(last.milliseconds)]
  }

  fileprivate init?(json: JSONValue) {
    guard let parts = json.array, parts.count == 3, let count = parts[0].integer,
      let first = parts[1].integer, let last = parts[2].integer
    else { return nil }
    guard count >= 0 else { return nil }
    self.init(
      count: Int(count), first: Timestamp(milliseconds: first), last: Timestamp(milliseconds: last))
  }
}
