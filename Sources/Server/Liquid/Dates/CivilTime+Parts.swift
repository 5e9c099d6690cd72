/// The parts of a time that are not plain numbers.
extension CivilTime {
  /// The decimal digits of the seconds, cut or filled with zeros to a number of digits.
  func fraction(digits: Int) -> String {
    let text = String(1_000_000_000 + nanoseconds).dropFirst()
    return text.prefix(digits) + String(repeating: "0", count: max(0, digits - text.count))
  }

  /// The offset as `+0100`.
  var plainZone: String { zone(DateDirective(letter: UInt8(ascii: "z"))) }

  /// The offset in the form of a directive `z`; the directive's width counts the sign, the colons and all digits.
  func zone(_ directive: DateDirective) -> String {
    let (hours, minutes) = (abs(offset) / 3600, abs(offset) / 60 % 60)
    let minuteDigits = String(100 + minutes).dropFirst()
    let tail =
      switch directive.colons {
      case 0: String(minuteDigits)
      case 2: ":\(minuteDigits):00"
      case 3 where minutes == 0: ""
      default: ":\(minuteDigits)"
      }
    let sign = offset < 0 ? "-" : "+"
    let width = max(3, directive.width - tail.utf8.count)
    if directive.padding == DateDirective.space {
      let hours = sign + String(hours)
      return String(repeating: " ", count: max(0, width - hours.utf8.count)) + hours + tail
    }
    let digits = String(hours)
    return sign + String(repeating: "0", count: max(0, width - 1 - digits.utf8.count)) + digits
      + tail
  }

  /// A directive that stands for several others.
  func combination(_ directive: DateDirective) -> String {
    let format =
      switch directive.letter {
      case UInt8(ascii: "c"): "a b e H:M:S Y"
      case UInt8(ascii: "D"), UInt8(ascii: "x"): "m/d/y"
      case UInt8(ascii: "F"): "Y-m-d"
      case UInt8(ascii: "T"), UInt8(ascii: "X"): "H:M:S"
      case UInt8(ascii: "R"): "H:M"
      case UInt8(ascii: "r"): "I:M:S p"
      default: "e-b-Y"
      }
    let parts = format.utf8.map { byte in
      DateDirective.letters.utf8.contains(byte)
        ? text(of: DateDirective(letter: byte)) : String(UnicodeScalar(byte))
    }
    let isUpperCase = directive.isUpperCase || directive.letter == UInt8(ascii: "v")
    return directive.padded(isUpperCase ? parts.joined().uppercased() : parts.joined())
  }
}
