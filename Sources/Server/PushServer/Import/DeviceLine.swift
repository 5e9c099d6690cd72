package import PushModel
import PushPayload

/// A device as a line of newline-delimited JSON, which ``DeviceImport`` can read.
package enum DeviceLine {
  /// The line without its line break; `nil` if the device has no token, because it cannot be imported.
  ///
  /// The keys of encrypted payloads are omitted, because the app makes and registers them.
  package static func text(of device: Device) -> [UInt8]? {
    guard let token = device.token else { return nil }
    var members: [String: JSONValue] = [
      "id": .string(device.id), "push_token": .string(token), "platform": .string(device.platform),
      "push_enabled": .bool(device.isPushEnabled), "development": .bool(device.isDevelopment),
    ]
    let texts: [(String, String?)] = [
      ("user_id", device.userID), ("user_email", device.userEmail), ("locale", device.locale),
      ("time_zone", device.timeZone), ("app_version", device.appVersion),
      ("os_version", device.osVersion), ("sdk_version", device.sdkVersion),
    ]
    for (name, text) in texts { members[name] = text.map(JSONValue.string) }
    if !device.tags.isEmpty { members["tags"] = .array(device.tags.map(JSONValue.string)) }
    if !device.attributes.isEmpty {
      members["user_attributes"] = .object(device.attributes.mapValues(\.json))
    }
    return Array(JSONValue.object(members).serialized())
  }
}
