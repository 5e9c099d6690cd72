package import PushPayload

/// The notification settings of the app on a phone, as far as iOS tells them to the app.
///
/// Source: Apple, `UNNotificationSettings`. A property is `nil` if the app has not reported it, or the phone does not
/// have the setting.
package struct DeviceSettings: Hashable, Sendable {
  /// The answer of the person to the question whether the app may notify; the raw values are the API's.
  package enum Authorization: String, CaseIterable, Sendable {
    case authorized, denied, provisional, ephemeral
    case notDetermined = "not_determined"

    /// Whether the system shows notifications of the app.
    package var allowsNotifications: Bool { self != .denied && self != .notDetermined }
  }

  /// A setting that is on or off; the raw values are the API's.
  package enum Switch: String, CaseIterable, Sendable {
    case alerts, badges, sounds
    case lockScreen = "lock_screen"
    case notificationCenter = "notification_center"
    /// Whether notifications that are not urgent wait for the scheduled summary.
    case scheduledSummary = "scheduled_summary"
    case timeSensitive = "time_sensitive"
    /// Whether a Focus silenced notifications when the app looked.
    case focused
  }

  package var authorization: Authorization?
  package var switches: [Switch: Bool] = [:]
  /// The time at which the server received these settings, which has changed them.
  package var reportedAt: Timestamp?

  package init() {}

  package subscript(name: Switch) -> Bool? { switches[name] }
}

extension DeviceSettings {
  private static let authorizationName = "authorization"
  private static let timeName = "at"

  /// The settings in the form of the API, without the time.
  package var members: [String: JSONValue] {
    var members = Dictionary(
      uniqueKeysWithValues: switches.map { ($0.rawValue, JSONValue.bool($1)) })
    members[Self.authorizationName] = authorization.map { .string($0.rawValue) }
    return members
  }

  /// The names of ``members``.
  package static let names = Set([authorizationName] + Switch.allCases.map(\.rawValue))

  /// The settings as they are stored.
  package var stored: JSONValue {
    var members = members
    members[Self.timeName] = reportedAt.map { .integer($0.milliseconds) }
    return .object(members)
  }

  /// Parses ``stored``; `nil` if the value is malformed.
  package init?(stored json: JSONValue) {
    guard let members = json.members(among: Self.names.union([Self.timeName])),
      json.mayHave(Self.timeName, \.integer)
    else { return nil }
    reportedAt = json[Self.timeName]?.integer.map { Timestamp(milliseconds: $0) }
    for (name, value) in members {
      if name == Self.authorizationName {
        guard let known = value.string.flatMap(Authorization.init) else { return nil }
        authorization = known
      } else if let name = Switch(rawValue: name) {
        guard let isOn = value.bool else { return nil }
        switches[name] = isOn
      }
    }
  }
}
