public import Foundation
import MediaLoading

/// A request that an extension sent over the network of its host.
///
/// A redirect that is followed is a request of its own.
public struct ExtensionRequest: Hashable, Sendable {
  /// The URL.
  public var url: URL
  /// The method.
  public var method: String
  /// The header fields that the extension set, and `Cookie`.
  public var headers: [String: String]
  /// The body; `nil` if the request has no body.
  public var body: Data?
  /// The status of the response; `nil` if no response came.
  public var status: Int?
  /// The header fields of the response, with names in lower case.
  public var responseHeaders: [String: String] = [:]
  /// The number of bytes of the response's body that the extension has received.
  public var receivedBytes = 0
  /// The reason why the load failed; `nil` if it did not fail, or if the extension refused the response.
  public var error: String?
  /// The time of the request since the notification arrived, on the host's clock.
  public var sent: Duration
  /// The time of the response's head since the notification arrived; `nil` if no response came.
  public var answered: Duration?
  /// The time of the end of the load since the notification arrived; `nil` if it had not ended when the report was made.
  public var ended: Duration?

  init(_ request: MediaRequest, sent: Duration) {
    self.sent = sent
    url = request.url
    (method, headers, body) = (request.method, request.headers, request.body)
  }
}

extension ExtensionRequest: CustomStringConvertible {
  /// The URL with the status or the error, such as `https://cdn.example/a.png: status 404`.
  public var description: String {
    let parts = [status.map { "status \($0)" }, error].compactMap(\.self)
    let end = parts.isEmpty ? "no response" : parts.joined(separator: ", ")
    return "\(url.absoluteString): \(end)"
  }
}
