public import Foundation

/// Foundation's `URLSessionDelegate`: not here.
@available(
  *, unavailable,
  message: "On Linux use completion handlers or async: delegates are Apple's alone."
)
public protocol URLSessionDelegate: NSObjectProtocol {}

/// Foundation's `URLSessionTaskDelegate`: not here.
@available(
  *, unavailable,
  message: "On Linux use completion handlers or async: delegates are Apple's alone."
)
public protocol URLSessionTaskDelegate: NSObjectProtocol {}

/// Foundation's `URLSessionDataDelegate`: not here.
@available(
  *, unavailable,
  message: "On Linux use completion handlers or async: delegates are Apple's alone."
)
public protocol URLSessionDataDelegate: NSObjectProtocol {}

/// Foundation's `URLSessionDownloadDelegate`: not here.
@available(
  *, unavailable,
  message: "On Linux use completion handlers or async: delegates are Apple's alone."
)
public protocol URLSessionDownloadDelegate: NSObjectProtocol {}

extension URLSession {
  /// Not here.
  ///
  /// - Parameters:
  ///   - request: What to ask.
  ///   - bodyData: What to send.
  ///   - completionHandler: Receives the answer.
  /// - Returns: The task.
  @available(
    *, unavailable,
    message: "The host's network only fetches: put what sends behind a protocol of your own."
  )
  public func uploadTask(
    with request: URLRequest, from bodyData: Data?,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask { dataTask(with: request, completionHandler: completionHandler) }

  /// Not here.
  ///
  /// - Parameters:
  ///   - request: What to ask.
  ///   - bodyData: What to send.
  /// - Returns: The answer.
  /// - Throws: A `URLError`.
  @available(
    *, unavailable,
    message: "The host's network only fetches: put what sends behind a protocol of your own."
  )
  public func upload(
    for request: URLRequest, from bodyData: Data
  ) async throws -> (Data, URLResponse) { try await data(for: request) }
}
