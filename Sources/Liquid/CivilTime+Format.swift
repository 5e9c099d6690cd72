extension CivilTime {
  /// The time in a format of `strftime`, in English.
  ///
  /// `%-d` has no padding, `%_d` pads with spaces, `%0e` with zeros, and `%^a` is in upper case. A directive that
  /// is unknown is copied to the result.
  func formatted(_ format: String) -> String {
    var result = ""
    var characters = Array(format)[...]
    while let character = characters.popFirst() {
      guard character == "%" else {
        result.append(character)
        continue
      }
      let flags = characters.prefix { "-_0^".contains($0) }
      characters = characters.dropFirst(flags.count)
      guard let letter = characters.popFirst() else {
        return result + "%" + String(flags)
      }
      guard let field = field(letter) else {
        result += "%" + String(flags) + String(letter)
        continue
      }
      result += field.text(flags: flags)
    }
    return result
  }

  private enum Field {
    case number(Int, width: Int, pad: Character)
    case word(String)

    func text(flags: ArraySlice<Character>) -> String {
      switch self {
      case .word(let word): return flags.contains("^") ? word.uppercased() : word
      case .number(let value, let width, var pad):
        let digits = String(value)
        if flags.contains("-") { return digits }
        if flags.contains("_") { pad = " " }
        if flags.contains("0") { pad = "0" }
        return String(repeating: pad, count: max(0, width - digits.count)) + digits
      }
    }
  }

  static let days = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  private func field(_ letter: Character) -> Field? {
    let hour12 = (hour + 11) % 12 + 1
    switch letter {
    case "Y": return .number(year, width: 4, pad: "0")
    case "C": return .number(year / 100, width: 2, pad: "0")
    case "y": return .number(year % 100, width: 2, pad: "0")
    case "m": return .number(month, width: 2, pad: "0")
    case "d": return .number(day, width: 2, pad: "0")
    case "e": return .number(day, width: 2, pad: " ")
    case "j": return .number(dayOfYear, width: 3, pad: "0")
    case "H": return .number(hour, width: 2, pad: "0")
    case "k": return .number(hour, width: 2, pad: " ")
    case "I": return .number(hour12, width: 2, pad: "0")
    case "l": return .number(hour12, width: 2, pad: " ")
    case "M": return .number(minute, width: 2, pad: "0")
    case "S": return .number(second, width: 2, pad: "0")
    case "L": return .number(0, width: 3, pad: "0")
    case "u": return .number(weekday == 0 ? 7 : weekday, width: 1, pad: "0")
    case "w": return .number(weekday, width: 1, pad: "0")
    case "U": return .number((dayOfYear + 6 - weekday) / 7, width: 2, pad: "0")
    case "W": return .number((dayOfYear + 6 - (weekday + 6) % 7) / 7, width: 2, pad: "0")
    case "s": return .word(String(seconds))
    default: return word(letter).map(Field.word)
    }
  }

  private func word(_ letter: Character) -> String? {
    switch letter {
    case "A": return Self.days[weekday]
    case "a": return String(Self.days[weekday].prefix(3))
    case "B": return Self.months[month - 1]
    case "b", "h": return String(Self.months[month - 1].prefix(3))
    case "p": return hour < 12 ? "AM" : "PM"
    case "P": return hour < 12 ? "am" : "pm"
    case "z": return zone
    case "Z": return offset == 0 ? "UTC" : zone
    case "c": return formatted("%a %b %e %H:%M:%S %Y")
    case "D", "x": return formatted("%m/%d/%y")
    case "F": return formatted("%Y-%m-%d")
    case "T", "X": return formatted("%H:%M:%S")
    case "R": return formatted("%H:%M")
    case "r": return formatted("%I:%M:%S %p")
    case "n": return "\n"
    case "t": return "\t"
    case "%": return "%"
    default: return nil
    }
  }

  private var zone: String {
    let minutes = abs(offset) / 60
    let digits = String(10_000 + minutes / 60 * 100 + minutes % 60).dropFirst()
    return (offset < 0 ? "-" : "+") + digits
  }
}
