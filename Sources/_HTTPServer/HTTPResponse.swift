/// An answer.
///
/// `Content-Length`, `Date` and the framing are the server's; to `HEAD` it sends the headers of the
/// same answer alone.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: Body

  /// Where the bytes come from.
  package struct Body: Sendable {
    enum Source: Sendable {
      case bytes([UInt8])
      case file(path: String)
      case stream(AsyncStream<[UInt8]>)
    }
    let source: Source

    /// What is sent, where it is held; `nil` for files and streams.
    package var bytes: [UInt8]? {
      if case .bytes(let bytes) = source { bytes } else { nil }
    }

    package static func bytes(_ bytes: [UInt8]) -> Body { Body(source: .bytes(bytes)) }

    /// Sent from the disk without holding it; a `Range` of one part is served.
    ///
    /// A file that is not there is a 404.
    package static func file(_ path: String) -> Body { Body(source: .file(path: path)) }

    /// Chunks as they come, one in flight at a time.
    ///
    /// When the peer goes away or the server stops, the stream's `onTermination` runs. A peer that
    /// goes away is noticed by the next chunk, so a quiet stream sends a comment now and then.
    package static func stream(_ chunks: AsyncStream<[UInt8]>) -> Body {
      Body(source: .stream(chunks))
    }
  }

  package init(status: Int, headers: [(String, String)] = [], body: [UInt8] = []) {
    self.init(status: status, headers: headers, body: .bytes(body))
  }

  package init(status: Int, headers: [(String, String)] = [], body: Body) {
    self.status = status
    self.headers = headers.map { (name: $0.0, value: $0.1) }
    self.body = body
  }
}
