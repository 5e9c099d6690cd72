import Markup
import PushStore

/// Counts side by side as bars: SVG that needs no script, and takes its colours from the style.
struct BarChart: Sendable {
  struct Bar: Sendable {
    /// What it is the count of, such as a day.
    var label: String
    /// The same where there is little room, under the axis.
    var short: String
    var count: Int
    /// When it began, where that is shown in the viewer's own zone.
    var time: Timestamp?
  }

  /// What tells its parts from those of another chart on the page: a word without spaces.
  var id: String
  var title: String
  /// What is counted, which stands over the axis.
  var unit: String
  var bars: [Bar]

  // The drawing's own units; the page scales them.
  private static let left = 48.0
  private static let right = 468.0
  private static let top = 28.0
  private static let bottom = 172.0

  var html: HTML {
    guard !bars.isEmpty else { return "<p class=\"muted\">There is nothing to draw.</p>" }
    return """
      <svg class="bars" viewBox="0 0 480 204" role="img" aria-labelledby="\(id)-title" \
      aria-describedby="\(id)-desc" data-left="\(Self.left)" data-right="\(Self.right)" \
      data-top="\(Self.top)" data-height="\(Self.bottom - Self.top)">
      <title id="\(id)-title">\(title)</title>
      <desc id="\(id)-desc">\(words)</desc>
      <text class="unit" x="0" y="14">\(unit)</text>
      <g class="grid">\(grid)</g>
      <g>\(drawnBars)</g>
      <g>\(names)</g>
      </svg>
      """
  }

  /// What somebody who does not see it is told.
  private var words: String {
    guard let first = bars.first, let last = bars.last else { return "" }
    let span =
      bars.count == 1 ? "\(first.label)" : "\(bars.count) bars, \(first.label) to \(last.label)"
    guard let most = bars.max(by: { $0.count < $1.count }), most.count > 0 else {
      return "\(span): none."
    }
    return "\(span): at most \(most.count), \(most.label)."
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

  /// Nothing stands for none; one of many still is a hair high.
  private var drawnBars: [HTML] {
    let width = min(28, slot * 0.72)
    return bars.enumerated().filter { $1.count > 0 }.map { index, bar -> HTML in
      let y = min(y(Double(bar.count)), Self.bottom - 1)
      return """
        <rect x="\(middle(index) - width / 2)" y="\(y)" width="\(width)" \
        height="\(Self.bottom - y)" rx="\(min(2, width / 4))">\
        <title\(Self.moment(bar))>\(bar.label): \(bar.count)</title></rect>
        """
    }
  }

  /// No more than there is room for: every bar's, every second one's, or those whole weeks apart.
  private var names: [HTML] {
    let step = [1, 2, 7, 14, 28, 56, 84].first { $0 * 5 >= bars.count } ?? bars.count
    return stride(from: 0, to: bars.count, by: step).map { index -> HTML in
      """
      <text x="\(middle(index))" y="196" text-anchor="middle"\(Self.moment(bars[index]))>\
      \(bars[index].short)</text>
      """
    }
  }

  /// For the script that knows the viewer's zone.
  private static func moment(_ bar: Bar) -> HTML? {
    bar.time.map { " data-time=\"\($0.iso8601)\"" }
  }
}

/// An axis that ends at or past a largest count: up to six round, whole numbers from 0 on, which
/// are 1, 2 or 5 times a power of ten apart.
struct RoundScale: Sendable {
  private let step: Double
  private let steps: Int

  init(upTo largest: Int) {
    // A count of more than 2^53 is drawn a hair off, which nobody sees.
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
  /// A length of a drawing, to a hundredth.
  fileprivate mutating func appendInterpolation(_ length: Double) {
    let hundredths = Int((length * 100).rounded())
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    appendInterpolation(whole)
    guard rest != 0 else { return }
    appendLiteral(rest < 10 ? ".0" : ".")
    appendInterpolation(rest)
  }
}
