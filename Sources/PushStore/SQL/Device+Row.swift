import PushPayload

/// A device as a row of `devices`.
extension Device {
  static let columnNames = [
    "key", "app", "id", "token", "platform", "development", "push_enabled", "uninstalled_at",
    "user_id", "user_email", "tags", "attributes", "events", "locale", "time_zone", "app_version",
    "os_version", "sdk_version", "latitude", "longitude", "country", "city", "public_key",
    "auth_secret", "badge", "created_at", "updated_at", "token_at", "last_opened_at", "erased_at",
    "push_quiet",
  ]
  static let columns = columnNames.joined(separator: ", ")
  private static let marks = columnNames.map { _ in "?" }.joined(separator: ", ")
  private static let settings = columnNames.enumerated().dropFirst(3)
    .map { place, name in "\(name) = ?\(place + 1)" }.joined(separator: ", ")
  static let byID = "SELECT \(columns) FROM devices WHERE app = ? AND id = ?"
  static let byToken = "SELECT \(columns) FROM devices WHERE app = ? AND token = ?"
  /// Of ``values(app:)``, as ``update`` is.
  static let insert = "INSERT INTO devices (\(columns)) VALUES (\(marks))"
  static let update = "UPDATE devices SET \(settings) WHERE app = ?2 AND key = ?1 AND id = ?3"

  func values(app: Int64) -> [SQLValue] {
    [
      DeviceKeys(app: app).key(number), .integer(app), .text(id), .optional(token),
      .text(platform), .bool(isDevelopment), .bool(isPushEnabled), .time(uninstalledAt),
      .optional(userID), .optional(userEmail),
      tags.isEmpty ? .text("[]") : .json(.array(tags.map(JSONValue.string))),
      attributes.isEmpty ? .text("{}") : .json(.object(attributes.mapValues(\.json))),
      events.isEmpty ? .text("{}") : .json(.object(events.mapValues(\.json))),
      .optional(locale), .optional(timeZone), .optional(appVersion), .optional(osVersion),
      .optional(sdkVersion), .optional(location.latitude), .optional(location.longitude),
      .optional(location.country), .optional(location.city), .optional(publicKey),
      .optional(authSecret), .optional(badge), .time(createdAt), .time(updatedAt),
      .time(tokenAt), .time(lastOpenedAt), .time(erasedAt), .bool(isPushQuiet),
    ]
  }

  /// - Parameter row: ``columns``, from the first column on.
  init(row: any SQLRow) {
    self.init(id: row.text(2), createdAt: row.time(25))
    number = DeviceKeys.number(of: row.integer(0))
    token = row.optionalText(3)
    platform = row.text(4)
    isDevelopment = row.bool(5)
    isPushEnabled = row.bool(6)
    uninstalledAt = row.optionalTime(7)
    userID = row.optionalText(8)
    userEmail = row.optionalText(9)
    tags = row.tags(10)
    attributes = row.attributes(11)
    events = (row.filledJSON(12)?.object ?? [:]).compactMapValues(EventCount.init(json:))
    locale = row.optionalText(13)
    timeZone = row.optionalText(14)
    appVersion = row.optionalText(15)
    osVersion = row.optionalText(16)
    sdkVersion = row.optionalText(17)
    location.latitude = row.optionalReal(18)
    location.longitude = row.optionalReal(19)
    location.country = row.optionalText(20)
    location.city = row.optionalText(21)
    publicKey = row.optionalText(22)
    authSecret = row.optionalText(23)
    badge = row.optionalInteger(24)
    updatedAt = row.time(26)
    tokenAt = row.optionalTime(27)
    lastOpenedAt = row.optionalTime(28)
    erasedAt = row.optionalTime(29)
    isPushQuiet = row.bool(30)
  }
}

extension SQLRow {
  func tags(_ column: Int32) -> [String] {
    filledJSON(column)?.array?.compactMap(\.string) ?? []
  }

  func attributes(_ column: Int32) -> [String: Attribute] {
    (filledJSON(column)?.object ?? [:]).compactMapValues(Attribute.init(json:))
  }

  /// `nil` for what has nothing in it, as nearly every device has one.
  fileprivate func filledJSON(_ column: Int32) -> JSONValue? {
    let text = text(column)
    return text.utf8.count <= 2 ? nil : try? JSONValue(parsing: text)
  }
}

extension EventCount {
  /// `[count, first, last]`.
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
