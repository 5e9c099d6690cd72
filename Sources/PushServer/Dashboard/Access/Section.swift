import PushStore

/// The parts of the dashboard, as the navigation has them.
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

  /// Whose it is, as the API has it; an app's admin and the server's key see all of them.
  func admits(_ role: APIKey.Role) -> Bool {
    switch role {
    case .admin, .server: true
    case .push: self != .reports && self != .settings
    case .analytics: self == .reports
    case .device: false
    }
  }

  func path(app: String) -> String { "/apps/\(app)/\(rawValue)" }
}
