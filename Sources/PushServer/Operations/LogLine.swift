/// Something that whoever runs the server should hear of; never a payload, a token or a key.
package struct LogLine: Hashable, Sendable {
  package var message: String
  /// The `X-Request-Id` of the request it is about.
  package var request: String?

  package init(_ message: String, request: String? = nil) {
    self.message = message
    self.request = request
  }
}
