/// A version as its numbers order it: `1.10` is above `1.9`, and `1.2` is `1.2.0`.
///
/// What follows the numbers counts last. After a hyphen it names a preview, which comes before the
/// release (Semantic Versioning 2.0.0, 11); anything else comes after. A text without a number in
/// front is below every version.
struct Version: Hashable, Comparable, Sendable {
  private var numbers: [UInt64]
  private var label: String

  init(_ text: String) {
    numbers = []
    var rest = text.utf8[...]
    while let digits = Self.digits(&rest) {
      numbers.append(digits)
      guard rest.first == UInt8(ascii: "."), let next = rest.dropFirst().first,
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next)
      else { break }
      rest.removeFirst()
    }
    while numbers.last == 0, numbers.count > 1 { numbers.removeLast() }
    label = String(decoding: rest, as: UTF8.self)
  }

  /// Takes a number off the front; one that is too great for 64 bits is the greatest of them.
  private static func digits(_ rest: inout Substring.UTF8View) -> UInt64? {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
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
