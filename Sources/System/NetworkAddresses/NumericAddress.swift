import Glibc

/// An IPv4 or IPv6 address as a number.
package struct NumericAddress: Hashable, Sendable {
  /// The address's 4 or 16 bytes; an IPv4 address that was mapped to IPv6 has 4 (RFC 4291, section 2.5.5.2).
  package let bytes: [UInt8]

  /// Makes an address of 4 or 16 bytes.
  package init(_ bytes: [UInt8]) {
    let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]
    self.bytes = bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
  }

  /// Parses an address without a port or zone; `nil` if the text is not one.
  package init?(_ text: String) {
    // inet_pton stops reading at a NUL and would accept the text before it.
    guard (2...45).contains(text.utf8.count), !text.utf8.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
      self.init(Array(bytes.prefix(4)))
    } else if unsafe inet_pton(AF_INET6, text, &bytes) == 1 {
      self.init(bytes)
    } else {
      return nil
    }
  }

  /// Parses the address of a connection's peer, which may name its interface: `fe80::1%eth0`.
  package init?(peer text: String) {
    self.init(String(text.prefix { $0 != "%" }))
  }

  package var isIPv6: Bool { bytes.count == 16 }

  package var text: String {
    guard isIPv6 else { return bytes.map { String($0) }.joined(separator: ".") }
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let start = unsafe inet_ntop(AF_INET6, bytes, buffer.baseAddress, 64) else { return "" }
      return unsafe String(cString: start)
    }
  }

  /// The name under which a limit counts an address: the first 64 bits of IPv6, because one household or machine
  /// has all of their addresses; other texts are unchanged.
  package static func network(of address: String) -> String { networks(of: address)[0] }

  /// The names of the networks that an address may stand for, the smallest first: for IPv6 its first 64, 56 and
  /// 48 bits, because a provider gives a customer any of them; for IPv4 the address itself.
  package static func networks(of address: String) -> [String] {
    guard let number = NumericAddress(peer: address) else { return [address] }
    guard number.isIPv6 else { return [number.text] }
    return [8, 7, 6].map { count in
      let prefix = number.bytes.prefix(count) + [UInt8](repeating: 0, count: 16 - count)
      return NumericAddress(Array(prefix)).text + "/\(count * 8)"
    }
  }
}
