import Markup
import PushModel

/// The report of an app: the way of its notifications, its campaigns and sends, and its counts by day.
struct ReportsView {
  struct Series: Sendable {
    var counter: Counter
    var values: [CounterValue]
    /// The counts of as many days before.
    var before: [Int]

    /// The sum of some days or, of active devices, the highest day: a sum would count a device once for each day.
    private func total(_ counts: [Int]) -> Int {
      counter == .activeUsers ? counts.max() ?? 0 : counts.reduce(0, +)
    }

    var change: Change { Change(now: total(values.map(\.count)), before: total(before)) }
  }

  static let counters: [Counter] = [
    .opens, .sessions, .activeUsers, .installs, .uninstalls, .pushesSent, .pushesRejected,
  ]

  var request: PageRequest
  var sends: SendReports
  var campaigns: CampaignReports
  /// The days of the report; `nil` if the query of the URL is invalid.
  var period: ReportPeriod?
  var series: [Series] = []
  /// The sums over the notifications of the days, and of as many days before.
  var totals = SendTotals()
  var before = SendTotals()
  var problem: String?

  private var path: String { request.path(.reports) }

  var html: HTML {
    """
    <div class="head"><h1>Reports</h1>\(download)</div>
    \(picker)
    \(problem.map { HTML.problem($0) })
    \(funnel)
    \(period == nil ? nil : isEmpty ? empty : charts)
    \(campaigns.html)
    \(sends.html)
    """
  }

  /// The way of the notifications of the days; `nil` if there are none.
  private var funnel: HTML? {
    guard totals.sends > 0 else { return nil }
    let steps: [Funnel.Step] = [
      .init(title: "Targeted", count: totals.targeted, note: change(\.targeted)),
      .init(title: "Accepted", count: totals.accepted, note: change(\.accepted)),
      .init(title: "Displayed", count: totals.displayed, note: change(\.displayed)),
      .init(title: "Opened", count: totals.opened, note: change(\.opened)),
      Funnel.conversions(totals.conversions),
    ]
    return """
      <h2 class="hidden">Notifications</h2>\(Funnel(steps: steps).html)
      <p class="help">Devices of the \(.count(totals.sends)) \(totals.sends == 1 ? "notification" : "notifications") \
      of these days, and the events that are credited to them. Changes are against as many days before.</p>
      """
  }

  private func change(_ count: KeyPath<SendTotals, Int>) -> HTML? {
    Change(now: totals[keyPath: count], before: before[keyPath: count]).html
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
      <div class="range row"><div class="row" role="group" aria-label="Days up to today">\(presets)</div>
      <form method="get" action="\(path)" class="row">
      <label for="from">From</label>
      <input id="from" name="from" type="date" required max="\(request.now.date)" value="\(first)">
      <label for="to">to</label>
      <input id="to" name="to" type="date" required max="\(request.now.date)" value="\(last)">
      <button>Show</button></form>
      <p class="help">Days start at midnight UTC.\(" Today is incomplete.", if: includesToday)</p></div>
      """
  }

  private var includesToday: Bool { period?.last == request.now.date }

  private var isEmpty: Bool { series.allSatisfy { $0.values.allSatisfy { $0.count == 0 } } }

  /// What a report of these days would need, in place of charts without bars.
  private var empty: HTML {
    let compose: HTML? =
      request.mayOpen(.compose)
      ? "<p><a class=\"button primary\" href=\"\(request.path(.compose))\">Compose</a></p>" : nil
    return """
      <div class="card empty"><h2>No data for these days</h2>
      <p>Sent and rejected pushes are counted as soon as something is sent. Opens, sessions, active users and installs \
      are counted when the app reports its device.</p>\(compose)</div>
      """
  }

  private var charts: HTML {
    "<h2>By day</h2><div class=\"charts four\">\(series.map(chart))</div>"
  }

  private func chart(_ series: Series) -> HTML {
    let (title, explanation) = series.counter.labels
    let chart = BarChart(
      id: series.counter.rawValue, title: "\(title) by day", unit: title.lowercased(),
      bars: series.values.map { value in
        .init(label: value.time.date, short: value.time.shortDate, count: value.count)
      })
    let isPeak = series.counter == .activeUsers
    return ChartCard(
      title: title, total: "\(.count(series.change.now))\(series.change.html)",
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
