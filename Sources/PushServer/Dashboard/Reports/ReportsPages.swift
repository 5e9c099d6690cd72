import _HTTPServer

/// Reports: what sends came to, by hour and by media.
enum ReportsPages {
  static let all: [Route] = [
    .page("GET", .reports) { visit in
      WebPage(title: "Reports", section: .reports, main: "<h1>Reports</h1>").response(for: visit)
    }
  ]
}
