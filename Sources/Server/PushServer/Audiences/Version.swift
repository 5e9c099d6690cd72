/// A version, ordered by its numbers: `1.10` is greater than `1.9`, and `1.2` equals `1.2.0`.
///
/// If the numbers are equal, the labels decide. A label after a hyphen is a prerelease, which is
/// less than the release (Semantic Versioning 2.0.0, item 11); any other label is greater. A text
/// that does not begin with a number is less than every version.
struct Version: Hashable, Comparable, Sendable {
  private var numbers: [UInt64]
  private var label: String

  init(_ text: String) {
    numbers = []
    var rest = text.utf8[...]
    while let number = Self.removeNumber(from: &rest) {
      numbers.append(number)
      guard rest.first == UInt8(ascii: "."), let next = rest.dropFirst().first,
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next)
      else { break }
      rest.removeFirst()
    }
    while numbers.last == 0, numbers.count > 1 { numbers.removeLast() }
    label = String(decoding: rest, as: UTF8.self)
  }

  /// A text of the same version.
  var text: String { numbers.map(String.init).joined(separator: ".") + label }

  /// Removes the number at the front of a text; a number too great for 64 bits becomes `UInt64.max`.
  private static func removeNumber(from text: inout Substring.UTF8View) -> UInt64? {
    let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty else { return nil }
    text = text.dropFirst(digits.count)
    return UInt64(String(decoding: digits, as: UTF8.self)) ?? .max
  }

  static func < (left: Version, right: Version) -> Bool {
    if left.numbers != right.numbers {
      return left.numbers.lexicographicallyPrecedes(right.numbers)
    }
    if left.stage != right.stage { return left.stage < right.stage }
    return left.label < right.label
  }

  private var stage: Int { label.isEmpty ? 0 : label.hasPrefix("-") ? -1 : 1 }
}
