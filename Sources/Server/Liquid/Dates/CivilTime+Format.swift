import PushPayload

extension CivilTime {
  /// The time in a format of `strftime`, in English and as Ruby writes it.
  ///
  /// Text that is not a directive is copied to the result.
  ///
  /// - Throws: ``RenderingError`` if a width makes the result longer than a value may be.
  func formatted(_ format: String, _ budget: Budget) throws(RenderingError) -> String {
    var result = ""
    var rest = Array(format.utf8)[...]
    while !rest.isEmpty {
      let copied = rest.prefix { $0 != UInt8(ascii: "%") }
      result += String(decoding: copied, as: UTF8.self)
      rest = rest.dropFirst(copied.count)
      guard rest.popFirst() != nil else { break }
      let start = rest
      guard let directive = DateDirective(&rest) else {
        result += "%" + String(decoding: start[..<rest.startIndex], as: UTF8.self)
        continue
      }
      // Checked before the padding is made, because a short format may have a large width.
      try budget.check(size: result.utf8.count + directive.width)
      result += text(of: directive)
    }
    return result
  }

  static let days = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  func text(of directive: DateDirective) -> String {
    let space = DateDirective.space
    switch directive.letter {
    case UInt8(ascii: "Y"): return directive.number(year, digits: year < 0 ? 5 : 4)
    case UInt8(ascii: "G"): return directive.number(week.year, digits: week.year < 0 ? 5 : 4)
    case UInt8(ascii: "C"):
      return directive.number(Int(Int64(year).flooredDivision(by: 100).quotient))
    case UInt8(ascii: "y"): return directive.number((year % 100 + 100) % 100)
    case UInt8(ascii: "g"): return directive.number((week.year % 100 + 100) % 100)
    case UInt8(ascii: "m"): return directive.number(month)
    case UInt8(ascii: "d"): return directive.number(day)
    case UInt8(ascii: "e"): return directive.number(day, padding: space)
    case UInt8(ascii: "j"): return directive.number(dayOfYear, digits: 3)
    case UInt8(ascii: "H"): return directive.number(hour)
    case UInt8(ascii: "k"): return directive.number(hour, padding: space)
    case UInt8(ascii: "I"): return directive.number((hour + 11) % 12 + 1)
    case UInt8(ascii: "l"): return directive.number((hour + 11) % 12 + 1, padding: space)
    case UInt8(ascii: "M"): return directive.number(minute)
    case UInt8(ascii: "S"): return directive.number(second)
    case UInt8(ascii: "L"): return fraction(digits: directive.width > 0 ? directive.width : 3)
    case UInt8(ascii: "N"): return fraction(digits: directive.width > 0 ? directive.width : 9)
    case UInt8(ascii: "u"): return directive.number(weekday == 0 ? 7 : weekday, digits: 1)
    case UInt8(ascii: "w"): return directive.number(weekday, digits: 1)
    case UInt8(ascii: "V"): return directive.number(week.number)
    case UInt8(ascii: "U"): return directive.number((dayOfYear + 6 - weekday) / 7)
    case UInt8(ascii: "W"): return directive.number((dayOfYear + 6 - (weekday + 6) % 7) / 7)
    case UInt8(ascii: "s"): return directive.number(Int(seconds), digits: 1)
    case UInt8(ascii: "z"): return zone(directive)
    default: return word(directive)
    }
  }

  private func word(_ directive: DateDirective) -> String {
    switch directive.letter {
    case UInt8(ascii: "A"): return directive.name(Self.days[weekday])
    case UInt8(ascii: "a"): return directive.name(String(Self.days[weekday].prefix(3)))
    case UInt8(ascii: "B"): return directive.name(Self.months[month - 1])
    case UInt8(ascii: "p"), UInt8(ascii: "P"):
      let isSmall = directive.letter == UInt8(ascii: "P")
      // `%#p` and `%P` are in lower case; `%#P` and `%^P` in upper case.
      let isLower =
        isSmall ? !directive.changesCase && !directive.isUpperCase : directive.changesCase
      let text = (isLower ? ["am", "pm"] : ["AM", "PM"])[hour < 12 ? 0 : 1]
      return directive.isUnpadded ? text : directive.padded(text)
    case UInt8(ascii: "Z"):
      let text = offset == 0 ? directive.changesCase ? "utc" : "UTC" : plainZone
      return directive.isUnpadded ? text : directive.padded(text)
    case UInt8(ascii: "n"): return directive.name("\n")
    case UInt8(ascii: "t"): return directive.name("\t")
    case UInt8(ascii: "%"): return directive.name("%")
    case UInt8(ascii: "b"), UInt8(ascii: "h"):
      return directive.name(String(Self.months[month - 1].prefix(3)))
    default: return combination(directive)
    }
  }
}
