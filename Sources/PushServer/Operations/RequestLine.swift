/// An answered request as the log has it: which route and which key, never a path, a body or a secret.
package struct RequestLine: Hashable, Sendable {
  /// The `X-Request-Id` of the answer.
  package var id: String
  package var method: String
  /// The pattern; `none` where there is no such path.
  package var route: String
  package var status: Int
  package var duration: Duration
  /// The id of the key that was used, where it was good.
  package var key: String?

  package init(
    id: String, method: String, route: String, status: Int, duration: Duration, key: String?
  ) {
    self.id = id
    self.method = method
    self.route = route
    self.status = status
    self.duration = duration
    self.key = key
  }

  package var milliseconds: Int { Int(duration / .milliseconds(1)) }
}
