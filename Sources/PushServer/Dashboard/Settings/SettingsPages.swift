import _HTTPServer

/// What comes here is told beside each route.
enum SettingsPages {
  static let all: [Route] = [
    .page("GET", .settings) { visit in
      WebPage(title: "Settings", section: .settings, main: "<h1>Settings</h1>").response(for: visit)
    }
  ]
}
