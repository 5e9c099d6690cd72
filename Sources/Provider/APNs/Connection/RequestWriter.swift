import _HTTP2

/// A writer of requests, which uses the memory of its header block again for each.
struct RequestWriter {
  private var block = HeaderBlock()
  private var pushHeaders: PushHeaders

  var authority: String { pushHeaders.authority }

  init(authority: String) { pushHeaders = PushHeaders(authority: authority) }

  /// Creates a writer for an endpoint; its `:authority` names the port if that is not 443.
  init(_ endpoint: APNsEndpoint) {
    let host = endpoint.host.contains(":") ? "[\(endpoint.host)]" : endpoint.host
    self.init(authority: endpoint.port == 443 ? host : "\(host):\(endpoint.port)")
  }

  /// Sends one request of a batch on a new stream of a connection.
  mutating func send(
    _ push: PushReference, of requests: Requests, authorization: String?, on connection: Connection
  ) throws {
    switch requests {
    case .pushes(let notifications):
      pushHeaders.write(push.index, of: notifications, authorization: authorization, to: &block)
      try connection.send(push, block, body: notifications[push.index].payload)
    case .call(let call):
      block.write(call, authority: authority, authorization: authorization)
      try connection.send(push, block, body: call.body, answerLimit: call.answerLimit)
    }
  }
}
