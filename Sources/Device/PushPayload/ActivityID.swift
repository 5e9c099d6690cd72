/// The rules for the ids of Live Activities, which the app's server chooses, and for the names of
/// their types; the server and MartletKit have them in common.
package enum ActivityID {
  /// The form of an activity's id, for an error text.
  package static let form =
    "1 to 64 letters, digits, dots, hyphens and underscores, not beginning with a dot"
  package static let pattern = "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$"
  /// The form of a type's name, for an error text.
  package static let typeForm =
    "the name of a Swift type: 1 to 128 letters, digits, underscores and dots, beginning with"
    + " a letter or an underscore"
  package static let typePattern = "^[A-Za-z_][A-Za-z0-9_.]{0,127}$"

  package static func isValid(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: ".")
      && text.utf8.allSatisfy { $0.isLetterOrDigit || [0x2d, 0x2e, 0x5f].contains($0) }
  }

  package static func isType(_ text: String) -> Bool {
    guard let first = text.utf8.first, (1...128).contains(text.utf8.count) else { return false }
    let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    return !isDigit && first != UInt8(ascii: ".")
      && text.utf8.allSatisfy { $0.isLetterOrDigit || [0x2e, 0x5f].contains($0) }
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII letter or digit.
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
