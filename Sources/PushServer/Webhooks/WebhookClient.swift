import _Curl

/// What carries a webhook's calls.
package protocol WebhookClient: Sendable {
  /// - Returns: The status of the answer.
  /// - Throws: Where there was none.
  func post(
    _ body: [UInt8], to url: String, fields: [(name: String, value: String)]
  ) async throws -> Int
}

/// libcurl, which looks at the address before it connects and takes no private one: a webhook must
/// not reach what only this machine can.
package struct CurlWebhookClient: WebhookClient {
  private let poster: CurlPoster

  package init(allowsPrivateAddress: Bool = false) {
    poster = CurlPoster(allowsPrivateAddress: allowsPrivateAddress)
  }

  package func post(
    _ body: [UInt8], to url: String, fields: [(name: String, value: String)]
  ) async throws -> Int {
    try await poster.post(body, to: url, fields: fields)
  }
}
