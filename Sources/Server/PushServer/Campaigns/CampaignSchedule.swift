import Foundation
import PushModel

/// The days on which a recurring campaign is sent, and the time of day.
///
/// An occurrence is a day. It has one moment in a named zone, and one in each zone of the devices.
/// ``LocalTime/instant(of:zone:)`` says which moment it is if clocks show the time twice, or skip it.
struct CampaignSchedule: Hashable, Sendable {
  enum Rule: Hashable, Sendable {
    case daily
    /// Days of the week, from 0 for Monday.
    case weekly(Set<Int>)
    /// A day of each month, from 1, or the last day of a shorter month.
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
    /// The zone of each device, or UTC if the device has no zone.
    case device
  }

  /// The delay up to which an occurrence is sent, unless the document sets a longer one.
  static let leastLateness = Duration.seconds(300)
  /// The longest delay that a document may set, so that no occurrence is as late as the next one.
  static let lateLimit = Duration.seconds(12 * 3600)
  /// The number of days that are searched for an occurrence: any month of 31 days begins within them.
  private static let searchLimit = 62

  var rule: Rule
  /// The time of the day on clocks, since midnight.
  var time: Duration
  var zone: Zone
  var from: CalendarDay?
  var until: CalendarDay?
  /// The delay up to which an occurrence is sent after an outage or a pause; a later one is missed.
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

  /// Whether a moment is longer ago than an occurrence may be late.
  func isMissed(_ moment: Timestamp, at now: Timestamp) -> Bool { moment + lateness < now }

  /// Whether the occurrence of a day can no longer reach any device.
  func isMissed(_ day: CalendarDay, at now: Timestamp) -> Bool {
    isMissed(moments(of: day).upperBound, at: now)
  }

  /// The first occurrence of a campaign that starts now, whose time has not passed in any zone.
  func firstDay(at now: Timestamp) -> CalendarDay? {
    // West of UTC it may still be the day before.
    var day = max(CalendarDay(at: now) + -1, from ?? CalendarDay(at: now) + -1)
    while let found = self.day(from: day) {
      if moments(of: found).lowerBound >= now { return found }
      day = found + 1
    }
    return nil
  }

  /// The next occurrence after a day that is not missed yet.
  ///
  /// - Returns: The day, or `nil` if no day is left, and the number of missed days before it.
  func next(after day: CalendarDay, at now: Timestamp) -> (day: CalendarDay?, missed: Int) {
    let start = moments(of: day).lowerBound
    var (next, missed) = (day + 1, 0)
    while let found = self.day(from: next) {
      // A day that a zone skips has the same moment as the day before or after it.
      if moments(of: found).lowerBound > start {
        guard isMissed(found, at: now) else { return (found, missed) }
        missed += 1
      }
      next = found + 1
    }
    return (nil, missed)
  }

  /// Whether a day is an occurrence.
  func has(_ day: CalendarDay) -> Bool {
    rule.has(day) && (from ?? day) <= day && day <= (until ?? day)
  }

  /// The first day of the rule on or after a day.
  private func day(from day: CalendarDay) -> CalendarDay? {
    let last = min(day + Self.searchLimit, until ?? day + Self.searchLimit)
    return sequence(first: max(day, from ?? day)) { $0 + 1 }
      .prefix { $0 <= last }.first(where: rule.has)
  }
}
