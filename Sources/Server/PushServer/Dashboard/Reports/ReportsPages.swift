import PushModel
import _HTTPServer

/// The pages of reports: counts by day, and the results of sends, also as CSV.
enum ReportsPages {
  static let all: [Route] = [
    .page("GET", .reports, handler: overview),
    .page("GET", .reports, at: "/days.csv", handler: daysCSV),
    .page("GET", .reports, at: "/sends.csv", handler: sendsCSV),
    .page("GET", .reports, at: "/campaigns.csv", handler: campaignsCSV),
    .page("GET", .reports, at: "/sends/:send", handler: sendReport),
    .page("GET", .reports, at: "/sends/:send/report.csv", handler: sendCSV),
    .page("GET", .reports, at: "/compare", handler: comparison),
  ]

  private static func overview(_ request: PageRequest) async throws -> HTTPResponse {
    let (store, app) = (request.router.store, request.app.id)
    let newest = try await store.uncountedSends(
      app: app, matching: .withoutTriggered, after: nil, limit: listed)
    // Drafts have no numbers.
    let campaigns = try await store.campaigns(
      app: app, matching: CampaignQuery(""), after: nil, limit: 20
    ).elements.filter { $0.state != .draft && $0.state != .discarded }.prefix(listed)
    var view = ReportsView(
      request: request,
      sends: SendReports(
        request: request, sends: newest, audiences: try await SendAudiences(of: newest, request)),
      campaigns: CampaignReports(
        request: request, campaigns: Array(campaigns),
        totals: try await store.totals(ofCampaigns: campaigns.map(\.id), app: app)))
    do {
      let period = try ReportPeriod(request.call, at: request.now)
      view.series = try await series(period, request)
      view.totals = try await store.totals(
        app: app, from: period.times.lowerBound.floored(to: ReportPeriod.day),
        to: period.times.upperBound)
      view.before = try await store.totals(
        app: app, from: period.before.lowerBound, to: period.before.upperBound)
      view.period = period
    } catch let error as RequestError where error.code == .invalid {
      view.problem = error.message
    }
    return WebPage(title: "Reports", section: .reports, main: view.html, scripts: ["charts.js"])
      .response(
        status: view.problem == nil ? 200 : 422, for: request)
  }

  /// The number of sends and of campaigns that the overview lists.
  private static let listed = 8

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
    let (store, app) = (request.router.store, request.app.id)
    return try await CSVTable.stream(named: "sends.csv", header: SendReports.header) { last in
      let sends = try await store.uncountedSends(
        app: app, matching: SendQuery(), after: last, limit: csvPageSize)
      let audiences = try await SendAudiences(of: sends, request)
      let rows = sends.map { SendReports.row($0, isTest: audiences.isTest($0)) }
      return (rows, sends.count == csvPageSize ? sends.last?.id : nil)
    }
  }

  /// All campaigns of the app, the newest first.
  private static func campaignsCSV(_ request: PageRequest) async throws -> HTTPResponse {
    let (store, app) = (request.router.store, request.app.id)
    return try await CSVTable.stream(named: "campaigns.csv", header: CampaignReports.header) {
      last in
      let page = try await store.campaigns(
        app: app, matching: CampaignQuery(""), after: last, limit: 100)
      let totals = try await store.totals(ofCampaigns: page.elements.map(\.id), app: app)
      let rows = page.elements.map { CampaignReports.row($0, totals[$0.id] ?? SendTotals()) }
      return (rows, page.cursor)
    }
  }

  /// The number of sends that are read at once for CSV.
  static let csvPageSize = 500

  private static func send(_ id: String, _ request: PageRequest) async throws -> Send {
    guard let send = try await request.router.store.send(id, app: request.app.id) else {
      throw RequestError.notFound("notification with this id")
    }
    return send
  }

  /// The results of a send, by language if the send is small or if the query asks for it.
  private static func results(_ request: PageRequest) async throws -> SendResults {
    let send = try await Self.send(request.call.parameter("send"), request)
    let counts =
      send.counts.sent > 0
      && (send.counts.sent <= LanguageResult.quickLimit || request.call.query("languages") != nil)
    return try await SendResults(send, request, countsLanguages: counts)
  }

  private static func sendReport(_ request: PageRequest) async throws -> HTTPResponse {
    let store = request.router.store
    let results = try await Self.results(request)
    let send = results.send
    let view = SendView(
      request: request, send: send,
      reasons: try await store.reasons(of: send.id, app: send.app),
      mediaFailures: try await store.mediaFailures(of: send.id, app: send.app))
    var report = SendReport(
      request: request, results: results, failures: view.failures,
      template: try await store.templateCounts(of: send.id, app: send.app),
      audiences: try await SendAudiences(of: [send], request))
    report.sends = try await store.uncountedSends(
      app: send.app, matching: .withoutTriggered, after: nil, limit: 25)
    if let origin = send.origin {
      report.campaign = try await store.campaign(origin.campaign, app: send.app)
    }
    return WebPage(
      title: "Report: \(send.summary)", section: .reports, main: report.html, scripts: ["charts.js"]
    ).response(for: request)
  }

  private static func sendCSV(_ request: PageRequest) async throws -> HTTPResponse {
    let results = try await Self.results(request)
    return CSVTable(rows: [SendResults.header] + results.rows).response(
      named: "report-\(results.send.id).csv")
  }

  private static func comparison(_ request: PageRequest) async throws -> HTTPResponse {
    var both: [SendResults] = []
    for name in ["a", "b"] {
      let send = try await Self.send(request.call.query(name) ?? "", request)
      both.append(try await SendResults(send, request, countsLanguages: false))
    }
    let view = SendComparison(request: request, first: both[0], second: both[1])
    return WebPage(
      title: "Comparison: \(both[0].send.summary) and \(both[1].send.summary)", section: .reports,
      main: view.html, scripts: ["charts.js"]
    ).response(for: request)
  }

  /// The counts of each day.
  private static func series(
    _ period: ReportPeriod, _ request: PageRequest
  ) async throws -> [ReportsView.Series] {
    var series: [ReportsView.Series] = []
    for counter in ReportsView.counters {
      let values = try await CounterValue.series(
        of: counter, app: request.app.id, in: period.times, every: ReportPeriod.day,
        request.router.store)
      let before = try await request.router.store.counts(
        of: counter, app: request.app.id, from: period.before.lowerBound,
        to: period.before.upperBound)
      series.append(.init(counter: counter, values: values, before: before.map(\.count)))
    }
    return series
  }
}
