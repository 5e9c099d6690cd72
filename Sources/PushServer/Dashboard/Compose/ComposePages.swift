import _HTTPServer

/// What comes here is told beside each route.
enum ComposePages {
  static let all: [Route] = [
    .page("GET", .compose) { visit in
      WebPage(title: "Compose", section: .compose, main: "<h1>Compose</h1>").response(for: visit)
    },
    .page("POST", .compose) { visit in
      WebPage(title: "Compose", section: .compose, main: "<h1>Compose</h1>").response(for: visit)
    },
  ]
}
