import _HTTPServer

/// What comes here is told beside each route.
enum ReportsPages {
  static let all: [Route] = [
    .page("GET", .reports) { visit in
      WebPage(title: "Reports", section: .reports, main: "<h1>Reports</h1>").response(for: visit)
    }
  ]
}
