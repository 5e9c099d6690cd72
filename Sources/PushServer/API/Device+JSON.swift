import PushPayload
import PushStore

extension Device {
  /// The answer to an update, where the address is `user_email`.
  var updateAnswer: [UInt8] {
    Array(#"{"device":"#.utf8) + JSONValue.bytes(ofSorted: members) + Array("}".utf8)
  }

  /// The answer to a read: the key is plural and holds one device, whose address is `email`.
  var readAnswer: JSONValue { ["devices": listed] }

  /// The answer to an erasure.
  var eraseAnswer: JSONValue { ["device": listed] }

  /// As a list of devices has it.
  var listed: JSONValue {
    guard erasedAt == nil else { return .object(erasedMembers) }
    var listed = Dictionary(members, uniquingKeysWith: { $1 })
    listed["email"] = listed.removeValue(forKey: "user_email")
    return .object(listed)
  }

  /// In the order of the keys, for an app's start asks for just this.
  private var members: [(String, JSONValue)] {
    [
      ("app_version", .optional(appVersion)),
      ("badge", badge.map(JSONValue.integer) ?? .null),
      ("development", .bool(isDevelopment)),
      ("erased_at", .null),
      ("id", .string(id)),
      ("installed_at", .string(createdAt.iso8601)),
      ("last_opened", .optional(lastOpenedAt?.iso8601)),
      ("locale", .optional(locale)),
      ("location", location == Location() ? Location.nowhere : location.json),
      ("os_version", .optional(osVersion)),
      ("platform", .string(platform)),
      ("push_enabled", .bool(isPushEnabled && token != nil && uninstalledAt == nil)),
      ("push_quiet", .bool(isPushQuiet)),
      ("push_token", .optional(token)),
      ("sdk_version", .optional(sdkVersion)),
      ("tags", .array(tags.map(JSONValue.string))),
      ("time_zone", .optional(timeZone)),
      ("uninstalled_at", .optional(uninstalledAt?.iso8601)),
      ("updated_at", .string(updatedAt.iso8601)),
      ("user_attributes", .object(attributes.mapValues(\.json))),
      ("user_email", .optional(userEmail)),
      ("user_events", .object(events.mapValues(\.json))),
      ("user_id", .optional(userID)),
    ]
  }

  /// What is known of a device of which nothing is.
  private var erasedMembers: [String: JSONValue] {
    [
      "id": .string(id), "user_id": .null, "email": .null, "platform": .string(platform),
      "last_opened": .null, "installed_at": .null, "push_enabled": false, "user_attributes": [:],
      "user_events": [:], "location": Location().json, "push_token": .null, "tags": [],
      "erased_at": .optional(erasedAt?.iso8601),
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
  /// What nearly every device has said of where it is.
  fileprivate static let nowhere = Location().json

  /// The device says where it is; nobody looks up its address, so `geoip` has no place on the map.
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

  /// `{"gps": {"lat", "lng"}, "geoip": {"city", "country"}}`, as a read has it; the numbers may be
  /// numbers.
  init(_ field: BodyValue) throws(APIError) {
    self.init()
    if let gps = field["gps"] {
      latitude = try Self.degrees(try gps.required("lat"), 90)
      longitude = try Self.degrees(try gps.required("lng"), 180)
    }
    guard let place = field["geoip"] else { return }
    city = try place["city"].map(DevicePatchReader.text) ?? nil
    country = try place["country"].map(DevicePatchReader.text) ?? nil
  }

  private static func degrees(_ field: BodyValue, _ limit: Double) throws(APIError) -> Double {
    guard let text = field.value.string else { return try field.number(in: -limit...limit) }
    guard let number = Double(text), abs(number) <= limit else {
      throw .refused(field.path, "must be from \(-limit) to \(limit)")
    }
    return number
  }
}

extension JSONValue {
  static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}
