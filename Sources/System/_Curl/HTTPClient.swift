/// A client that makes single requests to other servers and follows no redirects.
///
/// Webhooks, OpenID providers and collectors of traces are called through it. `MediaLoader` is for answers that arrive
/// in pieces and can be stopped at any byte. `APNsClient` keeps connections, on which many pushes run at once.
package protocol HTTPClient: Sendable {
  /// Makes a request.
  ///
  /// - Throws: An error if no answer arrives, or if the server's address is private and the request does not allow it.
  func answer(to request: OutgoingRequest) async throws -> OutgoingRequest.Answer
}

/// A request to another server.
package struct OutgoingRequest: Sendable {
  /// An answer with any status.
  package struct Answer: Sendable {
    package var status: Int
    /// The first bytes of the body, up to ``OutgoingRequest/bodyLimit``.
    package var body: [UInt8]

    package init(status: Int, body: [UInt8] = []) {
      self.status = status
      self.body = body
    }
  }

  /// The maximum time until the whole answer has arrived.
  package static let timeLimit = Duration.seconds(15)

  package var url: String
  package var fields: [(name: String, value: String)]
  /// The body of a POST; a request without a body is a GET.
  package var body: [UInt8]?
  /// The number of bytes of the answer's body that are kept.
  package var bodyLimit: Int
  /// Decides whether a connection to a private address may be made for this request.
  ///
  /// It gets the host in ``url`` and the address to which that host resolves. Public addresses are always allowed.
  package var allowsPrivate: @Sendable (_ host: String, _ address: String) -> Bool

  package init(
    url: String, fields: [(name: String, value: String)] = [], body: [UInt8]? = nil,
    bodyLimit: Int = 0,
    allowsPrivate: @escaping @Sendable (_ host: String, _ address: String) -> Bool
  ) {
    self.url = url
    self.fields = fields
    self.body = body
    self.bodyLimit = bodyLimit
    self.allowsPrivate = allowsPrivate
  }
}
