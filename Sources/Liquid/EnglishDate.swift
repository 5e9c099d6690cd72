import PushPayload

/// A moment in English, such as `March 14, 2016`, `14 Mar 2016 5pm`, or the date of a mail,
/// `Mon, 14 Mar 2016 10:00:00 +0100`.
///
/// The month is a word, and the parts have any order. Without a year it is that of `now`, without a day the first
/// of the month, without a time midnight, and without an offset UTC.
struct EnglishDate {
  private enum Word: Equatable {
    case letters(String)
    case digits(Int, count: Int)
    case symbol(UInt8)
  }

  private var words: ArraySlice<Word>
  private var year: Int?
  private var month: Int?
  private var day: Int?
  /// Seconds since midnight.
  private var time: Int?
  /// Seconds east of UTC.
  private(set) var offset = 0
  /// Seconds since 1970 in UTC.
  private(set) var seconds: Int64 = 0

  /// Reads a text; `nil` where it is no date of this form, or the calendar does not have it.
  init?(_ text: String, now: Int64) {
    guard text.utf8.count <= 100, let words = Self.words(of: text) else { return nil }
    self.words = words[...]
    while let word = self.words.popFirst() {
      guard read(word) else { return nil }
    }
    guard let month else { return nil }
    let thisYear = CivilDate(daysSince1970: now.flooredDivision(by: 86_400).quotient).year
    guard let date = CivilDate(year: year ?? thisYear, month: month, day: day ?? 1) else {
      return nil
    }
    seconds = date.daysSince1970 * 86_400 + Int64((time ?? 0) - offset)
  }

  private static func words(of text: String) -> [Word]? {
    var words: [Word] = []
    var bytes = Array(text.lowercased().utf8)[...]
    while let first = bytes.first {
      let digits = bytes.prefix(while: \.isDigit)
      let letters = bytes.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      if !digits.isEmpty {
        guard let value = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        words.append(.digits(value, count: digits.count))
      } else if !letters.isEmpty {
        words.append(.letters(String(decoding: letters, as: UTF8.self)))
      } else if !first.isSpace {
        words.append(.symbol(first))
      }
      bytes = bytes.dropFirst(max(1, digits.count + letters.count))
    }
    return words
  }

  private mutating func read(_ word: Word) -> Bool {
    switch word {
    case .symbol(let symbol): return readSymbol(symbol)
    case .letters(let letters): return read(letters)
    case .digits(let value, let count):
      if words.first == .symbol(UInt8(ascii: ":")) || hourSuffix != nil { return readTime(value) }
      if case .letters(let letters) = words.first, ["st", "nd", "rd", "th"].contains(letters) {
        words.removeFirst()
        return Self.set(&day, value)
      }
      if count == 4 { return Self.set(&year, value) }
      guard count <= 2 else { return false }
      return day == nil
        ? Self.set(&day, value) : Self.set(&year, value + (value < 69 ? 2000 : 1900))
    }
  }

  private mutating func read(_ letters: String) -> Bool {
    if time != nil, ["z", "utc", "gmt"].contains(letters) { return true }
    guard letters.count >= 3 else { return false }
    if let index = Self.months.firstIndex(where: { Self.isName(letters, of: $0) }) {
      return Self.set(&month, index + 1)
    }
    return Self.days.contains { Self.isName(letters, of: $0) }
  }

  /// Reads a separator, or the sign of an offset behind a time.
  private mutating func readSymbol(_ symbol: UInt8) -> Bool {
    let isSign = symbol == UInt8(ascii: "+") || symbol == UInt8(ascii: "-")
    guard isSign, time != nil, case .digits(let value, let count) = words.first else {
      return ",.-".utf8.contains(symbol)
    }
    words.removeFirst()
    var (hours, minutes) = (value / 100, value % 100)
    if count == 2 {
      guard words.popFirst() == .symbol(UInt8(ascii: ":")),
        case .digits(let second, count: 2) = words.popFirst()
      else { return false }
      (hours, minutes) = (value, second)
    }
    guard count == 4 || count == 2, hours < 24, minutes < 60 else { return false }
    offset = (hours * 60 + minutes) * (symbol == UInt8(ascii: "-") ? -60 : 60)
    return true
  }

  private mutating func readTime(_ hour: Int) -> Bool {
    var parts = [hour]
    while parts.count < 3, words.first == .symbol(UInt8(ascii: ":")) {
      words.removeFirst()
      guard case .digits(let value, count: 2) = words.popFirst() else { return false }
      parts.append(value)
    }
    if parts.count == 3, words.first == .symbol(UInt8(ascii: ".")) {
      guard case .digits = words.dropFirst().first else { return false }
      words.removeFirst(2)
    }
    parts += [0, 0]
    if let suffix = hourSuffix {
      words.removeFirst()
      guard 1...12 ~= hour else { return false }
      parts[0] = hour % 12 + (suffix == "pm" ? 12 : 0)
    }
    guard parts[0] < 24, parts[1] < 60, parts[2] <= 60 else { return false }
    return Self.set(&time, (parts[0] * 60 + parts[1]) * 60 + parts[2])
  }

  private var hourSuffix: String? {
    guard case .letters(let letters) = words.first, letters == "am" || letters == "pm" else {
      return nil
    }
    return letters
  }

  /// Sets a part of the date; `false` where the text has it already.
  private static func set(_ part: inout Int?, _ value: Int) -> Bool {
    guard part == nil else { return false }
    part = value
    return true
  }

  /// Whether letters are a name, its first three letters, or `sept`.
  private static func isName(_ letters: String, of name: String) -> Bool {
    letters == name || letters == name.prefix(3) || letters == "sept" && name == "september"
  }

  private static let months = CivilTime.months.map { $0.lowercased() }
  private static let days = CivilTime.days.map { $0.lowercased() }
}
