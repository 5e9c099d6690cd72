public import Foundation

/// A classifier of addresses that do not belong to the public internet.
///
/// An address counts as private if IANA's registries of special-purpose addresses (RFC 6890) do not list it as globally
/// reachable: loopback, private, link-local and shared networks, documentation, benchmarks, multicast and reserved addresses.
/// Public addresses at which clouds serve a machine its own secrets count as private too. Check the address of a connection
/// before it is made: a check of the URL alone is not enough, because any name may resolve to a private address.
public enum PrivateAddress {
  /// Whether an address is private.
  ///
  /// - Parameter address: Four bytes of IPv4 or sixteen of IPv6, in network order.
  /// - Returns: Whether it is private; `true` for bytes that are not an address.
  public static func contains(_ address: [UInt8]) -> Bool {
    switch address.count {
    case 4: isPrivateIPv4(address[...])
    case 16: isPrivateIPv6(address)
    default: true
    }
  }

  /// Whether a text is a private address.
  ///
  /// - Parameter text: An IPv4 address in any form that `inet_aton` accepts, such as `127.1` and
  ///   `0x7f000001`, or an IPv6 address, with or without a zone.
  /// - Returns: Whether it is private; `false` for a text that is not an address.
  public static func contains(_ text: String) -> Bool {
    (IPAddress.bytes(ofIPv4: text) ?? IPAddress.bytes(ofIPv6: text)).map(contains) ?? false
  }

  /// Whether a URL's host is a private address or a name that is never public.
  ///
  /// The names are `localhost` (RFC 6761), `local` (RFC 6762), `home.arpa` (RFC 8375), `internal`
  /// (reserved by ICANN in 2024) and `localdomain`, with their subdomains. A host that is not an address but
  /// whose last label is a number counts as private too, as does one with characters that names do not
  /// have, because resolvers interpret them differently.
  ///
  /// - Parameter url: The URL.
  /// - Returns: Whether the host is private; `false` for a URL without a host.
  public static func isHost(of url: URL) -> Bool {
    guard let host = url.host(percentEncoded: false) else { return false }
    return isHost(host)
  }

  static func isHost(_ text: String) -> Bool {
    // Mapped as IDNA does before a name is resolved (UTS #46): full-width digits, other dots, invisible
    // characters.
    let mapped = (text.removingPercentEncoding ?? text).precomposedStringWithCompatibilityMapping
      .replacingOccurrences(of: "\u{3002}", with: ".").lowercased()
    var host = String(
      String.UnicodeScalarView(
        mapped.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }))
    // Names do not have these characters; a parser that stops at one would see another host.
    guard
      !host.unicodeScalars.contains(where: {
        $0.value < 0x21 || "\\/@#?\u{7F}".unicodeScalars.contains($0)
      })
    else { return true }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    while host.hasSuffix(".") { host.removeLast() }
    if let address = IPAddress.bytes(ofIPv4: host) ?? IPAddress.bytes(ofIPv6: host) {
      return contains(address)
    }
    let last = host.split(separator: ".").last ?? ""
    return host.contains(":") || IPAddress.isNumber(last)
      || names.contains { host == $0 || host.hasSuffix("." + $0) }
  }

  private static let names = [
    "localhost", "local", "localdomain", "internal", "home.arpa", "ip6-localhost", "ip6-loopback",
  ]

  /// The blocks of the IANA IPv4 Special-Purpose Address Registry that are not globally reachable, and
  /// multicast (RFC 5771).
  private static let blocks: [(network: UInt32, bits: Int)] = [
    (0x0000_0000, 8),  // this network, RFC 791
    (0x0A00_0000, 8),  // private use, RFC 1918
    (0x6440_0000, 10),  // shared address space of carriers, RFC 6598
    (0x7F00_0000, 8),  // loopback, RFC 1122
    (0xA83F_8110, 32),  // Azure's metadata and DHCP, 168.63.129.16
    (0xA9FE_0000, 16),  // link-local, RFC 3927; metadata of most clouds, 169.254.169.254
    (0xAC10_0000, 12),  // private use, RFC 1918
    (0xC000_0000, 24),  // IETF protocol assignments, RFC 6890
    (0xC000_0200, 24),  // documentation, RFC 5737
    (0xC058_6300, 24),  // 6to4 relays, RFC 7526
    (0xC0A8_0000, 16),  // private use, RFC 1918
    (0xC612_0000, 15),  // benchmarks, RFC 2544
    (0xC633_6400, 24),  // documentation, RFC 5737
    (0xCB00_7100, 24),  // documentation, RFC 5737
    (0xE000_0000, 4),  // multicast, RFC 5771
    (0xF000_0000, 4),  // reserved, RFC 1112; broadcast, RFC 8190
  ]

  private static func isPrivateIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
    let address = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return blocks.contains { (address ^ $0.network) >> (32 - $0.bits) == 0 }
  }

  /// Only `2000::/3` is assigned as global unicast (RFC 4291 section 2.4), and not all of it.
  private static func isPrivateIPv6(_ bytes: [UInt8]) -> Bool {
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]  // RFC 4291 section 2.5.5.2
    let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]  // NAT64, RFC 6052
    if bytes.starts(with: mapped) || bytes.starts(with: translated) {
      return isPrivateIPv4(bytes[12...])
    }
    if bytes.starts(with: [0x20, 0x02]) { return isPrivateIPv4(bytes[2..<6]) }  // 6to4, RFC 3056
    let isGlobal = bytes[0] >> 5 == 1
    let isProtocol = bytes.starts(with: [0x20, 0x01]) && bytes[2] < 2  // 2001::/23, RFC 2928
    let isDocumentation =
      bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8])  // RFC 3849
      || bytes.starts(with: [0x3F, 0xFF]) && bytes[2] < 0x10  // 3fff::/20, RFC 9637
    return !isGlobal || isProtocol || isDocumentation
  }
}
