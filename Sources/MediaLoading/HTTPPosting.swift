public import Foundation

/// Posts bytes to a server and says how it answered.
///
/// Receipts leave through this protocol alone, as media come through ``MediaLoader``. One request, no
/// redirect followed, nothing repeated, no cookie kept.
public protocol HTTPPosting: Sendable {
  /// Begins to post.
  ///
  /// - Parameters:
  ///   - post: What to send, and where to.
  ///   - completion: Called once, from any thread: with the answer's status, whatever it is, or with
  ///     why there was none.
  func post(
    _ post: HTTPPost, completion: @escaping @Sendable (Result<Int, MediaLoadError>) -> Void)
}

/// What to send, and where to.
///
/// Header values never show in its descriptions: one of them is a credential.
public struct HTTPPost: Sendable, CustomStringConvertible, CustomReflectable {
  /// The URL, `https:` or `http:`.
  public var url: URL
  /// The header fields beside `Content-Length`.
  public var headers: [String: String]
  /// The body.
  public var body: Data

  /// Makes a post.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - headers: The header fields beside `Content-Length`.
  ///   - body: The body.
  public init(url: URL, headers: [String: String], body: Data) {
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// Where it goes, and how long it is.
  public var description: String { "POST \(url), \(body.count) bytes" }

  /// What a debugger and `dump` show: the description's parts.
  public var customMirror: Mirror {
    Mirror(self, children: ["url": url, "headers": headers.keys.sorted(), "bytes": body.count])
  }
}
