import PushStore
import _HTTPServer

/// The pages of reports: counts by day, and the results of sends, also as CSV.
enum ReportsPages {
  static let all: [Route] = [
    .page("GET", .reports, handler: overview),
    .page("GET", .reports, at: "/days.csv", handler: daysCSV),
    .page("GET", .reports, at: "/sends.csv", handler: sendsCSV),
    .page("GET", .reports, at: "/sends/:send", handler: sendReport),
  ]

  private static func overview(_ request: PageRequest) async throws -> HTTPResponse {
    let newest = try await request.api.store.sends(app: request.app.id, after: nil, limit: 20)
    let campaigns = try await request.api.store.campaigns(
      app: request.app.id, matching: CampaignQuery(""), after: nil, limit: 20)
    var view = ReportsView(
      request: request,
      sends: SendReports(
        request: request, sends: newest.sends,
        audiences: try await SendAudiences(of: newest.sends, request)),
      campaigns: CampaignReports(
        request: request,
        campaigns: campaigns.elements.filter { $0.state != .draft && $0.state != .discarded }))
    do {
      let period = try ReportPeriod(request.call, at: request.now)
      view.series = try await series(period, request)
      view.period = period
    } catch let error as APIError where error.status == 422 {
      view.problem = error.message
    }
    return WebPage(title: "Reports", section: .reports, main: view.html, scripts: ["charts.js"])
      .response(
        status: view.problem == nil ? 200 : 422, for: request)
  }

  private static func daysCSV(_ request: PageRequest) async throws -> HTTPResponse {
    let period = try ReportPeriod(request.call, at: request.now)
    let series = try await series(period, request)
    let header = ["day"] + series.map(\.counter.rawValue)
    let days = (series.first?.values ?? []).enumerated().map { index, value in
      [value.time.date] + series.map { String($0.values[index].count) }
    }
    return CSVTable(rows: [header] + days).response(
      named: "days-\(period.first)-\(period.last).csv")
  }

  /// All sends of the app, the newest first.
  private static func sendsCSV(_ request: PageRequest) async throws -> HTTPResponse {
    let (store, app) = (request.api.store, request.app.id)
    return try await CSVTable.stream(named: "sends.csv", header: SendReports.header) { last in
      let page = try await store.sends(app: app, after: last, limit: csvPageSize)
      let audiences = try await SendAudiences(of: page.sends, request)
      let rows = page.sends.map { SendReports.row($0, isTest: audiences.isTest($0)) }
      return (rows, page.sends.count == csvPageSize ? page.sends.last?.id : nil)
    }
  }

  /// How many sends are read at once for CSV.
  static let csvPageSize = 500

  private static func sendReport(_ request: PageRequest) async throws -> HTTPResponse {
    let (store, id) = (request.api.store, request.call.parameter("send"))
    guard let send = try await store.send(id, app: request.app.id) else {
      throw APIError.notFound("notification with this id")
    }
    let view = SendView(
      request: request, send: send, reasons: try await store.reasons(of: id, app: send.app),
      mediaFailures: try await store.mediaFailures(of: id, app: send.app))
    let report = SendReport(
      request: request, send: send, failures: view.failures,
      hours: try await store.hours(of: id, app: send.app),
      template: try await store.templateCounts(of: id, app: send.app),
      audiences: try await SendAudiences(of: [send], request))
    return WebPage(
      title: "Report: \(send.summary)", section: .reports, main: report.html, scripts: ["charts.js"]
    ).response(for: request)
  }

  /// The counts of each day, read as the API reads them.
  private static func series(
    _ period: ReportPeriod, _ request: PageRequest
  ) async throws -> [ReportsView.Series] {
    var series: [ReportsView.Series] = []
    for counter in ReportsView.counters {
      let values = try await StatRoutes.values(
        of: counter, app: request.app.id, in: period.times, every: ReportPeriod.day,
        request.api.store)
      series.append(.init(counter: counter, values: values))
    }
    return series
  }
}
