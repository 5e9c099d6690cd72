import PushPayload
import PushStore

extension Device {
  /// The answer to an update, where the address is `user_email`.
  var updateAnswer: JSONValue { ["device": .object(members(emailKey: "user_email"))] }

  /// The answer to a read: the key is plural and holds one device, whose address is `email`.
  var readAnswer: JSONValue { ["devices": .object(members(emailKey: "email"))] }

  private func members(emailKey: String) -> [String: JSONValue] {
    [
      "id": .string(id),
      "user_id": .optional(userID),
      emailKey: .optional(userEmail),
      "push_token": .optional(token),
      "push_enabled": .bool(isPushEnabled && token != nil && uninstalledAt == nil),
      "platform": .string(platform),
      "development": .bool(isDevelopment),
      "tags": .array(tags.map(JSONValue.string)),
      "user_attributes": .object(attributes.mapValues(\.json)),
      "user_events": [:],
      "location": ["gps": [:], "geoip": [:]],
      "locale": .optional(locale),
      "time_zone": .optional(timeZone),
      "app_version": .optional(appVersion),
      "os_version": .optional(osVersion),
      "installed_at": .string(createdAt.iso8601),
      "last_opened": .null,
      "updated_at": .string(updatedAt.iso8601),
      "uninstalled_at": .optional(uninstalledAt?.iso8601),
    ]
  }
}

extension JSONValue {
  static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}
