import _HTTPServer

/// Settings: keys, webhooks, and who did what.
enum SettingsPages {
  static let all: [Route] = [
    .page("GET", .settings) { visit in
      WebPage(title: "Settings", section: .settings, main: "<h1>Settings</h1>").response(for: visit)
    }
  ]
}
