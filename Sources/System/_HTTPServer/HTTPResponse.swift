/// An HTTP response.
///
/// The server adds `Content-Length`, `Date` and the framing, and answers `HEAD` with only the headers.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: Body

  /// The body: bytes, a file, or a stream of chunks.
  package struct Body: Sendable {
    enum Source: Sendable {
      case bytes([UInt8])
      case file(path: String)
      case stream(AsyncStream<[UInt8]>)
    }
    let source: Source

    /// The bytes of a body in memory; `nil` if the body is a file or a stream.
    package var bytes: [UInt8]? {
      if case .bytes(let bytes) = source { bytes } else { nil }
    }

    /// The chunks of a stream; `nil` if the body is bytes or a file.
    package var chunks: AsyncStream<[UInt8]>? {
      if case .stream(let chunks) = source { chunks } else { nil }
    }

    package static func bytes(_ bytes: [UInt8]) -> Body { Body(source: .bytes(bytes)) }

    /// A file on disk; a `Range` header may request one range of it.
    ///
    /// The answer is a 404 if the file does not exist.
    package static func file(_ path: String) -> Body { Body(source: .file(path: path)) }

    /// Chunks that are sent as the stream yields them, one at a time.
    ///
    /// The stream's `onTermination` runs when the peer disconnects or the server stops. A
    /// disconnected peer is noticed only when a chunk is sent, so a quiet stream should send a
    /// comment from time to time.
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
