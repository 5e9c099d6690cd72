import Glibc

/// An IPv4 or IPv6 address as a number.
package struct NumericAddress: Hashable, Sendable {
  /// 4 or 16 bytes; an IPv4 address that was mapped to IPv6 has 4 (RFC 4291, section 2.5.5.2).
  package let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]
    self.bytes = bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
  }

  /// Parses an address without a port or zone; `nil` for any other text.
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

  package var isIPv6: Bool { bytes.count == 16 }

  package var text: String {
    guard isIPv6 else { return bytes.map { String($0) }.joined(separator: ".") }
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let start = unsafe inet_ntop(AF_INET6, bytes, buffer.baseAddress, 64) else { return "" }
      return unsafe String(cString: start)
    }
  }

  /// The name under which a limit counts an address: of IPv6 the first 64 bits, of which one household or
  /// machine has all addresses; any other text as it is.
  package static func network(of address: String) -> String {
    guard let number = NumericAddress(String(address.prefix { $0 != "%" })), number.isIPv6 else {
      return address
    }
    let prefix = Array(number.bytes.prefix(8)) + [UInt8](repeating: 0, count: 8)
    return NumericAddress(prefix).text + "/64"
  }
}

/// The rule for the address of a client behind proxies.
struct ForwardedAddress {
  /// The most hops of `X-Forwarded-For` that are looked at.
  static let hopLimit = 20

  /// Whether a peer is a proxy whose word about the client's address is taken.
  let isTrusted: @Sendable (String) -> Bool

  /// The address of the client: that of the connection, unless a trusted proxy has opened it.
  ///
  /// Each proxy appends the address of its peer to `X-Forwarded-For`, so the client is the rightmost
  /// one that is not a trusted proxy; what stands before it, the client may have written itself.
  func client(of connection: String, headers: [(name: String, value: String)]) -> String {
    guard isTrusted(connection) else { return connection }
    let hops = headers.filter { HTTPFieldName.equal($0.name, "x-forwarded-for") }
      .flatMap { $0.value.split(separator: ",", omittingEmptySubsequences: false) }
    var address = connection
    for hop in hops.reversed().prefix(Self.hopLimit) {
      guard let next = Self.address(RequestReader.trimmed(hop)) else { return address }
      address = next
      guard isTrusted(address) else { return address }
    }
    return address
  }

  /// The address of a hop, which may have a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
  private static func address(_ hop: String) -> String? {
    if hop.hasPrefix("["), let end = hop.firstIndex(of: "]") {
      return NumericAddress(String(hop[hop.index(after: hop.startIndex)..<end]))?.text
    }
    let host = hop.count(where: { $0 == ":" }) == 1 ? String(hop.prefix { $0 != ":" }) : hop
    return NumericAddress(host)?.text
  }
}
