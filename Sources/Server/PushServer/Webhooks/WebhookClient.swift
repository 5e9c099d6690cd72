import _Curl

/// A sender of webhook calls over HTTP.
package protocol WebhookClient: Sendable {
  /// Posts a body with header fields.
  ///
  /// - Returns: The status of the answer.
  /// - Throws: An error if no answer arrives.
  func post(
    _ body: [UInt8], to url: String, fields: [(name: String, value: String)]
  ) async throws -> Int
}

/// A webhook client over libcurl.
///
/// It checks the address before it connects and refuses private ones, so that a webhook cannot
/// reach services that only this machine can reach.
package struct CurlWebhookClient: WebhookClient {
  private let client: CurlClient

  package init(allowsPrivateAddress: Bool = false) {
    client = CurlClient(allowsPrivateAddress: allowsPrivateAddress)
  }

  /// Makes a client that may also call some private addresses.
  init(allowing targets: WebhookTargets) {
    client = CurlClient { targets.admits(host: $0, address: $1) }
  }

  package func post(
    _ body: [UInt8], to url: String, fields: [(name: String, value: String)]
  ) async throws -> Int {
    try await client.response(from: url, fields: fields, posting: body).status
  }
}
