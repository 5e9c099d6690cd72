import Markup
import PushModel

/// A bar chart of counts, as SVG that needs no script and takes its colours from the style sheet.
struct BarChart: Sendable {
  struct Bar: Sendable {
    /// The name of the bar, such as a day.
    var label: String
    /// The short label under the axis.
    var short: String
    var count: Int
    /// The start of the bar's period, if the label is to be shown in the viewer's time zone.
    var time: Timestamp?
  }

  /// The prefix of the element IDs, unique on the page and without spaces.
  var id: String
  var title: String
  /// The unit of the counts, shown above the axis.
  var unit: String
  var bars: [Bar]

  // In units of the `viewBox`, which the page scales.
  private static let left = 48.0
  private static let right = 468.0
  private static let top = 28.0
  private static let bottom = 172.0

  var html: HTML {
    guard !bars.isEmpty else { return "<p class=\"muted\">No data.</p>" }
    return """
      <svg class="bars" viewBox="0 0 480 204" role="img" aria-labelledby="\(id)-title" \
      aria-describedby="\(id)-desc" data-left="\(Self.left)" data-right="\(Self.right)" \
      data-top="\(Self.top)" data-height="\(Self.bottom - Self.top)">
      <title id="\(id)-title">\(title)</title>
      <desc id="\(id)-desc">\(summary)</desc>
      <text class="unit" x="0" y="14">\(unit)</text>
      <g class="grid">\(grid)</g>
      <g>\(rectangles)</g>
      <g>\(labels)</g>
      </svg>
      """
  }

  /// The text alternative for screen readers.
  private var summary: String {
    guard let first = bars.first, let last = bars.last else { return "" }
    let span =
      bars.count == 1 ? "\(first.label)" : "\(bars.count) bars, \(first.label) to \(last.label)"
    guard let highest = bars.max(by: { $0.count < $1.count }), highest.count > 0 else {
      return "\(span): all zero."
    }
    return "\(span): maximum \(HTML.grouped(highest.count)), \(highest.label)."
  }

  private var scale: RoundScale { RoundScale(upTo: bars.map(\.count).max() ?? 0) }

  private func y(_ value: Double) -> Double {
    Self.bottom - (Self.bottom - Self.top) * min(1, max(0, value / scale.top))
  }

  private var grid: [HTML] {
    scale.ticks.map { tick -> HTML in
      let y = y(tick.value)
      return """
        <line x1="\(Self.left)" x2="\(Self.right)" y1="\(y)" y2="\(y)"/>\
        <text x="\(Self.left - 6)" y="\(y + 4)" text-anchor="end">\(tick.text)</text>
        """
    }
  }

  private var slot: Double { (Self.right - Self.left) / Double(bars.count) }

  private func middle(_ index: Int) -> Double { Self.left + slot * (Double(index) + 0.5) }

  /// The bars of counts above zero, at least one unit high.
  private var rectangles: [HTML] {
    let width = min(28, slot * 0.72)
    return bars.enumerated().filter { $1.count > 0 }.map { index, bar -> HTML in
      let y = min(y(Double(bar.count)), Self.bottom - 1)
      return """
        <rect x="\(middle(index) - width / 2)" y="\(y)" width="\(width)" \
        height="\(Self.bottom - y)" rx="\(min(2, width / 4))">\
        <title\(Self.timeAttribute(bar))>\(bar.label): \(HTML.grouped(bar.count))</title></rect>
        """
    }
  }

  /// The labels of at most seven bars: each one, every second one, or those whole weeks apart.
  private var labels: [HTML] {
    let step = [1, 2, 7, 14, 28, 56, 84].first { $0 * 5 >= bars.count } ?? bars.count
    return stride(from: 0, to: bars.count, by: step).map { index -> HTML in
      """
      <text x="\(middle(index))" y="196" text-anchor="middle"\(Self.timeAttribute(bars[index]))>\
      \(bars[index].short)</text>
      """
    }
  }

  /// The time for the script that converts labels to the viewer's time zone.
  private static func timeAttribute(_ bar: Bar) -> HTML? {
    bar.time.map { " data-time=\"\($0.iso8601)\"" }
  }
}

/// An axis from 0 to at least the largest count, with at most six ticks.
///
/// Ticks are whole numbers, spaced by 1, 2 or 5 times a power of ten.
struct RoundScale: Sendable {
  private let step: Double
  private let steps: Int

  init(upTo largest: Int) {
    // Counts above 2^53 lose precision here, which is invisible in a chart.
    let largest = Double(max(1, largest))
    let factors = [2, 2.5, 2]
    var (step, index) = (1.0, 0)
    while largest / step > 5 {
      step *= factors[index % 3]
      index += 1
    }
    self.step = step
    steps = Int((largest / step).rounded(.up))
  }

  var top: Double { step * Double(steps) }

  var ticks: [(value: Double, text: String)] {
    let prefixes = [(1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")]
    let (unit, prefix) = prefixes.first { top >= $0.0 && top >= 10_000 } ?? (1, "")
    return (0...steps).map { index in
      let value = step * Double(index)
      let tenths = Int((value / unit * 10).rounded())
      let digits = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
      return (value, value == 0 || prefix.isEmpty ? digits : "\(digits) \(prefix)")
    }
  }
}

extension HTML.StringInterpolation {
  /// A length in units of the `viewBox`, rounded to hundredths.
  fileprivate mutating func appendInterpolation(_ length: Double) {
    let hundredths = Int((length * 100).rounded())
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    appendInterpolation(whole)
    guard rest != 0 else { return }
    appendLiteral(rest < 10 ? ".0" : ".")
    appendInterpolation(rest)
  }
}
