/// Opens a tunnel through an HTTP proxy by CONNECT (RFC 9110 section 9.3.6), without a socket.
package struct ProxyTunnel {
  /// The most bytes of the header of the proxy's answer.
  static let headerLimit = 8 * 1024

  /// The request, which must be written before the proxy answers.
  let request: [UInt8]
  var written = 0
  private var answer: [UInt8] = []

  /// Makes the request for a tunnel.
  ///
  /// - Parameters:
  ///   - authority: The server as `host:port`.
  ///   - basicCredentials: `user:password` in base64 (RFC 7617); `nil` if the proxy needs no
  ///     credentials.
  package init(to authority: String, basicCredentials: String? = nil) {
    var text = "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n"
    if let basicCredentials { text += "Proxy-Authorization: Basic \(basicCredentials)\r\n" }
    request = Array((text + "\r\n").utf8)
  }

  /// Reads bytes of the answer.
  ///
  /// - Returns: Whether the tunnel is open; `false` if the answer is not complete yet.
  /// - Throws: ``ProxyError`` if the proxy refuses, or does not answer as an HTTP proxy.
  mutating func receive(_ bytes: some Sequence<UInt8>) throws(ProxyError) -> Bool {
    answer.append(contentsOf: bytes)
    guard let end = endOfHeader else {
      let isHTTP = answer.prefix(5).elementsEqual("HTTP/".utf8.prefix(answer.count))
      guard isHTTP else { throw ProxyError("it does not answer as an HTTP proxy") }
      guard answer.count <= Self.headerLimit else {
        throw ProxyError("its answer has more than \(Self.headerLimit) bytes of header")
      }
      return false
    }
    let line = answer.prefix { $0 != 0x0d && $0 != 0x0a }.split(separator: 0x20, maxSplits: 2)
    guard line.count >= 2, line[0].starts(with: "HTTP/1.".utf8), line[1].count == 3,
      let status = Int(String(decoding: line[1], as: UTF8.self))
    else { throw ProxyError("it does not answer as an HTTP proxy") }
    switch status {
    // This is an interim answer; the final one follows.
    case 100..<200:
      answer.removeFirst(end)
      return try answer.isEmpty ? false : receive([])
    case 200..<300: break
    case 407: throw ProxyError("it asks for a user and a password, or refuses those it got (407)")
    default:
      throw ProxyError("it refuses the tunnel with status \(status)", isPermanent: status < 500)
    }
    // In TLS the client sends first, so these bytes are not from APNs.
    guard end == answer.count else { throw ProxyError("it speaks before the tunnel is used") }
    return true
  }

  /// The index after the empty line that ends the header; `nil` if that line has not arrived yet.
  private var endOfHeader: Int? {
    var lineLength = 0
    for (index, byte) in answer.enumerated() {
      switch byte {
      case 0x0a where lineLength == 0 && index > 0: return index + 1
      case 0x0a: lineLength = 0
      case 0x0d: break
      default: lineLength += 1
      }
    }
    return nil
  }
}

/// The reason why a proxy did not open a tunnel.
package struct ProxyError: Error, Sendable, CustomStringConvertible {
  package let description: String
  /// Whether the proxy or the configuration is wrong, so that another attempt would also fail.
  package let isPermanent: Bool
  init(_ description: String, isPermanent: Bool = true) {
    self.description = description
    self.isPermanent = isPermanent
  }
}
