/// A host and a port to listen on.
package struct SocketAddress: Hashable, Sendable {
  package var host: String
  package var port: UInt16

  /// Reads `HOST:PORT`, where an IPv6 host may stand in brackets.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), colon != text.startIndex,
      let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    let host = text[..<colon].trimmingPrefix("[")
    self.host = String(host.hasSuffix("]") ? host.dropLast() : host)
    self.port = port
  }

  /// The host as a URL has it: an IPv6 address in brackets.
  package static func urlHost(_ host: String) -> String {
    host.contains(":") ? "[\(host)]" : host
  }
}
