/// An answered request in the server's log, which never contains a path, a body or a secret.
package struct RequestLine: Hashable, Sendable {
  /// The `X-Request-Id` of the answer.
  package var id: String
  package var method: String
  /// The route's pattern, such as `/v6/devices/{device_id}`; `none` if no route matched.
  package var route: String
  package var status: Int
  package var duration: Duration
  /// The id of the key, if the request had a known one; the key may have been refused.
  package var key: String?
  /// The numeric address of the client.
  package var address: String
  /// The id of the trace with the request; `nil` if the request is not recorded.
  package var trace: String?

  package init(
    id: String, method: String, route: String, status: Int, duration: Duration, key: String?,
    address: String, trace: String? = nil
  ) {
    self.id = id
    self.method = method
    self.route = route
    self.status = status
    self.duration = duration
    self.key = key
    self.address = address
    self.trace = trace
  }

  package var milliseconds: Int { Int(duration / .milliseconds(1)) }
}
