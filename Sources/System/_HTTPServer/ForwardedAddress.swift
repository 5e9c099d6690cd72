import NetworkAddresses

/// The rule for the address of a client behind proxies.
struct ForwardedAddress {
  /// The most hops of `X-Forwarded-For` that are read.
  static let hopLimit = 20

  /// Whether a peer is a proxy that is trusted to name its client's address.
  let isTrusted: @Sendable (String) -> Bool

  /// The address of the client, which is that of the connection unless a trusted proxy opened it.
  ///
  /// Each proxy appends the address of its peer to `X-Forwarded-For`, so the client is the rightmost
  /// address that is not a trusted proxy. The addresses before it may come from the client itself.
  func client(of connection: String, headers: [(name: String, value: String)]) -> String {
    guard isTrusted(connection) else { return connection }
    let hops = headers.filter { HTTPFieldName.equal($0.name, "x-forwarded-for") }
      .flatMap { $0.value.split(separator: ",", omittingEmptySubsequences: false) }
    var address = connection
    for hop in hops.reversed().prefix(Self.hopLimit) {
      guard let next = Self.address(String(hop.trimmed)) else { return address }
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
