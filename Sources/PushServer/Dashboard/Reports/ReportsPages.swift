import PushStore
import _HTTPServer

/// Reports: what an app's devices did, day by day, and what its sends came to.
enum ReportsPages {
  static let all: [Route] = [
    .page("GET", .reports, days),
    .page("GET", .reports, at: "/days.csv", table),
    .page("GET", .reports, at: "/sends.csv", sends),
    .page("GET", .reports, at: "/sends/:send", send),
  ]

  private static func days(_ visit: Visit) async throws -> HTTPResponse {
    let newest = try await visit.api.store.sends(app: visit.app.id, after: nil, limit: 20)
    var view = ReportsView(visit: visit, sends: SendReports(visit: visit, sends: newest.sends))
    do {
      let span = try ReportSpan(visit.call, at: visit.now)
      view.series = try await series(span, visit)
      view.span = span
    } catch let error as APIError where error.status == 422 {
      view.problem = error.message
    }
    return WebPage(title: "Reports", section: .reports, main: view.html, scripts: ["charts.js"])
      .response(
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

  private static func sends(_ visit: Visit) async throws -> HTTPResponse {
    let newest = try await visit.api.store.sends(app: visit.app.id, after: nil, limit: 500)
    return SendReports(visit: visit, sends: newest.sends).csv.response(named: "sends.csv")
  }

  private static func send(_ visit: Visit) async throws -> HTTPResponse {
    let (store, id) = (visit.api.store, visit.call.parameter("send"))
    guard let send = try await store.send(id, app: visit.app.id) else {
      throw APIError.notFound("notification with this id")
    }
    let whole = SendView(
      visit: visit, send: send, reasons: try await store.reasons(of: id, app: send.app),
      mediaFailures: try await store.mediaFailures(of: id, app: send.app))
    let report = SendReport(
      visit: visit, send: send, failures: whole.failures,
      hours: try await store.hours(of: id, app: send.app))
    return WebPage(
      title: send.words, section: .reports, main: report.html, scripts: ["charts.js"]
    ).response(for: visit)
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
