import Markup
import PushModel

/// Two sends side by side: their counts, rates with the difference, and openings by hour.
struct SendComparison {
  var request: PageRequest
  var first, second: SendResults

  static func path(_ request: PageRequest) -> String { "\(request.path(.reports))/compare" }

  private var both: [SendResults] { [first, second] }

  var html: HTML {
    """
    <p><a href="\(request.path(.reports))">Reports</a></p>
    <h1>Two sends side by side</h1>
    \(table)
    <p class="help">\(conclusion) Rates are of the devices for which APNs accepted the push. Two sends to different \
    audiences, or at different hours, may differ for that reason alone; a campaign with variants compares fairly.</p>
    <h2>Opened by hour</h2>
    <div class="charts">\(both.enumerated().map { index, one in
      SendHours(hours: one.hours).openings(title: "\(Self.letters[index]): \(one.send.summary)", id: "opened-\(index)")
    })</div>
    """
  }

  private static let letters = ["A", "B"]

  private var table: HTML {
    let heads = both.enumerated().map { index, one -> HTML in
      """
      <th scope="col">\(Self.letters[index]): <a href="\(SendReport.path(of: one.send, request))">\(one.send.summary)</a><br>\
      \(.time(one.send.startedAt ?? one.send.createdAt))</th>
      """
    }
    let counts = zip(first.send.counts.rows, second.send.counts.rows).map { one, other -> HTML in
      """
      <tr><th scope="row">\(one.title)</th><td>\(.count(one.count))</td><td>\(.count(other.count))</td><td></td></tr>

      """
    }
    var rates = [
      row("Click-through rate", first.clickThrough, against: second.clickThrough),
      row("Influenced opens", first.influenced, against: second.influenced),
    ]
    let events = Set(both.flatMap { $0.conversions.map(\.event) }).sorted()
    // A device may have many conversions, so that their difference has no interval.
    rates += events.map { event -> HTML in
      let cells = both.map { one -> HTML in
        let count = one.conversions.first { $0.event == event }?.count ?? 0
        let share = one.perDevice(count).map { " (\(.percent($0)))" as HTML }
        return "<td>\(.count(count))\(share)</td>"
      }
      return "<tr><th scope=\"row\">Conversions “\(event)”</th>\(cells)<td></td></tr>\n"
    }
    return .table(
      "Two sends side by side",
      """
      <table class="dense even"><thead><tr><th scope="col"><span class="hidden">What</span></th>\(heads)\
      <th scope="col">Difference, B from A</th></tr></thead><tbody>\(counts)\(rates)</tbody></table>
      """)
  }

  private func row(_ title: String, _ one: Proportion, against other: Proportion) -> HTML {
    let isKnown = one.trials > 0 && other.trials > 0
    let difference = other.difference(from: one)
    let words: HTML =
      "\(HTML.points(difference.value)) (\(HTML.points(difference.interval)))"
    let isChance = isKnown && other.pValue(against: one) >= 0.05
    return """
      <tr><th scope="row">\(title)</th><td>\(one.rateWithInterval)</td><td>\(other.rateWithInterval)</td>\
      <td>\(isKnown ? words : "–")\(" <span class=\"muted\">may be chance</span>", if: isChance)</td></tr>

      """
  }

  private var conclusion: String {
    let (one, other) = (first.clickThrough, second.clickThrough)
    guard one.trials > 0, other.trials > 0 else {
      return
        "A rate needs devices for which APNs accepted the push, which one of the two does not have."
    }
    guard one.successes + other.successes > 0 else {
      return "No device has reported an opening of either."
    }
    let p = other.pValue(against: one)
    let better = other.rate > one.rate ? "B" : "A"
    return p < 0.05
      ? "\(better) was opened more often, and such a difference is hardly chance."
      : "The difference between the click-through rates may be chance."
  }
}

/// The form that chooses another send to compare a report with.
struct ComparisonForm {
  var request: PageRequest
  var send: Send
  /// The newest sends of the app.
  var others: [Send]

  var html: HTML? {
    let others = others.filter { $0.id != send.id && $0.counts.sent > 0 }
    guard !others.isEmpty else { return nil }
    let options = others.map { other -> HTML in
      """
      <option value="\(other.id)">\(other.name ?? other.summary) (\(other.createdAt.utcText.prefix(10)))</option>
      """
    }
    return """
      <form method="get" action="\(SendComparison.path(request))" class="range row">
      <input type="hidden" name="a" value="\(send.id)">
      <label for="b">Compare with</label><select id="b" name="b">\(options)</select>
      <button>Compare</button></form>
      """
  }
}
