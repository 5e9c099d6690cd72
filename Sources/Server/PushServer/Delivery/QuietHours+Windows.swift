import Foundation
import PushModel

extension QuietHours {
  /// The number of days, from a send's first one, for which its quiet hours are computed.
  ///
  /// A send that is paused for longer goes on with the quiet hours of the last day.
  private static let horizon = 35

  /// The moments at which the quiet hours of a zone begin and end, from those around a time on.
  ///
  /// A night begins when clocks first show ``from``, and ends when they last show ``to``. If clocks skip one of
  /// these times, the moment of the change takes its place.
  func windows(from time: Timestamp, zone: TimeZone) -> QuietWindows {
    let clock = ZoneClock(zone: zone)
    let first = CalendarDay(at: time) + -2
    let nights = (0...Self.horizon).map { number -> Range<Timestamp> in
      let day = first + number
      let start = clock.first(day.start + .seconds(from * 60))
      let end = clock.last((from < to ? day : day + 1).start + .seconds(to * 60))
      return start..<max(start, end)
    }
    return QuietWindows(nights.filter { !$0.isEmpty }, otherwise: otherwise)
  }
}

/// The clock of a time zone.
private struct ZoneClock {
  let zone: TimeZone

  /// The first moment at which the clock shows a time, written as if it were UTC.
  func first(_ wall: Timestamp) -> Timestamp { moments(of: wall).lowerBound }

  /// The last moment at which the clock shows a time.
  func last(_ wall: Timestamp) -> Timestamp { moments(of: wall).upperBound }

  private func moments(of wall: Timestamp) -> ClosedRange<Timestamp> {
    let day = Duration.seconds(86_400)
    let offsets = [offset(at: wall + (.zero - day)), offset(at: wall + day)]
    let times = offsets.map { (offset: $0, time: wall + (.zero - $0)) }
    let shown = times.filter { offset(at: $0.time) == $0.offset }.map(\.time)
    if let first = shown.min(), let last = shown.max() { return first...last }
    let skipped = change(after: times.map(\.time).min() ?? wall)
    return skipped...skipped
  }

  /// The first moment after a time at which the clock is set.
  private func change(after time: Timestamp) -> Timestamp {
    // Clocks are set at whole seconds, and by two days at most in any zone of the database.
    let before = offset(at: time)
    var (low, high) = (Int64(0), Int64(2 * 86_400))
    while high - low > 1 {
      let middle = (low + high) / 2
      if offset(at: time + .seconds(middle)) == before { low = middle } else { high = middle }
    }
    return time + .seconds(high)
  }

  private func offset(at time: Timestamp) -> Duration {
    let seconds = Double(time.milliseconds) / 1000
    return .seconds(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
  }
}
