import PushModel
import PushPayload

extension Device {
  /// The answer to an update, with the e-mail address as `user_email`, and the members that were not stored.
  func updateAnswer(dropped: [DroppedMember]) -> [UInt8] {
    Array(#"{"device":"#.utf8) + JSONValue.bytes(ofSorted: members(isListed: false))
      + Array(#","dropped":"#.utf8)
      + JSONValue.array(dropped.map(\.json)).bytes + Array("}".utf8)
  }

  /// The answer to a read: `devices` holds the one device, whose e-mail address is `email`.
  func readAnswer(with tokens: [StoredReloadToken]) -> JSONValue {
    ["devices": listed(with: tokens)]
  }

  /// The answer to an erasure.
  var eraseAnswer: JSONValue { ["device": listed] }

  /// The device in a list of devices.
  var listed: JSONValue { listed(with: []) }

  /// The device with the tokens of its widgets and controls, which an erased device does not have.
  private func listed(with tokens: [StoredReloadToken]) -> JSONValue {
    .object(
      erasedAt == nil
        ? Dictionary(members(isListed: true, with: tokens), uniquingKeysWith: { $1 })
        : erasedMembers)
  }

  /// The JSON of ``listed``.
  var listedBytes: [UInt8] { listedBytes(with: []) }

  /// The JSON of the device with the tokens of its widgets and controls.
  func listedBytes(with tokens: [StoredReloadToken]) -> [UInt8] {
    erasedAt == nil
      ? JSONValue.bytes(ofSorted: members(isListed: true, with: tokens))
      : JSONValue.object(erasedMembers).bytes
  }

  /// The members sorted by key, so that the frequent answer to an app's start and long lists need no sorting.
  ///
  /// Lists call the e-mail address `email`, and the answer to an update `user_email`.
  private func members(
    isListed: Bool, with tokens: [StoredReloadToken] = []
  ) -> [(String, JSONValue)] {
    let email = JSONValue.optional(userEmail)
    var members: [(String, JSONValue)] = [
      ("app_version", .optional(appVersion)),
      ("badge", badge.map(JSONValue.integer) ?? .null),
      ("development", .bool(isDevelopment)),
    ]
    if isListed { members.append(("email", email)) }
    members += [
      ("erased_at", .null),
      ("id", .string(id)),
      ("installed_at", .string(createdAt.iso8601)),
      ("last_opened", .optional(lastOpenedAt?.iso8601)),
      ("locale", .optional(locale)),
      ("location", location == Location() ? Location.unknown : location.json),
    ]
    if let settings { members.append(("notification_settings", .object(settings.members))) }
    members += [
      ("os_version", .optional(osVersion)),
      ("platform", .string(platform)),
      ("push_enabled", .bool(isPushEnabled && token != nil && uninstalledAt == nil)),
      ("push_quiet", .bool(isPushQuiet)),
      ("push_token", .optional(token)),
    ]
    if !tokens.isEmpty { members.append(("reload_tokens", .array(tokens.map(\.json)))) }
    members += [
      ("sdk_version", .optional(sdkVersion)),
      ("tags", .array(tags.map(JSONValue.string))),
      ("time_zone", .optional(timeZone)),
      ("uninstalled_at", .optional(uninstalledAt?.iso8601)),
      ("updated_at", .string(updatedAt.iso8601)),
      ("user_attributes", .object(attributes.mapValues(\.json))),
    ]
    if !isListed { members.append(("user_email", email)) }
    members += [
      ("user_events", .object(events.mapValues(\.json))),
      ("user_id", .optional(userID)),
    ]
    return members
  }

  /// The members of an erased device.
  private var erasedMembers: [String: JSONValue] {
    [
      "id": .string(id), "user_id": .null, "email": .null, "platform": .string(platform),
      "last_opened": .null, "installed_at": .null, "push_enabled": false, "user_attributes": [:],
      "user_events": [:], "location": Location().json, "push_token": .null, "tags": [],
      "erased_at": .optional(erasedAt?.iso8601),
    ]
  }
}

extension StoredReloadToken {
  fileprivate var json: JSONValue {
    [
      "type": .string(type.rawValue), "token": .string(token.token), "kind": .optional(token.kind),
      "registered_at": .string(registeredAt.iso8601),
    ]
  }
}

extension EventCount {
  fileprivate var json: JSONValue {
    [
      "count": .integer(Int64(count)), "first_happened_at": .string(first.iso8601),
      "last_happened_at": .string(last.iso8601),
    ]
  }
}

extension Location {
  /// The location of a device that has reported none, like most devices.
  fileprivate static let unknown = Location().json

  /// The location that the device reported.
  ///
  /// Addresses are not looked up, so `geoip` has no coordinates.
  fileprivate var json: JSONValue {
    var gps: [String: JSONValue] = [:]
    gps["lat"] = latitude.map { .string("\($0)") }
    gps["lng"] = longitude.map { .string("\($0)") }
    return [
      "gps": .object(gps),
      "geoip": [
        "lat": .null, "lng": .null, "city": .optional(city), "country": .optional(country),
      ],
    ]
  }
}
