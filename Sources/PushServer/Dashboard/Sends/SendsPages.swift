import _HTTPServer

/// What comes here is told beside each route.
enum SendsPages {
  static let all: [Route] = [
    .page("GET", .sends) { visit in
      WebPage(title: "Sends", section: .sends, main: "<h1>Sends</h1>").response(for: visit)
    }
  ]
}
