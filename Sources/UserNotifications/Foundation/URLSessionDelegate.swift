public import Foundation

/// Foundation's `URLSessionDelegate`, which is not available on Linux.
@available(
  *, unavailable,
  message:
    "URLSession delegates are not available on Linux; use completion handlers or async methods."
)
public protocol URLSessionDelegate: NSObjectProtocol {}

/// Foundation's `URLSessionTaskDelegate`, which is not available on Linux.
@available(
  *, unavailable,
  message:
    "URLSession delegates are not available on Linux; use completion handlers or async methods."
)
public protocol URLSessionTaskDelegate: NSObjectProtocol {}

/// Foundation's `URLSessionDataDelegate`, which is not available on Linux.
@available(
  *, unavailable,
  message:
    "URLSession delegates are not available on Linux; use completion handlers or async methods."
)
public protocol URLSessionDataDelegate: NSObjectProtocol {}

/// Foundation's `URLSessionDownloadDelegate`, which is not available on Linux.
@available(
  *, unavailable,
  message:
    "URLSession delegates are not available on Linux; use completion handlers or async methods."
)
public protocol URLSessionDownloadDelegate: NSObjectProtocol {}

extension URLSession {
  /// Not available on Linux.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - bodyData: The body.
  ///   - completionHandler: Receives the response.
  /// - Returns: The task.
  @available(
    *, unavailable,
    message: "Uploads are not available on Linux; put code that uploads behind a protocol."
  )
  public func uploadTask(
    with request: URLRequest, from bodyData: Data?,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask { dataTask(with: request, completionHandler: completionHandler) }

  /// Not available on Linux.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - bodyData: The body.
  /// - Returns: The body and the response.
  /// - Throws: A `URLError`.
  @available(
    *, unavailable,
    message: "Uploads are not available on Linux; put code that uploads behind a protocol."
  )
  public func upload(
    for request: URLRequest, from bodyData: Data
  ) async throws -> (Data, URLResponse) { try await data(for: request) }
}
