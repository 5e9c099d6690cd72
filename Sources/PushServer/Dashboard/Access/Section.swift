import PushStore

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

  /// Whether a key of this role may open the section; the same rules hold for the API.
  func allows(_ role: APIKey.Role) -> Bool {
    switch role {
    case .admin, .server: true
    case .push: self != .reports && self != .settings
    case .analytics: self == .reports
    case .device, .metrics: false
    }
  }

  func path(app: String) -> String { "/apps/\(app)/\(rawValue)" }
}
