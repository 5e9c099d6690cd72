import CNghttp2

/// An error code of HTTP/2 (RFC 9113 section 7).
package struct HTTP2ErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package var rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let noError = HTTP2ErrorCode(rawValue: 0)
  package static let protocolError = HTTP2ErrorCode(rawValue: 1)
  package static let internalError = HTTP2ErrorCode(rawValue: 2)
  package static let refusedStream = HTTP2ErrorCode(rawValue: 7)
  package static let cancel = HTTP2ErrorCode(rawValue: 8)

  package var description: String {
    unsafe String(cString: nghttp2_http2_strerror(rawValue))
  }
}

/// The error that ends a session.
package struct HTTP2Error: Error, Sendable, CustomStringConvertible {
  /// The error code of nghttp2.
  package let code: Int32
  package let message: String

  init(_ code: Int32) {
    self.code = code
    message = unsafe String(cString: nghttp2_strerror(code))
  }

  package var description: String { message }
}
