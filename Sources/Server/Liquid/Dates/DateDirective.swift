/// A directive of `strftime`, such as the `%-d` in a format of the filter `date`, as Ruby reads it.
///
/// Flags precede a width, which precedes the letter: `%-d` has no padding, `%_d` pads with spaces, `%0e` with zeros, `%^a` is
/// in upper case, `%#p` in the other case, and the colon of `%:z` separates hours and minutes. `E` and `O` before a letter
/// that has another form in some calendars change nothing.
struct DateDirective {
  private(set) var letter: UInt8
  /// The flag `-`: the value is not padded.
  private(set) var isUnpadded = false
  /// The byte to pad with, if a flag says so.
  private(set) var padding: UInt8?
  /// The flag `^`.
  private(set) var isUpperCase = false
  /// The flag `#`.
  private(set) var changesCase = false
  /// The number of colons before `z`.
  private(set) var colons = 0
  /// The least number of bytes, or 0 if the directive has no width.
  ///
  /// For `L` and `N` it is the number of digits.
  private(set) var width = 0

  /// Makes a directive without flags.
  init(letter: UInt8) { self.letter = letter }

  /// Reads the part of a directive after its `%`.
  ///
  /// - Returns: `nil` if the text is not a directive. `format` then begins with the first byte that cannot be part of
  ///   one.
  init?(_ format: inout ArraySlice<UInt8>) {
    letter = 0
    while let byte = format.first {
      switch byte {
      case UInt8(ascii: "-") where width == 0:
        isUnpadded = true
        padding = nil
      case UInt8(ascii: "_") where width == 0: padding = Self.space
      case UInt8(ascii: "^") where width == 0: isUpperCase = true
      case UInt8(ascii: "#") where width == 0: changesCase = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if byte == Self.zero { padding = Self.zero }
        let digits = format.prefix(while: \.isDigit)
        guard let number = Int32(String(decoding: digits, as: UTF8.self)) else { return nil }
        width = Int(number)
        format.removeFirst(digits.count - 1)
      case UInt8(ascii: ":"):
        let found = format.prefix { $0 == UInt8(ascii: ":") }.count
        guard found <= 3, format.dropFirst(found).first == UInt8(ascii: "z") else { return nil }
        colons = found
        format.removeFirst(found - 1)
      case UInt8(ascii: "E"), UInt8(ascii: "O"):
        let letters = byte == UInt8(ascii: "E") ? "cCxXyY" : "deHkIlmMSuUVwWy"
        guard let next = format.dropFirst().first, letters.utf8.contains(next) else { return nil }
      default:
        guard Self.letters.utf8.contains(byte) else { return nil }
        letter = byte
        format.removeFirst()
        return
      }
      format.removeFirst()
    }
    return nil
  }

  /// Pads a number with zeros to a number of digits, or as the flags and the width say.
  func number(_ value: Int, digits: Int = 2, padding usual: UInt8 = zero) -> String {
    let least = isUnpadded ? 1 : width > 0 ? width : digits
    let (sign, text) = (value < 0 ? "-" : "", String(value.magnitude))
    let pad = String(
      repeating: String(UnicodeScalar(padding ?? usual)),
      count: max(0, least - sign.utf8.count - text.utf8.count))
    return (padding ?? usual) == Self.zero ? sign + pad + text : pad + sign + text
  }

  /// Pads a text in front up to the width.
  func padded(_ text: String) -> String {
    String(
      repeating: String(UnicodeScalar(padding ?? Self.space)),
      count: max(0, width - text.utf8.count)) + text
  }

  /// A name, such as that of a day, with its padding and in its case.
  func name(_ text: String) -> String {
    let name = isUpperCase || changesCase ? text.uppercased() : text
    return isUnpadded ? name : padded(name)
  }

  /// The letters of all directives.
  static let letters = "aAbBcCdDeFgGhHIjklLmMnNpPrRsStTuUvVwWxXyYzZ%"
  static let space = UInt8(ascii: " ")
  static let zero = UInt8(ascii: "0")
}
