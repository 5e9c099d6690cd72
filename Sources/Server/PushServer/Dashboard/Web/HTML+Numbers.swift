import Markup

/// Numbers, which a script writes as the viewer's language does; without a script they are written as in English.
extension HTML {
  /// A count: `12,345`.
  static func count(_ count: Int) -> HTML {
    // Below a thousand all languages write the same digits.
    count.magnitude < 1000 ? "\(count)" : number("\(count)", shown: grouped(count))
  }

  /// A rate in percent with one decimal: `12.3 %`.
  static func percent(_ rate: Double) -> HTML { decimal(rate) + " %" }

  /// A difference of rates in percentage points: `1.2 points`.
  static func points(_ difference: Double) -> HTML { decimal(difference) + " points" }

  /// An interval of such differences: `1.2 to 3.4 points`.
  static func points(_ interval: ClosedRange<Double>) -> HTML {
    "\(decimal(interval.lowerBound)) to \(points(interval.upperBound))"
  }

  private static func decimal(_ rate: Double) -> HTML {
    let shown = Proportion.percent(rate).dropLast(2)
    return number(shown.replacing("−", with: "-"), shown: String(shown))
  }

  private static func number(_ value: some StringProtocol, shown: String) -> HTML {
    "<data value=\"\(String(value))\">\(shown)</data>"
  }

  /// The digits in groups of three.
  static func grouped(_ count: Int) -> String {
    let digits = String(count.magnitude)
    let first = digits.count % 3
    var groups = first > 0 ? [digits.prefix(first)] : []
    var rest = digits.dropFirst(first)
    while !rest.isEmpty {
      groups.append(rest.prefix(3))
      rest = rest.dropFirst(3)
    }
    return (count < 0 ? "−" : "") + groups.joined(separator: ",")
  }
}

extension Proportion {
  var rateText: HTML { .percent(rate) }

  /// The rate with its 95 % interval, or a dash if there were no trials.
  var rateWithInterval: HTML {
    guard trials > 0 else { return "–" }
    return
      "\(rateText) (\(HTML.percent(interval.lowerBound)) to \(HTML.percent(interval.upperBound)))"
  }
}
