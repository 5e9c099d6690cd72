extension Latency {
  /// Examples of the forms that ``init(parsing:)`` reads, for error messages.
  public static let forms = "50ms, 30ms-70ms, 50ms±20ms or p50=20ms,p99=300ms"

  /// Parses a latency from a text.
  ///
  /// `50ms` is the same delay for every answer; `30ms-70ms`, or `50ms±20ms` (`50ms+-20ms`), is a uniform distribution;
  /// `p50=20ms,p99=300ms` are percentiles as in ``percentiles(_:)``. The result is `nil` if the text has another form, or
  /// a delay is over a day.
  ///
  /// - Parameter text: The text.
  public init?(parsing text: String) {
    let latency =
      if text.hasPrefix("p") {
        Self.percentiles(text)
      } else if let (middle, spread) = Self.pair(text, "±") ?? Self.pair(text, "+-") {
        spread <= middle && middle + spread <= Self.longest
          ? Self.evenly(middle - spread...middle + spread) : nil
      } else if let (low, high) = Self.pair(text, "-") {
        low <= high ? Self.evenly(low...high) : nil
      } else {
        Duration(delay: text).map(Self.fixed)
      }
    guard let latency else { return nil }
    self = latency
  }

  /// Parses two durations with a separator between them.
  private static func pair(_ text: String, _ separator: String) -> (Duration, Duration)? {
    guard let range = text.firstRange(of: separator),
      let first = Duration(delay: text[..<range.lowerBound]),
      let second = Duration(delay: text[range.upperBound...])
    else { return nil }
    return (first, second)
  }

  private static func percentiles(_ text: String) -> Latency? {
    var waits: [Double: Duration] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, sides[0].hasPrefix("p"), let percent = Double(sides[0].dropFirst()),
        let wait = Duration(delay: sides[1]), waits.updateValue(wait, forKey: percent) == nil
      else { return nil }
    }
    return percentiles(waits)
  }
}

extension Duration {
  /// Parses `200ms`, `2s`, `5m` or `1h`, at most a day; a number without a unit is in `unit`.
  init?(delay text: some StringProtocol, unit: Duration = .seconds(1)) {
    let units: [(String, Duration)] = [
      ("ms", .milliseconds(1)), ("s", .seconds(1)), ("m", .seconds(60)), ("h", .seconds(3600)),
      ("", unit),
    ]
    guard let (suffix, unit) = units.first(where: { text.hasSuffix($0.0) }),
      let number = Double(text.dropLast(suffix.count)), let delay = Duration(delay: number, unit)
    else { return nil }
    self = delay
  }

  /// Makes a duration from a number of units; `nil` if it is negative or over a day.
  init?(delay number: Double, _ unit: Duration) {
    // Checked before the multiplication, which traps on overflow.
    guard 0...86_400_000 ~= number, unit * number <= Latency.longest else { return nil }
    self = unit * number
  }
}
