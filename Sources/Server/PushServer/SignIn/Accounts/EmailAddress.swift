/// The email address of an account, in lowercase.
///
/// Only ASCII is accepted, because letters of other scripts look like Latin ones, and some become Latin ones in
/// lowercase.
package struct EmailAddress: Hashable, Sendable {
  package static let maximumLength = 254

  package let text: String

  /// Returns `nil` if a text is not an address.
  package init?(_ typed: String) {
    let bytes = Array(typed.utf8)
    guard (3...Self.maximumLength).contains(bytes.count),
      bytes.allSatisfy({ (0x21...0x7e).contains($0) && !Self.refused.contains($0) }),
      bytes.count(where: { $0 == UInt8(ascii: "@") }) == 1,
      bytes.first != UInt8(ascii: "@"), bytes.last != UInt8(ascii: "@")
    else { return nil }
    text = typed.lowercased()
  }

  /// Characters that only quoted addresses have, and that mail programs take for separators of addresses.
  private static let refused = Set("\"(),:;<>[]\\".utf8)
}
