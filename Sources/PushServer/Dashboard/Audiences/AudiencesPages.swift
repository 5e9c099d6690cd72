import _HTTPServer

/// What comes here is told beside each route.
enum AudiencesPages {
  static let all: [Route] = [
    .page("GET", .audiences) { visit in
      WebPage(title: "Audiences", section: .audiences, main: "<h1>Audiences</h1>").response(
        for: visit)
    }
  ]
}
