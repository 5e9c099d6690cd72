import PushPayload

/// A moment as the filter `date` shows it: by the calendar and by the clock of one offset from UTC.
struct CivilTime {
  /// Seconds since 1970 on the clock that is shown: UTC plus ``offset``.
  private let local: Int64
  private let date: CivilDate
  /// Seconds east of UTC.
  let offset: Int
  /// The fraction of the second.
  let nanoseconds: Int

  var year: Int { date.year }
  var month: Int { date.month }
  var day: Int { date.day }
  var hour: Int { Int(local.flooredDivision(by: 86_400).remainder) / 3600 }
  var minute: Int { Int(local.flooredDivision(by: 3600).remainder) / 60 }
  var second: Int { Int(local.flooredDivision(by: 60).remainder) }
  /// 0 is Sunday.
  var weekday: Int { date.weekday }
  /// 1 is 1 January.
  var dayOfYear: Int { date.dayOfYear }
  /// Seconds since 1970 in UTC.
  var seconds: Int64 { local - Int64(offset) }

  /// The ISO 8601 week and its year, which is the year of the week's Thursday.
  var week: (year: Int, number: Int) {
    let thursday = CivilDate(daysSince1970: date.daysSince1970 + 3 - Int64((weekday + 6) % 7))
    return (thursday.year, (thursday.dayOfYear + 6) / 7)
  }

  /// Makes a moment from seconds since 1970; `nil` if its year is not in 0 to 9999.
  init?(seconds: Int64, offset: Int = 0, nanoseconds: Int = 0) {
    guard (-62_167_219_200...253_402_300_799).contains(seconds) else { return nil }
    local = seconds + Int64(offset)
    self.offset = offset
    self.nanoseconds = nanoseconds
    date = CivilDate(daysSince1970: local.flooredDivision(by: 86_400).quotient)
  }

  /// Reads `now`, `today`, seconds since 1970 or a form of ``WrittenDate``; `nil` if the value is not a date.
  init?(_ value: LiquidValue, now: Int64) {
    switch value {
    case .integer(let seconds): self.init(seconds: seconds)
    case .number(let number):
      let whole = number.rounded(.down)
      guard let seconds = Int64(exactly: whole) else { return nil }
      self.init(
        seconds: seconds, nanoseconds: min(999_999_999, Int((number - whole) * 1_000_000_000)))
    case .string(let text):
      if ["now", "today"].contains(text.lowercased()) {
        self.init(seconds: now)
      } else if text.utf8.allSatisfy(\.isDigit), let seconds = Int64(text) {
        self.init(seconds: seconds)
      } else {
        guard let date = WrittenDate(text, now: now) else { return nil }
        self.init(seconds: date.seconds, offset: date.offset, nanoseconds: date.nanoseconds)
      }
    default: return nil
    }
  }
}
