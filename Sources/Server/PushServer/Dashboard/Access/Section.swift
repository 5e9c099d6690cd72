/// A section of the dashboard.
enum Section: String, CaseIterable, Sendable {
  case home, compose, sends, audiences
  /// People and their devices.
  case devices = "people"
  case reports, settings

  /// The sections in the navigation bar.
  ///
  /// ``compose`` has a button before it.
  static let navigation = allCases.filter { $0 != .compose }

  var title: String {
    switch self {
    case .home: "Home"
    case .compose: "Compose"
    case .sends: "Messages"
    case .audiences: "Audiences"
    case .devices: "People"
    case .reports: "Reports"
    case .settings: "Settings"
    }
  }

  /// The permission that a user needs to open the section; `nil` if every user of the app may open it.
  var permission: Permission? {
    switch self {
    case .home: nil
    case .compose: .write
    case .sends, .audiences, .devices: .see
    case .reports: .seeReports
    case .settings: .manage
    }
  }

  func path(app: String) -> String { "/apps/\(app)/\(rawValue)" }
}
