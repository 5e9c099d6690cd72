/// A moment in the forms of ISO 8601 that the server and templates read and write.
///
/// | Part | Forms |
/// |---|---|
/// | date | `2026-11-21`; alone it is midnight UTC |
/// | separator | `T`, `t` or a space |
/// | time | `09:30`, `09:30:00`, `09:30:00.125` or `09:30:00,125`; any number of digits |
/// | offset | none (UTC), `Z`, `z`, `+01:00` or `-0530`; one space may precede it |
///
/// The second 60, a leap second, is the first second of the next minute. Milliseconds count; further digits
/// are dropped.
package struct ISO8601DateTime: Hashable, Sendable {
  /// Milliseconds since 1970 in UTC.
  package var milliseconds: Int64
  /// Seconds east of UTC.
  package var offset = 0

  /// Makes a moment in UTC.
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Reads a text; `nil` if it has another form than those above, or names a day that the calendar does not have.
  package init?(_ text: String) {
    var reader = Reader(text)
    guard let year = reader.number(digits: 4), reader.skip("-"),
      let month = reader.number(digits: 2), reader.skip("-"),
      let day = reader.number(digits: 2),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    milliseconds = date.daysSince1970 * 86_400_000
    if reader.isAtEnd { return }
    guard reader.skip("Tt "), let time = reader.time(), let offset = reader.offset(),
      reader.isAtEnd
    else { return nil }
    milliseconds += Int64(time - offset * 1000)
    self.offset = offset
  }

  /// The moment in UTC as `2026-11-21T09:30:00.000Z`: of one width, so that texts sort as moments do.
  ///
  /// A year before 0 is written as 0, one after 9999 as 9999.
  package var text: String {
    let (day, inDay) = milliseconds.flooredDivision(by: 86_400_000)
    let date = CivilDate(daysSince1970: day)
    var text: [UInt8] = []
    text.reserveCapacity(24)
    func append(_ number: Int, width: Int, then end: Unicode.Scalar) {
      let start = text.count
      text += repeatElement(UInt8(ascii: "0"), count: width)
      var (rest, index) = (number, text.count)
      while rest > 0, index > start {
        index -= 1
        text[index] += UInt8(rest % 10)
        rest /= 10
      }
      text.append(UInt8(ascii: end))
    }
    append(min(max(date.year, 0), 9999), width: 4, then: "-")
    append(date.month, width: 2, then: "-")
    append(date.day, width: 2, then: "T")
    append(Int(inDay / 3_600_000), width: 2, then: ":")
    append(Int(inDay / 60_000 % 60), width: 2, then: ":")
    append(Int(inDay / 1000 % 60), width: 2, then: ".")
    append(Int(inDay % 1000), width: 3, then: "Z")
    return String(decoding: text, as: UTF8.self)
  }
}

extension ISO8601DateTime {
  /// A reader that consumes the parts of a text from its start.
  private struct Reader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text.utf8[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Consumes one of some ASCII characters; returns `false` if another character comes next.
    mutating func skip(_ characters: StaticString) -> Bool {
      guard let first = rest.first else { return false }
      let isNext = characters.withUTF8Buffer { $0.contains(first) }
      if isNext { rest.removeFirst() }
      return isNext
    }

    mutating func number(digits count: Int) -> Int? {
      var number = 0
      for _ in 0..<count {
        guard let digit = digit() else { return nil }
        number = number * 10 + digit
      }
      return number
    }

    /// The time of day in milliseconds.
    mutating func time() -> Int? {
      guard let hour = number(digits: 2), skip(":"), let minute = number(digits: 2), hour < 24,
        minute < 60
      else { return nil }
      let start = (hour * 60 + minute) * 60_000
      guard skip(":") else { return start }
      guard let second = number(digits: 2), second <= 60 else { return nil }
      guard skip(".,") else { return start + second * 1000 }
      guard let fraction = fraction() else { return nil }
      return start + second * 1000 + fraction
    }

    /// Seconds east of UTC.
    mutating func offset() -> Int? {
      if isAtEnd { return 0 }
      _ = skip(" ")
      if skip("Zz") { return 0 }
      let isWest = rest.first == UInt8(ascii: "-")
      guard skip("+-"), let hour = number(digits: 2) else { return nil }
      _ = skip(":")
      guard let minute = number(digits: 2), hour < 24, minute < 60 else { return nil }
      return (hour * 60 + minute) * (isWest ? -60 : 60)
    }

    /// One digit or more behind the decimal sign, in whole milliseconds.
    private mutating func fraction() -> Int? {
      guard let first = digit() else { return nil }
      var (milliseconds, weight) = (first * 100, 10)
      while let digit = digit() {
        milliseconds += digit * weight
        weight /= 10
      }
      return milliseconds
    }

    private mutating func digit() -> Int? {
      guard let byte = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else {
        return nil
      }
      rest.removeFirst()
      return Int(byte - UInt8(ascii: "0"))
    }
  }
}
