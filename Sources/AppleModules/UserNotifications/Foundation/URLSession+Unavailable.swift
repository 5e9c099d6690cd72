public import Foundation

/// Foundation's `NSURLRequest`, which is not available on Linux.
@available(*, unavailable, message: "NSURLRequest is not modelled; use URLRequest.")
public typealias NSURLRequest = URLRequest

/// Foundation's `NSMutableURLRequest`, which is not available on Linux.
@available(
  *, unavailable, message: "NSMutableURLRequest is not modelled; use a variable URLRequest."
)
public typealias NSMutableURLRequest = URLRequest

/// Foundation's `NSURLConnection`, which is not available on Linux.
@available(
  *, unavailable,
  message: "NSURLConnection is not modelled and is deprecated; use a task of URLSession."
)
public typealias NSURLConnection = URLSession

/// Foundation's `URLSessionWebSocketTask`, which is not available on Linux.
@available(
  *, unavailable,
  message: "WebSockets are not modelled; put the code that uses one behind a protocol."
)
public final class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {}

/// Foundation's `URLSessionStreamTask`, which is not available on Linux.
@available(
  *, unavailable,
  message: "Stream tasks are not modelled; put the code that uses one behind a protocol."
)
public final class URLSessionStreamTask: URLSessionTask, @unchecked Sendable {}

extension URLSession {
  /// Not available on Linux.
  ///
  /// - Parameter url: The URL.
  /// - Returns: The task.
  @available(
    *, unavailable,
    message: "WebSockets are not modelled; put the code that uses one behind a protocol."
  )
  public func webSocketTask(with url: URL) -> URLSessionTask { dataTask(with: url) }

  /// Not available on Linux.
  ///
  /// - Parameters:
  ///   - hostname: The host.
  ///   - port: The port.
  /// - Returns: The task.
  @available(
    *, unavailable,
    message: "Stream tasks are not modelled; put the code that uses one behind a protocol."
  )
  public func streamTask(withHostName hostname: String, port: Int) -> URLSessionTask {
    dataTask(with: URL(fileURLWithPath: hostname))
  }

  /// Not available on Linux.
  ///
  /// - Parameter resumeData: The data of an earlier task.
  /// - Returns: The task.
  @available(
    *, unavailable,
    message: "There is no resume data on Linux; start the download again with its request."
  )
  public func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
    downloadTask(with: URL(fileURLWithPath: ""))
  }
}
