public import Foundation

/// A type that posts a request body to a server and returns the response's status.
///
/// The engine sends receipts through this protocol. An implementation makes one request. It follows no
/// redirects, does not retry, and neither sends nor stores cookies.
public protocol HTTPPosting: Sendable {
  /// Starts a request.
  ///
  /// - Parameters:
  ///   - post: The request.
  ///   - completion: Called once, on any thread, with the status of the response, even one of an error, or with
  ///     a ``MediaLoadError`` if no response came.
  func post(
    _ post: HTTPPost, completion: @escaping @Sendable (Result<Int, MediaLoadError>) -> Void)
}

/// A POST request.
///
/// Descriptions of this value never contain header values, because one of them is a credential.
public struct HTTPPost: Sendable, CustomStringConvertible, CustomReflectable {
  /// The URL, `https:` or `http:`.
  public var url: URL
  /// The header fields other than `Content-Length`.
  public var headers: [String: String]
  /// The body.
  public var body: Data

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - headers: The header fields other than `Content-Length`.
  ///   - body: The body.
  public init(url: URL, headers: [String: String], body: Data) {
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// The URL and the length of the body.
  public var description: String { "POST \(url), \(body.count) bytes" }

  /// The properties without header values, as a debugger and `dump` show them.
  public var customMirror: Mirror {
    Mirror(self, children: ["url": url, "headers": headers.keys.sorted(), "bytes": body.count])
  }
}
