import Markup
import PushStore

/// What one send came to hour by hour, and what became of its media.
struct SendHours {
  /// How many hours are drawn from the first on; the rest trickles in, and stands in the sums alone.
  private static let drawn = 48
  private static let hour: Int64 = 3_600_000

  var hours: [SendHour]

  var html: HTML {
    guard let first = hours.first, let last = hours.last else { return "" }
    let span = (last.time.milliseconds - first.time.milliseconds) / Self.hour
    let count = Int(min(Int64(Self.drawn), max(5, span) + 1))
    let charts = [
      ("Sent", "Pushes that Apple took.", \SendHour.sent),
      ("Shown", "As devices reported.", \SendHour.displayed),
      ("Opened", "As devices reported.", \SendHour.opened),
    ].map { title, meaning, value in
      chart(title, meaning, value, from: first.time, count: count)
    }
    return """
      <h2>By the hour</h2>
      <div class="charts three">\(charts)</div>
      \(media)
      """
  }

  private func chart(
    _ title: String, _ meaning: String, _ value: KeyPath<SendHour, Int>, from first: Timestamp,
    count: Int
  ) -> HTML {
    let values = Dictionary(
      hours.map { ($0.time, $0[keyPath: value]) }, uniquingKeysWith: { $1 })
    let bars = (0..<count).map { index in
      let time = first + .milliseconds(Int64(index) * Self.hour)
      return BarChart.Bar(
        label: time.words, short: String(time.words.dropFirst(11).prefix(5)),
        count: values[time] ?? 0, time: time)
    }
    return ChartCard(
      title: title, whole: "\(hours.reduce(0) { $0 + $1[keyPath: value] })", meaning: meaning,
      unit: "Hour",
      chart: BarChart(
        id: "hours-\(title.lowercased())", title: "\(title) by the hour",
        unit: title.lowercased(), bars: bars)
    ).html
  }

  /// By outcome, the most frequent first.
  private var media: HTML? {
    var sums: [String: Int] = [:]
    for hour in hours { sums.merge(hour.media, uniquingKeysWith: +) }
    guard !sums.isEmpty else { return nil }
    let all = sums.values.reduce(0, +)
    let rows = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
      outcome, count -> HTML in
      """
      <tr><th scope="row">\(Self.words[outcome] ?? outcome)</th><td class="number">\(count)</td>\
      <td class="share">\(.share(count, of: all, outcome))</td></tr>
      """
    }
    let table: HTML = """
      <table><thead><tr><th scope="col">What became of it</th>\
      <th scope="col" class="number">Devices</th>\
      <th scope="col"><span class="hidden">As a bar</span></th></tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    return "<h2>Picture, film or sound</h2>\(HTML.table("Media", table))"
  }

  /// As the extension's receipts name it.
  private static let words = [
    "attached": "Shown", "alternative": "Another file, or the text in its place, was shown",
    "failed": "Not shown", "skipped": "Not fetched",
  ]
}
