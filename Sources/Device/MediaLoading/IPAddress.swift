#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A parser of IP addresses that accepts the forms that resolvers accept.
enum IPAddress {
  /// Parses an IPv4 address as `inet_aton` does: one to four decimal, octal or hexadecimal numbers, the last of
  /// which fills the remaining bytes.
  static func bytes(ofIPv4 text: String) -> [UInt8]? {
    var address = in_addr()
    return inet_aton(text, &address) == 0 ? nil : withUnsafeBytes(of: address) { Array($0) }
  }

  /// Parses an IPv6 address (RFC 4291 section 2.2).
  ///
  /// A zone (RFC 4007) is ignored.
  static func bytes(ofIPv6 text: String) -> [UInt8]? {
    var address = in6_addr()
    let isAddress = inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &address) == 1
    return isAddress ? withUnsafeBytes(of: address) { Array($0) } : nil
  }

  /// Whether a host's label has the form of a number, even one that is too large for an address.
  static func isNumber(_ label: some StringProtocol) -> Bool {
    let isDecimal = !label.isEmpty && label.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return isDecimal || label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit)
  }
}
