import PushStore
import _HTTPServer

/// Reports: what an app's devices did, day by day.
enum ReportsPages {
  static let all: [Route] = [
    .page("GET", .reports, days),
    .page("GET", .reports, at: "/days.csv", table),
  ]

  private static func days(_ visit: Visit) async throws -> HTTPResponse {
    var view = ReportsView(visit: visit)
    do {
      let span = try ReportSpan(visit.call, at: visit.now)
      view.series = try await series(span, visit)
      view.span = span
    } catch let error as APIError where error.status == 422 {
      view.problem = error.message
    }
    return WebPage(title: "Reports", section: .reports, main: view.html).response(
      status: view.problem == nil ? 200 : 422, for: visit)
  }

  private static func table(_ visit: Visit) async throws -> HTTPResponse {
    let span = try ReportSpan(visit.call, at: visit.now)
    let series = try await series(span, visit)
    let head = ["day"] + series.map(\.counter.rawValue)
    let days = (series.first?.values ?? []).enumerated().map { index, value in
      [value.time.date] + series.map { String($0.values[index].count) }
    }
    return CSVTable(rows: [head] + days).response(named: "days-\(span.first)-\(span.last).csv")
  }

  /// What the API answers for the same days, by its own code.
  private static func series(
    _ span: ReportSpan, _ visit: Visit
  ) async throws -> [ReportsView.Series] {
    var series: [ReportsView.Series] = []
    for counter in ReportsView.counters {
      let values = try await StatRoutes.values(
        of: counter, app: visit.app.id, in: span.times, every: ReportSpan.day, visit.api.store)
      series.append(.init(counter: counter, values: values))
    }
    return series
  }
}
