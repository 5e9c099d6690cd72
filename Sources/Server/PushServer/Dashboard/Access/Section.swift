/// A section of the dashboard, as listed in the navigation bar.
enum Section: String, CaseIterable, Sendable {
  case compose, sends, audiences, devices, reports, settings

  var title: String {
    switch self {
    case .compose: "Compose"
    case .sends: "Sends"
    case .audiences: "Audiences"
    case .devices: "Devices"
    case .reports: "Reports"
    case .settings: "Settings"
    }
  }

  /// The permission that a user needs to open the section.
  var permission: Permission {
    switch self {
    case .compose: .write
    case .sends, .audiences, .devices: .see
    case .reports: .seeReports
    case .settings: .manage
    }
  }

  func path(app: String) -> String { "/apps/\(app)/\(rawValue)" }
}
