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
  /// The reason why the load failed; `nil` if it did not fail, or if the extension refused the response.
  public var error: String?

  init(_ request: MediaRequest) {
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
