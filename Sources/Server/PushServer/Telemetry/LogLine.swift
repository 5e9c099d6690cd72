/// A warning in the server's log, which never contains a payload, a token or a key.
package struct LogLine: Hashable, Sendable {
  package var message: String
  /// The `X-Request-Id` of the request that the warning is about; `nil` if it is not about a request.
  package var request: String?

  package init(_ message: String, request: String? = nil) {
    self.message = message
    self.request = request
  }
}
