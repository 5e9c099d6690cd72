import Markup

/// A card with a chart, its total, and its numbers as a table, the newest first.
struct ChartCard: Sendable {
  var title: String
  /// The total over all bars, or another number that sums up the chart.
  var total: HTML
  /// The explanation of what is counted.
  var explanation: String
  /// The period of one bar: `Day` or `Hour`.
  var unit: String
  var chart: BarChart

  var html: HTML {
    let rows = chart.bars.reversed().map { bar -> HTML in
      """
      <tr><th scope="row">\(bar.time.map(HTML.time) ?? "\(bar.label)")</th>\
      <td class="number">\(.count(bar.count))</td></tr>
      """
    }
    let table: HTML = """
      <table><thead><tr><th scope="col">\(unit)</th><th scope="col" class="number">\(title)</th></tr>\
      </thead><tbody>\(rows)</tbody></table>
      """
    return """
      <section class="card chart"><h3>\(title)</h3><p class="total">\(total)</p>
      \(chart.html)
      <details><summary>\(title) as a table</summary><p class="help">\(explanation)</p>\
      \(.table(chart.title, table))</details>
      </section>
      """
  }
}

extension HTML {
  /// A bar that shows a share.
  static func share(_ part: Int, of whole: Int, _ label: String) -> HTML {
    "<meter min=\"0\" max=\"\(max(1, whole))\" value=\"\(part)\" aria-label=\"\(label)\"></meter>"
  }
}
