import PushPayload

/// A device as a row of `devices`.
extension Device {
  static let columnNames = [
    "key", "app", "id", "created_at", "token", "platform", "development", "push_enabled",
    "uninstalled_at",
    "user_id", "user_email", "tags", "attributes", "events", "locale", "time_zone", "app_version",
    "os_version", "sdk_version", "latitude", "longitude", "country", "city", "public_key",
    "auth_secret", "badge", "updated_at", "token_at", "last_opened_at", "erased_at",
    "push_quiet", "secret_hash",
  ]
  static let columns = columnNames.joined(separator: ", ")
  private static let marks = columnNames.map { _ in "?" }.joined(separator: ", ")
  private static let settings = columnNames.enumerated().dropFirst(3)
    .map { place, name in "\(name) = ?\(place + 1)" }.joined(separator: ", ")
  static let byID = "SELECT \(columns) FROM devices WHERE app = ? AND id = ?"
  static let byToken = "SELECT \(columns) FROM devices WHERE app = ? AND token = ?"
  /// Statements whose values are ``values(app:)``.
  static let insert = "INSERT INTO devices (\(columns)) VALUES (\(marks))"
  static let update = "UPDATE devices SET \(settings) WHERE app = ?2 AND key = ?1 AND id = ?3"

  func values(app: Int64) -> [SQLValue] {
    [
      DeviceKeys(app: app).key(number), .integer(app), .text(id), .time(createdAt),
      .optional(token), .text(platform), .bool(isDevelopment), .bool(isPushEnabled),
      .time(uninstalledAt),
      .optional(userID), .optional(userEmail),
      tags.isEmpty ? .text("[]") : .json(.array(tags.map(JSONValue.string))),
      attributes.isEmpty ? .text("{}") : .json(.object(attributes.mapValues(\.json))),
      events.isEmpty ? .text("{}") : .json(.object(events.mapValues(\.json))),
      .optional(locale), .optional(timeZone), .optional(appVersion), .optional(osVersion),
      .optional(sdkVersion), .optional(location.latitude), .optional(location.longitude),
      .optional(location.country), .optional(location.city), .optional(publicKey),
      .optional(authSecret), .optional(badge), .time(updatedAt),
      .time(tokenAt), .time(lastOpenedAt), .time(erasedAt), .bool(isPushQuiet),
      secretHash.map(SQLValue.blob) ?? .null,
    ]
  }

  /// Reads a row of ``columns``.
  init(row: inout SQLRow) {
    let key = row.integer("key")
    row.skip("app")
    self.init(id: row.text("id"), createdAt: row.time("created_at"))
    number = DeviceKeys.number(of: key)
    token = row.optionalText("token")
    platform = row.text("platform")
    isDevelopment = row.bool("development")
    isPushEnabled = row.bool("push_enabled")
    uninstalledAt = row.optionalTime("uninstalled_at")
    userID = row.optionalText("user_id")
    userEmail = row.optionalText("user_email")
    tags = row.tags("tags")
    attributes = row.attributes("attributes")
    events = (row.filledJSON("events")?.object ?? [:]).compactMapValues(EventCount.init(json:))
    locale = row.optionalText("locale")
    timeZone = row.optionalText("time_zone")
    appVersion = row.optionalText("app_version")
    osVersion = row.optionalText("os_version")
    sdkVersion = row.optionalText("sdk_version")
    location.latitude = row.optionalReal("latitude")
    location.longitude = row.optionalReal("longitude")
    location.country = row.optionalText("country")
    location.city = row.optionalText("city")
    publicKey = row.optionalText("public_key")
    authSecret = row.optionalText("auth_secret")
    badge = row.optionalInteger("badge")
    updatedAt = row.time("updated_at")
    tokenAt = row.optionalTime("token_at")
    lastOpenedAt = row.optionalTime("last_opened_at")
    erasedAt = row.optionalTime("erased_at")
    isPushQuiet = row.bool("push_quiet")
    secretHash = row.optionalBlob("secret_hash")
  }
}

extension SQLRow {
  mutating func tags(_ name: StaticString) -> [String] {
    filledJSON(name)?.array?.compactMap(\.string) ?? []
  }

  mutating func attributes(_ name: StaticString) -> [String: Attribute] {
    (filledJSON(name)?.object ?? [:]).compactMapValues(Attribute.init(json:))
  }

  /// The JSON value in a column; `nil` for an empty array or object, which most devices have.
  fileprivate mutating func filledJSON(_ name: StaticString) -> JSONValue? {
    let text = text(name)
    return text.utf8.count <= 2 ? nil : try? JSONValue(parsing: text)
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
    self.init(
      count: Int(count), first: Timestamp(milliseconds: first), last: Timestamp(milliseconds: last))
  }
}
