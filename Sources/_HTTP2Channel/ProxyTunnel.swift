/// The opening of a tunnel through an HTTP proxy (RFC 9110 section 9.3.6), as a value without a socket.
package struct ProxyTunnel {
  /// The most bytes of the proxy's answer.
  static let headerLimit = 8 * 1024

  /// What is to be written before the proxy answers.
  let request: [UInt8]
  var written = 0
  private var answer: [UInt8] = []

  /// Asks for a tunnel to `host:port`; the credentials are user and password in base64.
  package init(to authority: String, basicCredentials: String? = nil) {
    var text = "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n"
    if let basicCredentials { text += "Proxy-Authorization: Basic \(basicCredentials)\r\n" }
    request = Array((text + "\r\n").utf8)
  }

  /// Takes bytes of the answer and says whether the tunnel is open.
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
    // An answer to come; the tunnel's own follows.
    case 100..<200:
      answer.removeFirst(end)
      return try answer.isEmpty ? false : receive([])
    case 200..<300: break
    case 407: throw ProxyError("it asks for a user and a password, or refuses those it got (407)")
    default:
      throw ProxyError("it refuses the tunnel with status \(status)", isLasting: status < 500)
    }
    // In TLS the client speaks first, so these are not APNs's.
    guard end == answer.count else { throw ProxyError("it speaks before the tunnel is used") }
    return true
  }

  /// Behind the empty line that ends the header.
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

/// Why a proxy opened no tunnel.
package struct ProxyError: Error, Sendable, CustomStringConvertible {
  package let description: String
  /// Whether it says that proxy or configuration are wrong, which time does not mend.
  package let isLasting: Bool
  init(_ description: String, isLasting: Bool = true) {
    self.description = description
    self.isLasting = isLasting
  }
}
