import _HTTPServer

/// The first page after signing in.
enum HomePages {
  static let all: [Route] = [
    .page("GET", .home) { request in
      let view = HomeView(
        request: request,
        work: request.may(.see) ? try await HomeWork(request) : nil,
        week: request.may(.seeReports) ? try await WeekChange.all(request) : [])
      return WebPage(title: "Home", section: .home, main: view.html).response(for: request)
    }
  ]
}
