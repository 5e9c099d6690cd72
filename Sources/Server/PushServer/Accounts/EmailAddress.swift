/// The email address of an account, in lowercase.
///
/// Only ASCII is taken: letters of other scripts look like Latin ones, and some become Latin ones in lowercase.
package struct EmailAddress: Hashable, Sendable {
  package static let maximumLength = 254

  package let text: String

  /// Returns `nil` for a text that is no address.
  package init?(_ typed: String) {
    let bytes = Array(typed.utf8)
    guard (3...Self.maximumLength).contains(bytes.count),
      bytes.allSatisfy({ (0x21...0x7e).contains($0) && !Self.refused.contains($0) }),
      bytes.count(where: { $0 == UInt8(ascii: "@") }) == 1,
      bytes.first != UInt8(ascii: "@"), bytes.last != UInt8(ascii: "@")
    else { return nil }
    text = typed.lowercased()
  }

  /// Characters that only addresses with quotes have, and that mail programs read as several addresses.
  private static let refused = Set("\"(),:;<>[]\\".utf8)
}
