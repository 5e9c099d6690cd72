public import Foundation

/// A request to the server.
///
/// Descriptions of this value never contain header values or the body, because they hold credentials and personal data.
public struct PushRequest: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// `GET`, `PUT`, `POST` or `DELETE`.
  public var method: String
  /// The URL.
  public var url: URL
  /// The header fields other than `Content-Length`.
  public var headers: [String: String]
  /// The body; `nil` if the request has no body.
  public var body: Data?

  init(method: String, url: URL, headers: [String: String], body: Data?) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// The method, the URL and the length of the body.
  public var description: String { "\(method) \(url), \(body?.count ?? 0) bytes" }

  /// The properties without values of headers and the body, as a debugger and `dump` show them.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "method": method, "url": url, "headers": headers.keys.sorted(), "bytes": body?.count ?? 0,
      ])
  }
}

/// The server's answer to a request.
public struct PushResponse: Hashable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// The value of `Retry-After`; `nil` if the answer has no such header.
  public var retryAfter: String?
  /// The body.
  public var body: Data

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - status: The HTTP status.
  ///   - retryAfter: The value of `Retry-After`.
  ///   - body: The body.
  public init(status: Int, retryAfter: String? = nil, body: Data = Data()) {
    self.status = status
    self.retryAfter = retryAfter
    self.body = body
  }
}

/// A type that sends requests to the server.
///
/// ``URLSessionTransport`` is the one that is used unless a test gives another. An implementation makes one request, follows
/// no redirect, does not retry, and neither sends nor stores cookies.
public protocol PushTransport: Sendable {
  /// Sends a request.
  ///
  /// - Parameter request: The request.
  /// - Returns: The answer, whatever its status.
  /// - Throws: ``PushTransportError`` if there was no answer.
  func send(_ request: PushRequest) async throws(PushTransportError) -> PushResponse
}

/// The reason why a request got no answer.
public struct PushTransportError: Error, Sendable, CustomStringConvertible {
  /// A description of the failure.
  public var message: String
  /// Whether the request has surely not reached the server.
  public var isUnsent: Bool
  /// The underlying error.
  public var cause: (any Error)?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - message: A description of the failure.
  ///   - isUnsent: Whether the request has surely not reached the server.
  ///   - cause: The underlying error.
  public init(_ message: String, isUnsent: Bool = false, cause: (any Error)? = nil) {
    self.message = message
    self.isUnsent = isUnsent
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
