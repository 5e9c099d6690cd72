/// A host and a port to listen on.
package struct SocketAddress: Hashable, Sendable {
  package var host: String
  package var port: UInt16

  /// Reads `HOST:PORT`; an IPv6 host may be in brackets.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), colon != text.startIndex,
      let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    let host = text[..<colon].trimmingPrefix("[")
    self.host = String(host.hasSuffix("]") ? host.dropLast() : host)
    self.port = port
  }

  /// The host in the form of a URL, with an IPv6 address in brackets.
  package static func urlHost(_ host: String) -> String {
    host.contains(":") ? "[\(host)]" : host
  }
}
