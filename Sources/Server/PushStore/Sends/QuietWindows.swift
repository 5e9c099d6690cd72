/// The times in which nothing is sent to the devices of a segment: the quiet hours of their time zone.
///
/// The times are computed for some weeks when the send is accepted, with the changes of the clocks.
/// After that they repeat by the day.
package struct QuietWindows: Hashable, Sendable {
  /// Windows of the same length that follow each other by a day.
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
  /// What becomes of a push whose time is in a window.
  package let otherwise: QuietHours.Otherwise

  /// Makes windows that are in order.
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

  /// All times: nothing is ever sent.
  package static let always = QuietWindows(
    [Timestamp(milliseconds: -1 << 47)..<Timestamp(milliseconds: 1 << 47)], otherwise: .drop)

  /// When a time is over at which nothing is sent; `nil` where something may be sent.
  package func end(at time: Timestamp) -> Timestamp? {
    var end = time.milliseconds
    // A window may begin where another one ends.
    while let next = windowEnd(at: end) { end = next }
    return end > time.milliseconds ? Timestamp(milliseconds: end) : nil
  }

  /// The end of the window that has a time.
  private func windowEnd(at time: Int64) -> Int64? {
    for (place, series) in series.enumerated() where time >= series.start {
      // A window of a day or more, on which a clock is set back, would never end.
      let repeats = place == self.series.count - 1 && series.end - series.start < Self.day
      let last = repeats ? Int64.max : series.count - 1
      let number = min((time - series.start) / Self.day, last)
      // A window may be longer than a day where clocks are set back.
      for number in [number, number - 1] where number >= 0 {
        let shift = number * Self.day
        if time >= series.start + shift, time < series.end + shift { return series.end + shift }
      }
    }
    return nil
  }
}

extension QuietWindows {
  /// The windows as they are stored: what becomes of pushes, then each series as start, end and count.
  package var text: String {
    series.reduce(otherwise.rawValue) { $0 + " \($1.start),\($1.end),\($1.count)" }
  }

  /// Reads what ``text`` has written; `nil` for another text.
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
