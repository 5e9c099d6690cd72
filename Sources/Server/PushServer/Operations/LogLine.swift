/// A warning in the server's log, which never has a payload, a token or a key.
package struct LogLine: Hashable, Sendable {
  package var message: String
  /// The `X-Request-Id` of the request that it concerns; `nil` where it concerns none.
  package var request: String?

  package init(_ message: String, request: String? = nil) {
    self.message = message
    self.request = request
  }
}
