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
    var text: [UInt8] = []
    text.reserveCapacity(24)
    func write(_ number: Int64, _ width: Int, _ end: Unicode.Scalar) {
      let start = text.count
      text += repeatElement(UInt8(ascii: "0"), count: width)
      var (rest, place) = (number, text.count)
      while rest > 0, place > start {
        place -= 1
        text[place] += UInt8(rest % 10)
        rest /= 10
      }
      text.append(UInt8(ascii: end))
    }
    // Milliseconds reach beyond the years that a date has digits for.
    write(min(max(year, 0), 9999), 4, "-")
    write(month, 2, "-")
    write(dayOfMonth, 2, "T")
    write(inDay / 3_600_000, 2, ":")
    write(inDay / 60000 % 60, 2, ":")
    write(inDay / 1000 % 60, 2, ".")
    write(inDay % 1000, 3, "Z")
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads ISO 8601: a date alone (midnight UTC), or a date and a time with `Z` or an offset.
  package init?(iso8601 text: String) {
    guard text.utf8.count <= 40 else { return nil }
    var rest = ISO8601Reader(text)
    guard let year = rest.digits(4), rest.take("-") != nil, let month = rest.digits(2),
      rest.take("-") != nil, let day = rest.digits(2), (1...12).contains(month),
      (1...Self.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    let midnight = Self.day(year: year, month: month, day: day) * 86_400_000
    if rest.isAtEnd {
      milliseconds = midnight
      return
    }
    guard rest.take("Tt ") != nil, let inDay = rest.time(), let offset = rest.offset(),
      rest.isAtEnd
    else { return nil }
    milliseconds = midnight + inDay - offset
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

/// Takes the parts of a time off the front of a text.
private struct ISO8601Reader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text.utf8[...] }

  var isAtEnd: Bool { rest.isEmpty }

  /// One of some characters of ASCII.
  mutating func take(_ characters: String) -> UInt8? {
    guard let first = rest.first, characters.utf8.contains(first) else { return nil }
    rest.removeFirst()
    return first
  }

  mutating func digits(_ count: Int) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// `09:30`, `09:30:00` or `09:30:00.125` in milliseconds.
  mutating func time() -> Int64? {
    guard let hour = digits(2), take(":") != nil, let minute = digits(2), hour < 24, minute < 60
    else { return nil }
    let minutes = (hour * 60 + minute) * 60000
    guard take(":") != nil else { return minutes }
    // A leap second counts as the next.
    guard let second = digits(2), second < 61 else { return nil }
    guard take(".,") != nil else { return minutes + second * 1000 }
    guard let fraction = fraction() else { return nil }
    return minutes + second * 1000 + fraction
  }

  /// How far a zone is ahead of UTC in milliseconds; none is UTC.
  mutating func offset() -> Int64? {
    if isAtEnd || take("Zz") != nil { return 0 }
    guard let sign = take("+-"), let hour = digits(2) else { return nil }
    _ = take(":")
    guard let minute = digits(2), hour < 24, minute < 60 else { return nil }
    return (hour * 60 + minute) * (sign == UInt8(ascii: "-") ? -60000 : 60000)
  }

  /// Up to nine digits, of which milliseconds count.
  private mutating func fraction() -> Int64? {
    guard var milliseconds = digit().map({ $0 * 100 }) else { return nil }
    var weight: Int64 = 10
    for _ in 1..<9 {
      guard let digit = digit() else { break }
      milliseconds += digit * weight
      weight /= 10
    }
    return milliseconds
  }

  private mutating func digit() -> Int64? {
    guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
      return nil
    }
    rest.removeFirst()
    return Int64(byte - UInt8(ascii: "0"))
  }
}

extension Int64 {
  fileprivate func quotientAndRemainder(flooringBy divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
