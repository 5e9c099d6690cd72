/// IP addresses that share a prefix, in CIDR notation (RFC 4632; RFC 4291, section 2.3).
///
/// An address without a prefix length is a range of one. Bits beyond the prefix are ignored.
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
  /// The text that the range was made from.
  package let description: String
  private let network: [UInt8]
  private let prefix: Int

  /// Parses an address with an optional prefix length, such as "192.0.2.0/24".
  ///
  /// Returns `nil` if the text is neither IPv4 nor IPv6, or if the prefix is longer than an
  /// address.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard text.utf8.count <= 64, let network = NumericAddress(String(parts[0])) else { return nil }
    self.network = network.bytes
    description = text
    guard parts.count == 2 else {
      prefix = network.bytes.count * 8
      return
    }
    guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let prefix = Int(parts[1]),
      prefix <= network.bytes.count * 8
    else { return nil }
    self.prefix = prefix
  }

  /// Whether the range contains a numeric address; `false` if the text is not an address.
  package func contains(_ address: String) -> Bool {
    guard let bytes = NumericAddress(peer: address)?.bytes, bytes.count == network.count
    else { return false }
    let (whole, rest) = prefix.quotientAndRemainder(dividingBy: 8)
    guard bytes.prefix(whole) == network.prefix(whole) else { return false }
    return rest == 0 || (bytes[whole] ^ network[whole]) >> (8 - rest) == 0
  }
}
