/// The times in which nothing is sent to the devices of a segment: the quiet hours in their time zone.
///
/// The times are computed for some weeks when the send is accepted, including changes to and from daylight saving
/// time. After these weeks they repeat daily.
package struct QuietWindows: Hashable, Sendable {
  /// Windows of the same length, each a day after the previous one.
  private struct Series: Hashable, Sendable {
    var start: Int64
    var end: Int64
    var count: Int64

    /// Whether a window continues the series.
    func isContinued(by window: Range<Timestamp>) -> Bool {
      let shift = QuietWindows.day * count
      return window.lowerBound.milliseconds == start + shift
        && window.upperBound.milliseconds == end + shift
    }
  }

  private static let day: Int64 = 86_400_000

  private var series: [Series] = []
  /// The handling of a push whose time is in a window.
  package let otherwise: QuietHours.Otherwise

  /// Makes windows from ranges in ascending order.
  package init(_ windows: [Range<Timestamp>], otherwise: QuietHours.Otherwise) {
    self.otherwise = otherwise
    for window in windows {
      if series.last?.isContinued(by: window) == true {
        series[series.count - 1].count += 1
      } else {
        series.append(
          Series(
            start: window.lowerBound.milliseconds, end: window.upperBound.milliseconds, count: 1))
      }
    }
  }

  /// The windows of all times, in which no push is ever sent.
  package static let always = QuietWindows(
    [Timestamp(milliseconds: -1 << 47)..<Timestamp(milliseconds: 1 << 47)], otherwise: .drop)

  /// The end of the quiet time that contains a time; `nil` if pushes may be sent at the time.
  package func end(at time: Timestamp) -> Timestamp? {
    var end = time.milliseconds
    // A window may begin when another one ends.
    while let next = windowEnd(at: end) { end = next }
    return end > time.milliseconds ? Timestamp(milliseconds: end) : nil
  }

  /// The end of the window that contains a time.
  private func windowEnd(at time: Int64) -> Int64? {
    for (place, series) in series.enumerated() where time >= series.start {
      // A window of a day or more, as on a day when clocks are set back, would repeat without a
      // gap.
      let repeats = place == self.series.count - 1 && series.end - series.start < Self.day
      let last = repeats ? Int64.max : series.count - 1
      let number = min((time - series.start) / Self.day, last)
      // A window may be longer than a day if clocks are set back.
      for number in [number, number - 1] where number >= 0 {
        let shift = number * Self.day
        if time >= series.start + shift, time < series.end + shift { return series.end + shift }
      }
    }
    return nil
  }
}

extension QuietWindows {
  /// The windows as they are stored: ``otherwise``, then each series as start, end and count.
  package var text: String {
    series.reduce(otherwise.rawValue) { $0 + " \($1.start),\($1.end),\($1.count)" }
  }

  /// Parses ``text``; `nil` if it is malformed.
  package init?(text: String) {
    let parts = text.split(separator: " ")
    guard let first = parts.first, let otherwise = QuietHours.Otherwise(rawValue: String(first))
    else { return nil }
    self.otherwise = otherwise
    for part in parts.dropFirst() {
      guard let numbers = part.split(separator: ",").all({ Int64($0) }), numbers.count == 3,
        numbers.allSatisfy({ abs($0) < 1 << 48 }), numbers[0] < numbers[1],
        (1...100_000).contains(numbers[2])
      else { return nil }
      series.append(Series(start: numbers[0], end: numbers[1], count: numbers[2]))
    }
    guard zip(series, series.dropFirst()).allSatisfy({ $0.start < $1.start }) else { return nil }
  }
}
