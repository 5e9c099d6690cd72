import Foundation
import PushStore

/// The days on which a recurring campaign is sent, and the time that clocks show then.
///
/// An occurrence is a day: it has one moment in a named zone, and one in each zone of the devices.
/// Where clocks show the time twice, the moment is the first. Where they skip it, the moment is as
/// long after the change as the time is, as ``LocalTime/instant(of:zone:)`` says.
struct CampaignSchedule: Hashable, Sendable {
  enum Rule: Hashable, Sendable {
    case daily
    /// Days of the week, from 0 for Monday.
    case weekly(Set<Int>)
    /// A day of each month, from 1; a shorter month has its last day.
    case monthly(Int)

    func has(_ day: CalendarDay) -> Bool {
      switch self {
      case .daily: true
      case .weekly(let days): days.contains(day.weekday)
      case .monthly(let number):
        day.dayOfMonth == number || (day.dayOfMonth < number && day.isLastOfMonth)
      }
    }
  }

  enum Zone: Hashable, Sendable {
    /// A zone with its name, which `TimeZone` does not always keep.
    case named(String, TimeZone)
    /// The zone of each device, UTC where it has none.
    case device
  }

  /// How late an occurrence is sent unless the document says otherwise.
  static let leastLateness = Duration.seconds(300)
  /// The longest time that an occurrence may be late, so that none is as late as the next one.
  static let lateLimit = Duration.seconds(12 * 3600)
  /// The most days for which an occurrence is looked for: a month of 31 days begins within them.
  private static let searchLimit = 62

  var rule: Rule
  /// The time that clocks show, since midnight.
  var time: Duration
  var zone: Zone
  var from: CalendarDay?
  var until: CalendarDay?
  /// How late an occurrence is sent where no server ran or the campaign was paused; later it is
  /// missed.
  var lateness: Duration

  /// The time that clocks show on a day, written as if it were UTC.
  func wall(of day: CalendarDay) -> Timestamp { day.start + time }

  /// The moments from the first to the last at which clocks of the zone show the time of a day.
  func moments(of day: CalendarDay) -> ClosedRange<Timestamp> {
    let wall = wall(of: day)
    switch zone {
    case .named(_, let zone):
      let moment = LocalTime.instant(of: wall, zone: zone)
      return moment...moment
    case .device:
      // The clocks of UTC+14 and of UTC-12.
      return wall + .seconds(-14 * 3600)...wall + .seconds(12 * 3600)
    }
  }

  /// Whether a moment is over for longer than an occurrence may be late.
  func isMissed(_ moment: Timestamp, at now: Timestamp) -> Bool { moment + lateness < now }

  /// Whether no device can get the occurrence of a day any more.
  func isMissed(_ day: CalendarDay, at now: Timestamp) -> Bool {
    isMissed(moments(of: day).upperBound, at: now)
  }

  /// The first occurrence of a campaign that starts now: the time of its day is not over anywhere.
  func firstDay(at now: Timestamp) -> CalendarDay? {
    // West of UTC it may still be the day before.
    var day = max(CalendarDay(at: now) + -1, from ?? CalendarDay(at: now) + -1)
    while let found = self.day(from: day) {
      if moments(of: found).lowerBound >= now { return found }
      day = found + 1
    }
    return nil
  }

  /// The occurrence after that of a day, without those that are missed by now.
  ///
  /// - Returns: The day and how many before it are missed; the day is `nil` after the last one.
  func next(after day: CalendarDay, at now: Timestamp) -> (day: CalendarDay?, missed: Int) {
    let start = moments(of: day).lowerBound
    var (next, missed) = (day + 1, 0)
    while let found = self.day(from: next) {
      // A day that a zone skips as a whole has the moment of the day before or after it.
      if moments(of: found).lowerBound > start {
        guard isMissed(found, at: now) else { return (found, missed) }
        missed += 1
      }
      next = found + 1
    }
    return (nil, missed)
  }

  /// The first day of the rule that is not before a day.
  private func day(from day: CalendarDay) -> CalendarDay? {
    let last = min(day + Self.searchLimit, until ?? day + Self.searchLimit)
    return sequence(first: max(day, from ?? day)) { $0 + 1 }
      .prefix { $0 <= last }.first(where: rule.has)
  }
}
