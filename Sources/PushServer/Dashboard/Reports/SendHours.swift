import Markup
import PushStore

/// The results of one send by hour, and the results of its media.
struct SendHours {
  /// The most hours in a chart, from the first one; later hours count in the totals only.
  private static let maximumHours = 48
  private static let hour: Int64 = 3_600_000

  var hours: [SendHour]

  var html: HTML {
    guard let first = hours.first, let last = hours.last else {
      return "<h2>By hour</h2><p class=\"muted\">APNs has not answered for any device yet.</p>"
    }
    let span = (last.time.milliseconds - first.time.milliseconds) / Self.hour
    let count = Int(min(Int64(Self.maximumHours), max(5, span) + 1))
    let charts = [
      ("Sent", "Pushes that APNs accepted.", \SendHour.sent),
      ("Displayed", "Reported by devices.", \SendHour.displayed),
      ("Opened", "Reported by devices.", \SendHour.opened),
    ].map { title, explanation, value in
      chart(title, explanation: explanation, of: value, from: first.time, count: count)
    }
    return """
      <h2>By hour</h2>
      <div class="charts three">\(charts)</div>
      \(media)
      """
  }

  private func chart(
    _ title: String, explanation: String, of value: KeyPath<SendHour, Int>,
    from first: Timestamp, count: Int
  ) -> HTML {
    let values = Dictionary(
      hours.map { ($0.time, $0[keyPath: value]) }, uniquingKeysWith: { $1 })
    let bars = (0..<count).map { index in
      let time = first + .milliseconds(Int64(index) * Self.hour)
      return BarChart.Bar(
        label: time.utcText, short: String(time.utcText.dropFirst(11).prefix(5)),
        count: values[time] ?? 0, time: time)
    }
    return ChartCard(
      title: title, total: "\(hours.reduce(0) { $0 + $1[keyPath: value] })",
      explanation: explanation, unit: "Hour",
      chart: BarChart(
        id: "hours-\(title.lowercased())", title: "\(title) by hour",
        unit: title.lowercased(), bars: bars)
    ).html
  }

  /// The results of media, the most frequent first.
  private var media: HTML? {
    var sums: [String: Int] = [:]
    for hour in hours { sums.merge(hour.media, uniquingKeysWith: +) }
    guard !sums.isEmpty else { return nil }
    let all = sums.values.reduce(0, +)
    let rows = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
      outcome, count -> HTML in
      """
      <tr><th scope="row">\(Self.labels[outcome] ?? outcome)</th><td class="number">\(count)</td>\
      <td class="share">\(.share(count, of: all, outcome))</td></tr>
      """
    }
    let table: HTML = """
      <table><thead><tr><th scope="col">Result</th>\
      <th scope="col" class="number">Devices</th>\
      <th scope="col"><span class="hidden">As a bar</span></th></tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    return "<h2>Media</h2>\(HTML.table("Media", table))"
  }

  /// The labels of the results that the service extension reports.
  private static let labels = [
    "attached": "Displayed", "alternative": "Fallback media or text displayed",
    "failed": "Not displayed", "skipped": "Not downloaded",
  ]
}
