import Markup
import PushStore

/// An app's counts by day, each as a chart and as a table.
struct ReportsView {
  struct Series: Sendable {
    var counter: Counter
    var values: [CounterValue]
  }

  /// In the order of the page.
  private static let groups: [(title: String, layout: String, counters: [Counter])] = [
    ("In the app", "three", [.opens, .sessions, .activeUsers]),
    ("Devices and pushes", "two", [.installs, .uninstalls, .pushesSent, .pushesRejected]),
  ]
  static let counters = groups.flatMap(\.counters)

  var visit: Visit
  var sends: SendReports
  /// `nil` where the address named no days.
  var span: ReportSpan?
  var series: [Series] = []
  var problem: String?

  private var path: String { visit.path(.reports) }

  var html: HTML {
    """
    <div class="head"><h1>Reports</h1>\(download)</div>
    \(picker)
    \(problem.map(HTML.alert))
    \(isEmpty ? nothing : nil)
    \(Self.groups.map(charts))
    \(sends.html)
    """
  }

  private var download: HTML? {
    span.map { "<a class=\"button\" href=\"\(path)/days.csv?\($0.query)\">Save days as CSV</a>" }
  }

  private var picker: HTML {
    let offers = ReportSpan.offered.map { days -> HTML in
      """
      <a class="button" href="\(path)?days=\(days)"\
      \(" aria-current=\"true\"", if: span?.days == days)>\(days) days</a>
      """
    }
    let first = visit.call.query("from") ?? span?.first ?? ""
    let last = visit.call.query("to") ?? span?.last ?? ""
    return """
      <div class="range"><div class="row" role="group" aria-label="Days up to today">\(offers)</div>
      <form method="get" action="\(path)" class="row">
      <label for="from">From</label>
      <input id="from" name="from" type="date" required max="\(visit.now.date)" value="\(first)">
      <label for="to">to</label>
      <input id="to" name="to" type="date" required max="\(visit.now.date)" value="\(last)">
      <button>Show</button></form>
      <p class="help">Days begin at midnight UTC. Today is not over.</p></div>
      """
  }

  private var isEmpty: Bool {
    !series.isEmpty && series.allSatisfy { $0.values.allSatisfy { $0.count == 0 } }
  }

  private var nothing: HTML {
    """
    <p class="note">Nothing was counted on these days. Opens, sessions and active users are counted \
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
    let (title, meaning) = series.counter.words
    let chart = BarChart(
      id: series.counter.rawValue, title: "\(title) by day", unit: title.lowercased(),
      bars: series.values.map { value in
        .init(label: value.time.date, short: value.time.shortDate, count: value.count)
      })
    // Of days, the sum of active devices would count one device many times.
    let counts = series.values.map(\.count)
    let isPeak = series.counter == .activeUsers
    let whole = isPeak ? counts.max() ?? 0 : counts.reduce(0, +)
    return ChartCard(
      title: title, whole: "\(whole)", meaning: isPeak ? "Devices of the busiest day." : meaning,
      unit: "Day", chart: chart
    ).html
  }
}

extension Counter {
  /// What it is called, and what it counts.
  fileprivate var words: (title: String, meaning: String) {
    switch self {
    case .opens: ("Opens", "How often the app was opened.")
    case .sessions: ("Sessions", "How often somebody began to use the app.")
    case .activeUsers: ("Active users", "Devices on which the app was opened that day.")
    case .installs: ("Installs", "Devices that were seen for the first time.")
    case .uninstalls: ("Uninstalls", "Devices that Apple said the app had gone from.")
    case .pushesSent: ("Pushes sent", "Pushes that Apple took.")
    case .pushesRejected: ("Pushes rejected", "Pushes that Apple, or the server, refused.")
    case .pushesInvalid: ("Pushes invalid", "Pushes for devices that Apple called invalid.")
    }
  }
}
