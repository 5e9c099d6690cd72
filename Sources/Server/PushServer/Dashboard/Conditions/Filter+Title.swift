import PushModel

extension Filter.BuiltIn {
  /// The name of the field on every page.
  var title: String {
    switch self {
    case .tags: "Tags"
    case .locale: "Locale"
    case .badge: "Badge"
    case .platform, .osName: "Platform"
    case .development: "Development build"
    case .country: "Country"
    case .city: "City"
    case .location: "Location"
    case .deviceID: "Device ID"
    case .userID: "User ID"
    case .userEmail: "Email"
    case .timeZone: "Time zone"
    case .osVersion: "OS version"
    case .appVersion: "App version"
    case .sdkVersion: "SDK version"
    case .pushEnabled: "Opted in"
    case .pushQuiet: "Delivered quietly"
    case .createdAt: "First seen"
    case .registeredAt: "Last updated"
    case .lastOpened: "Last opened"
    }
  }

  /// The groups of the menu of fields.
  static let groups: [(title: String, fields: [Filter.BuiltIn])] = [
    (
      "Tags and activity",
      [.tags, .lastOpened, .createdAt, .registeredAt, .pushEnabled, .pushQuiet, .badge]
    ),
    ("Person and place", [.userID, .userEmail, .locale, .timeZone, .country, .city, .location]),
    ("Device", [.deviceID, .platform, .osVersion, .appVersion, .sdkVersion, .development]),
  ]
}

extension Filter.Field {
  /// The name of the field on every page; that of an attribute or event is the app's own.
  var title: String {
    switch self {
    case .builtIn(let field): field.title
    case .attribute(_, let name), .event(let name): name
    }
  }
}
