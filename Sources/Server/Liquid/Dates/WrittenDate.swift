import PushPayload

/// A moment in words or numbers, such as `March 14, 2016`, `14 Mar 2016 5pm`, `2016-03-14 10:00:00 UTC`, or the date of a
/// mail, `Mon, 14 Mar 2016 10:00:00 +0100`.
///
/// A date names the month and has its parts in any order, or is year, month and day as numbers. The defaults are the
/// year of `now`, the first of the month, midnight, and UTC.
struct WrittenDate {
  private var words: DateWords
  private var year: Int?
  private var month: Int?
  private var day: Int?
  /// Seconds since midnight.
  private var time: Int?
  private var zone: Int?
  /// The fraction of the second.
  private(set) var nanoseconds = 0
  /// Seconds since 1970 in UTC.
  private(set) var seconds: Int64 = 0
  /// Seconds east of UTC.
  var offset: Int { zone ?? 0 }

  /// Reads a text; `nil` if it does not have one of these forms, or if the calendar does not have the date.
  init?(_ text: String, now: Int64) {
    guard text.utf8.count <= 100 else { return nil }
    words = DateWords(text)
    while let word = words.popFirst() {
      guard read(word) else { return nil }
    }
    guard let month else { return nil }
    let thisYear = CivilDate(daysSince1970: now.flooredDivision(by: 86_400).quotient).year
    guard let date = CivilDate(year: year ?? thisYear, month: month, day: day ?? 1) else {
      return nil
    }
    seconds = date.daysSince1970 * 86_400 + Int64((time ?? 0) - offset)
  }

  private mutating func read(_ word: DateWords.Word) -> Bool {
    switch word.kind {
    case .letters: return readName(word.text)
    case .symbol:
      if time != nil, word.text == "+" || word.text == "-", words.isJoinedNumber {
        return readOffset(word.text)
      }
      return [",", ".", "-"].contains(word.text)
    case .digits:
      guard let value = word.number else { return false }
      let count = word.text.utf8.count
      if words.isNext(":") || words.hourSuffix != nil { return readTime(word) }
      if count == 4, let separator = words.dateSeparator {
        return Self.set(&year, value) && readMonthAndDay(separator)
      }
      for suffix in ["st", "nd", "rd", "th"] where words.skip(suffix) {
        return Self.set(&day, value)
      }
      if count == 4 { return Self.set(&year, value) }
      guard count <= 2 else { return false }
      return day == nil
        ? Self.set(&day, value) : Self.set(&year, value + (value < 69 ? 2000 : 1900))
    }
  }

  /// Reads the name of a month, a day or a zone.
  private mutating func readName(_ name: String) -> Bool {
    // One letter is a zone only after a time.
    if name.utf8.count > 1 || time != nil, let hours = ZoneNames.hours[name] {
      // JavaScript writes `GMT+0200`.
      if ["gmt", "utc"].contains(name), let sign = words.offsetSign {
        words.skip(1)
        return readOffset(sign)
      }
      return Self.set(&zone, hours * 3600)
    }
    guard name.utf8.count >= 3 else { return false }
    if let index = Self.months.firstIndex(where: { Self.isName(name, of: $0) }) {
      return Self.set(&month, index + 1)
    }
    return Self.days.contains { Self.isName(name, of: $0) }
  }

  /// Reads the hours and minutes after the sign of an offset: `0530`, `05:30` or `05`.
  private mutating func readOffset(_ sign: String) -> Bool {
    guard let word = words.popFirst(), var hours = word.number else { return false }
    var minutes = 0
    if word.text.utf8.count == 4 {
      (hours, minutes) = (hours / 100, hours % 100)
    } else if word.pair == nil {
      return false
    } else if words.skip(":") {
      guard let pair = words.popFirst()?.pair else { return false }
      minutes = pair
    }
    guard hours < 24, minutes < 60 else { return false }
    return Self.set(&zone, (hours * 60 + minutes) * (sign == "-" ? -60 : 60))
  }

  /// Reads the month and the day of a numeric date, and a `T` after it.
  private mutating func readMonthAndDay(_ separator: String) -> Bool {
    var parts: [Int] = []
    while parts.count < 2 {
      guard words.skip(separator), let word = words.popFirst(), let number = word.number,
        word.text.utf8.count <= 2
      else { return false }
      parts.append(number)
    }
    // An offset without a time, as in `2016-03-14-05:00`, would be read as the time.
    guard words.offsetSign == nil else { return false }
    _ = words.skip("t")
    return Self.set(&month, parts[0]) && Self.set(&day, parts[1])
  }

  private mutating func readTime(_ hour: DateWords.Word) -> Bool {
    guard let number = hour.number, hour.text.utf8.count <= 2 else { return false }
    var parts = [number]
    while parts.count < 3, words.skip(":") {
      guard let pair = words.popFirst()?.pair else { return false }
      parts.append(pair)
    }
    if parts.count == 3, let fraction = words.fraction {
      words.skip(2)
      let digits = fraction.prefix(9) + String(repeating: "0", count: 9)
      nanoseconds = Int(digits.prefix(9)) ?? 0
    } else if parts.count == 3, words.isNext(".") {
      return false
    }
    parts += [0, 0]
    if let suffix = words.hourSuffix {
      words.skip(suffix.words)
      guard 1...12 ~= number else { return false }
      parts[0] = number % 12 + (suffix.isAfternoon ? 12 : 0)
    }
    guard parts[0] < 24, parts[1] < 60, parts[2] <= 60 else { return false }
    return Self.set(&time, (parts[0] * 60 + parts[1]) * 60 + parts[2])
  }

  /// Sets a part of the date; `false` if the part was already set.
  private static func set(_ part: inout Int?, _ value: Int) -> Bool {
    guard part == nil else { return false }
    part = value
    return true
  }

  /// Whether letters are a name or its abbreviation: its first three letters, or `sept`.
  private static func isName(_ letters: String, of name: String) -> Bool {
    letters == name || letters == name.prefix(3) || letters == "sept" && name == "september"
  }

  private static let months = CivilTime.months.map { $0.lowercased() }
  private static let days = CivilTime.days.map { $0.lowercased() }
}
