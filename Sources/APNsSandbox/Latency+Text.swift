extension Latency {
  /// What a text takes that ``init(parsing:)`` reads.
  public static let forms = "50ms, 30ms-70ms, 50ms±20ms or p50=20ms,p99=300ms"

  /// Reads a latency as people write it.
  ///
  /// `50ms` is for every answer; `30ms-70ms`, or `50ms±20ms` (`50ms+-20ms`), is a time between the two;
  /// `p50=20ms,p99=300ms` is the times that so many percent wait at most, as ``percentiles(_:)`` has them.
  ///
  /// It is `nil` where it is none of these forms, and where a time is over a day.
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

  /// Two durations beside a separator.
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
  /// `200ms`, `2s`, `5m`, `1h`, at most a day; a bare number is so many units.
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

  /// So many units, not less than none and at most a day.
  init?(delay number: Double, _ unit: Duration) {
    // Looked at before it is multiplied, which a great number would not survive.
    guard 0...86_400_000 ~= number, unit * number <= Latency.longest else { return nil }
    self = unit * number
  }
}
