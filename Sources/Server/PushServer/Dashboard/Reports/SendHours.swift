import Markup
import PushModel

/// The results of one send by hour, and the results of its media.
struct SendHours {
  /// The largest number of hours in a chart, from the first one; later hours count only in the totals.
  private static let maximumHours = 48
  private static let hour: Int64 = 3_600_000

  var hours: [SendHour]

  var html: HTML {
    guard let first = hours.first, let last = hours.last else {
      return "<h2>By hour</h2><p class=\"muted\">APNs has not answered for any device yet.</p>"
    }
    let count = Self.count(from: first, to: last)
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
      """
  }

  private static func count(from first: SendHour, to last: SendHour) -> Int {
    let span = (last.time.milliseconds - first.time.milliseconds) / hour
    return Int(min(Int64(maximumHours), max(5, span) + 1))
  }

  /// The chart of openings, with a title and the id of its elements.
  func openings(title: String, id: String) -> HTML {
    guard let first = hours.first, let last = hours.last else {
      return """
        <section class="card chart"><h3>\(title)</h3>
        <p class="muted">APNs has not answered for any device yet.</p></section>
        """
    }
    return chart(
      title, explanation: "Openings that devices reported.", of: \SendHour.opened, from: first.time,
      count: Self.count(from: first, to: last), id: id)
  }

  private func chart(
    _ title: String, explanation: String, of value: KeyPath<SendHour, Int>,
    from first: Timestamp, count: Int, id: String? = nil
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
      title: title, total: .count(hours.reduce(0) { $0 + $1[keyPath: value] }),
      explanation: explanation, unit: "Hour",
      chart: BarChart(
        id: id ?? "hours-\(title.lowercased())", title: "\(title) by hour",
        unit: id == nil ? title.lowercased() : "opened", bars: bars)
    ).html
  }

  /// The results of media, the most frequent first.
  var media: HTML? {
    let results = SendResults.media(in: hours)
    guard !results.isEmpty else { return nil }
    let all = results.reduce(0) { $0 + $1.count }
    let rows = results.map { outcome, count -> HTML in
      """
      <tr><th scope="row">\(Self.labels[outcome] ?? outcome)</th><td class="number">\(.count(count))</td>\
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
