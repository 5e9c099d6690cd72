/// One request: its body has been read and is within the limit of its path, or comes while it is
/// answered.
package struct HTTPRequest: Sendable {
  package var method: String
  /// As it came, percent-encoded, without the query.
  package var path: String
  /// Decoded, in order; a name may repeat.
  package var query: [(name: String, value: String)]
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  /// The body of a path whose bodies are streamed, in place of ``body``.
  package var incoming: IncomingBody?
  /// The numeric address of the peer: `127.0.0.1`, `::1`.
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

  /// The first field of that name, whatever its case.
  package func header(_ name: String) -> String? {
    headers.first { HTTPFieldName.equal($0.name, name) }?.value
  }
}

enum HTTPFieldName {
  /// Field names are ASCII tokens, so ASCII case is all there is to fold (RFC 9110, 5.1).
  static func equal(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    var rest = right.utf8.makeIterator()
    return left.utf8.allSatisfy { byte in rest.next().map(lowercased) == lowercased(byte) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}
