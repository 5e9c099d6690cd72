import COpenSSL

/// The error of a TLS connection or of a certificate.
package struct TLSError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable {
    /// A certificate or key cannot be read.
    case badPEM
    /// The peer's certificate is not trusted, or does not have this name.
    case certificate
    /// The peer broke the protocol, or the library failed.
    case failed
    /// The peer closed the connection.
    case closed
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }

  /// Makes an error whose message includes the reasons in the thread's error queue, and empties the queue.
  static func drainingQueue(_ message: String) -> TLSError {
    var reasons: [String] = []
    while true {
      let number = ERR_get_error()
      guard number != 0 else { break }
      if let reason = unsafe ERR_reason_error_string(number) {
        reasons.append(unsafe String(cString: reason))
      }
    }
    return TLSError(
      .failed, reasons.isEmpty ? message : message + ": " + reasons.joined(separator: "; "))
  }
}
