/// A moment in milliseconds since 1970, as the store and Apple's 410 write it.
package struct Timestamp: Hashable, Comparable, Sendable {
  package var milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  package static func + (time: Timestamp, duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    return Timestamp(
      milliseconds: time.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  /// How long after `earlier` this is; negative where it is before.
  package func since(_ earlier: Timestamp) -> Duration {
    .milliseconds(milliseconds - earlier.milliseconds)
  }
}

extension Timestamp {
  /// `2026-11-21T09:30:00.000Z`: always UTC and of one width, so that text sorts as time does.
  package var iso8601: String {
    let (day, inDay) = milliseconds.quotientAndRemainder(flooringBy: 86_400_000)
    let (year, month, dayOfMonth) = Self.civil(fromDay: day)
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
    let hours = padded(inDay / 3_600_000, 2)
    let minutes = padded(inDay / 60000 % 60, 2)
    let seconds = padded(inDay / 1000 % 60, 2)
    return "\(date)T\(hours):\(minutes):\(seconds).\(padded(inDay % 1000, 3))Z"
  }

  /// Reads ISO 8601: a date alone (midnight UTC), or a date and a time with `Z` or an offset.
  package init?(iso8601 text: String) {
    let pattern =
      /(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2}):?(\d{2}))?)?/
    guard text.utf8.count <= 40, let match = text.wholeMatch(of: pattern)?.output else {
      return nil
    }
    func number(_ part: Substring?) -> Int64 { part.flatMap { Int64($0) } ?? 0 }
    let (year, month, day) = (number(match.1), number(match.2), number(match.3))
    let (hour, minute, second) = (number(match.4), number(match.5), number(match.6))
    let fraction = match.7.map { number(($0 + "000").prefix(3)) } ?? 0
    guard (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year),
      hour < 24, minute < 60, second < 61, number(match.9) < 24, number(match.10) < 60
    else { return nil }
    let offset = (number(match.9) * 60 + number(match.10)) * (match.8 == "-" ? -1 : 1)
    let days = Self.day(year: year, month: month, day: day)
    let seconds = days * 86400 + hour * 3600 + (minute - offset) * 60 + second
    milliseconds = seconds * 1000 + fraction
  }

  private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970 of a date in the Gregorian calendar; years are counted from March, so that
  /// the leap day comes last.
  private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = year.quotientAndRemainder(flooringBy: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(fromDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (day + 719_468).quotientAndRemainder(flooringBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }
}

private func padded(_ number: Int64, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension Int64 {
  fileprivate func quotientAndRemainder(flooringBy divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
