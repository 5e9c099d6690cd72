/// A date of the proleptic Gregorian calendar, without a time and a time zone.
///
/// The conversions are Howard Hinnant's `days_from_civil` and `civil_from_days`. They count years from March,
/// so that the leap day is the last day of a year.
package struct CivilDate: Hashable, Sendable {
  package let year: Int
  /// 1 is January.
  package let month: Int
  /// 1 is the first day of the month.
  package let day: Int

  /// Makes a date; `nil` if the calendar has no such day.
  package init?(year: Int, month: Int, day: Int) {
    guard 1...12 ~= month, 1...Self.days(inMonth: month, of: year) ~= day else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Makes the date that is a number of days after 1 January 1970, or before it.
  package init(daysSince1970 days: Int64) {
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
  }

  /// The number of days from 1 January 1970 to the date; negative for earlier dates.
  package var daysSince1970: Int64 {
    let (era, yearOfEra) = Int64(month <= 2 ? year - 1 : year).flooredDivision(by: 400)
    let dayOfYear = Int64((153 * ((month + 9) % 12) + 2) / 5 + day - 1)
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// 0 is Sunday.
  package var weekday: Int { Int((daysSince1970 + 4).flooredDivision(by: 7).remainder) }

  /// The number of the day in its year; 1 is 1 January.
  package var dayOfYear: Int {
    (1..<month).reduce(day) { $0 + Self.days(inMonth: $1, of: year) }
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Int64 {
  /// The division that rounds to negative infinity, so that the remainder is never negative.
  package func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
