import Foundation

/// IP addresses that share a prefix, in CIDR notation (RFC 4632; RFC 4291, section 2.3).
///
/// An address alone is a range of one; bits beyond the prefix do not count.
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
  /// The text that the range was made from.
  package let description: String
  private let network: [UInt8]
  private let prefix: Int

  /// Parses an address with an optional prefix length, "192.0.2.0/24".
  ///
  /// Returns `nil` where the text is neither IPv4 nor IPv6, or the prefix is longer than an
  /// address.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard text.utf8.count <= 64, let network = Self.bytes(of: parts[0]) else { return nil }
    self.network = network
    description = text
    guard parts.count == 2 else {
      prefix = network.count * 8
      return
    }
    guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let prefix = Int(parts[1]),
      prefix <= network.count * 8
    else { return nil }
    self.prefix = prefix
  }

  /// Whether the range has a numeric address; `false` for text that is not an address.
  package func contains(_ address: String) -> Bool {
    // A link-local peer comes with its interface: fe80::1%eth0.
    guard let bytes = Self.bytes(of: address.prefix { $0 != "%" }), bytes.count == network.count
    else { return false }
    let (whole, rest) = prefix.quotientAndRemainder(dividingBy: 8)
    guard bytes.prefix(whole) == network.prefix(whole) else { return false }
    return rest == 0 || (bytes[whole] ^ network[whole]) >> (8 - rest) == 0
  }

  /// The name under which an address is counted: an IPv4 address itself, and of an IPv6 address its
  /// network of 64 bits, all of which one caller may have.
  package static func network(of address: String) -> String {
    guard let bytes = bytes(of: address.prefix { $0 != "%" }) else { return address }
    guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
    let groups = stride(from: 0, to: 8, by: 2).map { place in
      String(UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]), radix: 16)
    }
    return groups.joined(separator: ":") + "::/64"
  }

  private static func bytes(of address: Substring) -> [UInt8]? {
    // inet_pton stops reading at a NUL and would accept the text before it.
    guard !address.utf8.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, String(address), &bytes) == 1 { return Array(bytes.prefix(4)) }
    guard inet_pton(AF_INET6, String(address), &bytes) == 1 else { return nil }
    // An IPv6 socket shows an IPv4 peer as a mapped address (RFC 4291, section 2.5.5.2).
    let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]
    return bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
  }
}
