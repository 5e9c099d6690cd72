import PushModel
import _HTTPServer

/// A subject of the dashboard's help.
enum HelpTopic: String, CaseIterable, Sendable {
  case home, compose, templates, sends, why, campaigns, messages, activities, calendar, audiences
  case devices, reports, settings, account

  /// The path of a page of an app, below that of the app, to which the topic belongs.
  private var place: String? {
    switch self {
    case .templates: "compose/templates"
    case .why, .campaigns, .messages, .activities, .calendar: "sends/\(rawValue)"
    case .devices: Section.devices.rawValue
    case .account: nil
    default: rawValue
    }
  }

  /// The topic of the page at a path; that of the account if the page is not of an app.
  static func of(path: String) -> HelpTopic {
    let below = path.split(separator: "/").dropFirst(2).joined(separator: "/")
    guard path.hasPrefix("/apps/") else { return .account }
    return allCases.filter { topic in
      topic.place.map { below == $0 || below.hasPrefix($0 + "/") } ?? false
    }.max { $0.place?.utf8.count ?? 0 < $1.place?.utf8.count ?? 0 } ?? .home
  }

  /// The address of the help for the page of a request; that of the account for a page of no app.
  static func path(for request: PageRequest?) -> String {
    guard let request else { return account.path(app: nil) }
    return of(path: request.http.path).path(app: request.app.id)
  }

  /// The address of the topic, with the navigation bar of an app if that is given.
  func path(app: String?) -> String {
    app.map { "\(Section.home.path(app: $0))/help/\(rawValue)" } ?? "/help/\(rawValue)"
  }
}
