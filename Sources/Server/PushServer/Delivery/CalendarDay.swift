import Foundation
import PushModel

/// A day of the Gregorian calendar, without a time zone.
struct CalendarDay: Hashable, Comparable, Sendable {
  /// The number of days since 1970-01-01.
  var number: Int

  init(number: Int) { self.number = number }

  /// The day that clocks of UTC show at a moment.
  init(at time: Timestamp) {
    number = Int((Double(time.milliseconds) / 86_400_000).rounded(.down))
  }

  /// Parses a day such as `2026-03-29`; `nil` if the text has another form, or its month has no such day.
  init?(_ text: String) {
    guard text.utf8.count == 10, let time = Timestamp(iso8601: text) else { return nil }
    self.init(at: time)
    guard self.text == text else { return nil }
  }

  /// The day in ISO 8601: `2026-03-29`.
  var text: String { String(start.iso8601.prefix(10)) }

  /// The moment at which the day begins in UTC.
  var start: Timestamp { Timestamp(milliseconds: Int64(number) * 86_400_000) }

  /// The day of the week, from 0 for Monday to 6 for Sunday.
  var weekday: Int {
    // Foundation's calendars count from 1 for Sunday.
    (Self.calendar.component(.weekday, from: date) + 5) % 7
  }

  /// The day of the month, from 1.
  var dayOfMonth: Int { Self.calendar.component(.day, from: date) }

  var isLastOfMonth: Bool { (self + 1).dayOfMonth == 1 }

  static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }

  static func + (day: CalendarDay, count: Int) -> CalendarDay {
    CalendarDay(number: day.number + count)
  }

  private var date: Date { Date(timeIntervalSince1970: Double(number) * 86_400) }

  /// The Gregorian calendar of UTC, in which every day has 24 hours.
  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()
}
