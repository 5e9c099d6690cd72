import PushModel

/// The days that the calendar shows: a week, or a month with the days that complete its first and last week.
struct CalendarSpan: Hashable, Sendable {
  enum Length: String, CaseIterable, Sendable { case month, week }

  var length: Length
  /// The first day of the month, or the Monday of the week.
  var start: CalendarDay

  /// The span with a day.
  init(_ length: Length, with day: CalendarDay) {
    self.length = length
    start =
      switch length {
      case .month: day + (1 - day.dayOfMonth)
      case .week: day + -day.weekday
      }
  }

  /// The days from a Monday to a Sunday.
  var days: [CalendarDay] {
    let first = start + -start.weekday
    let last = next.start + -1
    return (first.number...(last + (6 - last.weekday)).number).map(CalendarDay.init(number:))
  }

  var next: CalendarSpan { CalendarSpan(length, with: start + (length == .month ? 31 : 7)) }
  var previous: CalendarSpan { CalendarSpan(length, with: start + -1) }

  /// Whether a day is of the month or the week itself.
  func has(_ day: CalendarDay) -> Bool { day >= start && day < next.start }

  /// The name in words: “December 2026”, or “Week of 7 December 2026”.
  var title: String {
    let words = start.words.split(separator: " ")
    let name = words.suffix(length == .month ? 2 : 3).joined(separator: " ")
    return length == .month ? name : "Week of \(name)"
  }

  /// The query of the address.
  var query: String { "view=\(length.rawValue)&day=\(start.text)" }
}
