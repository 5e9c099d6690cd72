/// An HTTP request whose body is complete, or arrives while the request is handled.
package struct HTTPRequest: Sendable {
  package var method: String
  /// The path without the query: percent-encoded, without empty segments and unnecessary escapes.
  package var path: String
  /// The decoded query in order; names may repeat.
  package var query: [(name: String, value: String)]
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  /// The body if it is streamed, in which case ``body`` is empty.
  package var incoming: IncomingBody?
  /// The numeric address of the peer, such as `127.0.0.1` or `::1`.
  package var remoteAddress: String

  package init(
    method: String, path: String, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], body: [UInt8] = [],
    remoteAddress: String = "127.0.0.1"
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.remoteAddress = remoteAddress
  }

  /// Returns the value of the first header field with a name, ignoring case.
  package func header(_ name: String) -> String? {
    headers.first { HTTPFieldName.equal($0.name, name) }?.value
  }
}

enum HTTPFieldName {
  /// Compares field names without regard to the case of ASCII letters (RFC 9110, section 5.1).
  static func equal(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    var other = right.utf8.makeIterator()
    return left.utf8.allSatisfy { byte in other.next().map(lowercased) == lowercased(byte) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}
