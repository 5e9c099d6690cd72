import Markup
import PushModel

/// The report of an app: its counts by day as charts and tables, and its newest sends.
struct ReportsView {
  struct Series: Sendable {
    var counter: Counter
    var values: [CounterValue]
  }

  private static let groups: [(title: String, layout: String, counters: [Counter])] = [
    ("App usage", "three", [.opens, .sessions, .activeUsers]),
    ("Devices and pushes", "two", [.installs, .uninstalls, .pushesSent, .pushesRejected]),
  ]
  static let counters = groups.flatMap(\.counters)

  var request: PageRequest
  var sends: SendReports
  var campaigns: CampaignReports
  /// The days of the report; `nil` if the query of the URL is invalid.
  var period: ReportPeriod?
  var series: [Series] = []
  var problem: String?

  private var path: String { request.path(.reports) }

  var html: HTML {
    """
    <div class="head"><h1>Reports</h1>\(download)</div>
    \(picker)
    \(problem.map { HTML.problem($0) })
    \(isEmpty ? emptyNote : nil)
    \(Self.groups.map(charts))
    \(sends.html)
    \(campaigns.html)
    """
  }

  private var download: HTML? {
    period.map {
      "<a class=\"button\" href=\"\(path)/days.csv?\($0.query)\">Export days as CSV</a>"
    }
  }

  private var picker: HTML {
    let presets = ReportPeriod.presets.map { days -> HTML in
      """
      <a class="button" href="\(path)?days=\(days)"\
      \(" aria-current=\"true\"", if: period?.days == days)>\(days) days</a>
      """
    }
    let first = request.call.query("from") ?? period?.first ?? ""
    let last = request.call.query("to") ?? period?.last ?? ""
    return """
      <div class="range"><div class="row" role="group" aria-label="Days up to today">\(presets)</div>
      <form method="get" action="\(path)" class="row">
      <label for="from">From</label>
      <input id="from" name="from" type="date" required max="\(request.now.date)" value="\(first)">
      <label for="to">to</label>
      <input id="to" name="to" type="date" required max="\(request.now.date)" value="\(last)">
      <button>Show</button></form>
      <p class="help">Days start at midnight UTC. Today is incomplete.</p></div>
      """
  }

  private var isEmpty: Bool {
    !series.isEmpty && series.allSatisfy { $0.values.allSatisfy { $0.count == 0 } }
  }

  private var emptyNote: HTML {
    """
    <p class="note">No data for these days. Opens, sessions and active users are counted \
    when an app updates its device with <code>"opened": true</code>.</p>
    """
  }

  private func charts(
    _ group: (title: String, layout: String, counters: [Counter])
  ) -> HTML {
    let charts = series.filter { group.counters.contains($0.counter) }.map(chart)
    guard !charts.isEmpty else { return "" }
    return "<h2>\(group.title)</h2><div class=\"charts \(group.layout)\">\(charts)</div>"
  }

  private func chart(_ series: Series) -> HTML {
    let (title, explanation) = series.counter.labels
    let chart = BarChart(
      id: series.counter.rawValue, title: "\(title) by day", unit: title.lowercased(),
      bars: series.values.map { value in
        .init(label: value.time.date, short: value.time.shortDate, count: value.count)
      })
    // A sum of daily active devices would count a device once for each day.
    let counts = series.values.map(\.count)
    let isPeak = series.counter == .activeUsers
    let total = isPeak ? counts.max() ?? 0 : counts.reduce(0, +)
    return ChartCard(
      title: title, total: "\(total)",
      explanation: isPeak ? "The highest number of devices on one day." : explanation,
      unit: "Day", chart: chart
    ).html
  }
}

extension Counter {
  /// The name of the counter, and what it counts.
  fileprivate var labels: (title: String, explanation: String) {
    switch self {
    case .opens: ("Opens", "Times the app was opened.")
    case .sessions: ("Sessions", "Times a user started to use the app.")
    case .activeUsers: ("Active users", "Devices that opened the app on that day.")
    case .installs: ("Installs", "Devices seen for the first time.")
    case .uninstalls: ("Uninstalls", "Devices that APNs reported as unregistered.")
    case .pushesSent: ("Pushes sent", "Pushes that APNs accepted.")
    case .pushesRejected: ("Pushes rejected", "Pushes that APNs or the server rejected.")
    case .pushesInvalid: ("Pushes invalid", "Pushes to device tokens that APNs called invalid.")
    }
  }
}
