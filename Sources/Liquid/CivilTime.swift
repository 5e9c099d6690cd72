/// A moment as a calendar shows it, for the filter `date`.
struct CivilTime {
  /// Seconds since 1970 on the clock that is shown: UTC plus ``offset``.
  private let local: Int64
  /// Seconds east of UTC.
  let offset: Int
  let year: Int, month: Int, day: Int
  var hour: Int { Int(floored(local, 86_400).rest) / 3600 }
  var minute: Int { Int(floored(local, 3600).rest) / 60 }
  var second: Int { Int(floored(local, 60).rest) }
  /// 0 is Sunday.
  var weekday: Int { Int(floored(floored(local, 86_400).quotient + 4, 7).rest) }
  /// 1 is the first of January.
  var yearDay: Int {
    Int(floored(local, 86_400).quotient - Self.days(year: year, month: 1, day: 1)) + 1
  }
  var seconds: Int64 { local - Int64(offset) }

  /// Years 0 to 9999; `nil` beyond.
  init?(seconds: Int64, offset: Int = 0) {
    guard (-62_167_219_200...253_402_300_799).contains(seconds) else { return nil }
    local = seconds + Int64(offset)
    self.offset = offset
    // Howard Hinnant's days-to-civil: years begin in March, so that the leap day is the last.
    let shifted = floored(local, 86_400).quotient + 719_468
    let era = floored(shifted, 146_097)
    let dayOfEra = era.rest
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
    year = Int(yearOfEra + era.quotient * 400) + (month <= 2 ? 1 : 0)
  }

  /// `now` and `today`, seconds since 1970, or ISO 8601.
  init?(_ value: LiquidValue, now: Int64) {
    switch value {
    case .integer(let seconds): self.init(seconds: seconds)
    case .number(let seconds):
      guard let seconds = Int64(exactly: seconds.rounded(.down)) else { return nil }
      self.init(seconds: seconds)
    case .string(let text):
      if text == "now" || text == "today" {
        self.init(seconds: now)
      } else if let seconds = Int64(text) {
        self.init(seconds: seconds)
      } else {
        self.init(iso8601: text)
      }
    default: return nil
    }
  }

  /// `2026-11-21`, with a time after `T` or a space, with seconds, fraction and zone or without.
  private init?(iso8601 text: String) {
    var reader = Digits(text)
    guard let year = reader.number(4), reader.takes("-"), let month = reader.number(2),
      reader.takes("-"), let day = reader.number(2), (1...12).contains(month),
      (1...31).contains(day)
    else { return nil }
    var clock = 0
    var offset = 0
    if reader.takes("T") || reader.takes("t") || reader.takes(" ") {
      guard let hour = reader.number(2), hour < 24, reader.takes(":"),
        let minute = reader.number(2), minute < 60
      else { return nil }
      clock = hour * 3600 + minute * 60
      if reader.takes(":") {
        guard let second = reader.number(2), second <= 60 else { return nil }
        clock += second
        if reader.takes(".") { reader.skipDigits() }
      }
      _ = reader.takes(" ")
      if !reader.takes("Z"), !reader.takes("z"), let sign = reader.sign() {
        guard let hours = reader.number(2), hours < 24 else { return nil }
        _ = reader.takes(":")
        guard let minutes = reader.number(2), minutes < 60 else { return nil }
        offset = sign * (hours * 3600 + minutes * 60)
      }
    }
    guard reader.isAtEnd else { return nil }
    let days = Self.days(year: year, month: month, day: day)
    self.init(seconds: days * 86_400 + Int64(clock - offset), offset: offset)
    // The 31st of a month of 30 days is no date.
    guard Self.date(days) == day else { return nil }
  }

  private static func date(_ days: Int64) -> Int? { CivilTime(seconds: days * 86_400)?.day }

  private static func days(year: Int, month: Int, day: Int) -> Int64 {
    let shifted = Int64(month <= 2 ? year - 1 : year)
    let era = floored(shifted, 400)
    let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
    return era.quotient * 146_097 + era.rest * 365 + era.rest / 4 - era.rest / 100 + dayOfYear
      - 719_468
  }
}

private func floored(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, rest: Int64) {
  let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
  return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
}

/// Reads fixed widths of digits.
private struct Digits {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number(_ width: Int) -> Int? {
    let digits = rest.prefix(width)
    guard digits.count == width, digits.allSatisfy(\.isDigit) else { return nil }
    rest = rest.dropFirst(width)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  mutating func takes(_ sign: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest = rest.dropFirst()
    return true
  }

  mutating func sign() -> Int? { takes("+") ? 1 : takes("-") ? -1 : nil }

  mutating func skipDigits() { rest = rest.drop(while: \.isDigit) }
}
