public import Foundation

/// Foundation's `URLSessionDelegate`, the receiver of a session's events.
///
/// A delegate implements the methods that it needs. They are called on the delegate queue.
@preconcurrency public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
  /// Receives the end of an invalidated session.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - error: The error; always `nil` on Linux.
  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

  /// Answers an authentication challenge. It is never called on Linux, because the host's network has none.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - challenge: The challenge.
  ///   - completionHandler: Receives the answer.
  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

  /// Answers an authentication challenge. It is never called on Linux, because the host's network has none.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - challenge: The challenge.
  /// - Returns: The answer.
  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)

  /// Called after all events of a background session were delivered; it is never called on Linux, where such a session ends
  /// with the extension.
  ///
  /// - Parameter session: The session.
  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}

/// Foundation's `URLSessionTaskDelegate`, the receiver of a task's events.
@preconcurrency public protocol URLSessionTaskDelegate: URLSessionDelegate {
  /// Decides on a redirect.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - task: The task.
  ///   - response: The redirect.
  ///   - request: The request that the system proposes.
  ///   - completionHandler: Receives the request to send; `nil` makes the redirect the task's response.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void)

  /// Decides on a redirect.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - task: The task.
  ///   - response: The redirect.
  ///   - request: The request that the system proposes.
  /// - Returns: The request to send; `nil` makes the redirect the task's response.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest
  ) async -> URLRequest?

  /// Receives that the request's body was sent, once for each request.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - task: The task.
  ///   - bytesSent: The number of bytes.
  ///   - totalBytesSent: The number of bytes.
  ///   - totalBytesExpectedToSend: The number of bytes.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64)

  /// Receives that the task waits for a network (`waitsForConnectivity`).
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - task: The task.
  func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

  /// Answers an authentication challenge. It is never called on Linux, because the host's network has none.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - task: The task.
  ///   - challenge: The challenge.
  ///   - completionHandler: Receives the answer.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

  /// Receives the metrics, which have no values on Linux.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - task: The task.
  ///   - metrics: The metrics.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)

  /// Receives the end of a task without a handler.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - task: The task.
  ///   - error: The error; `nil` if the response was received, whatever its status.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

/// Foundation's `URLSessionDataDelegate`: receives the responses of data and upload tasks without a handler.
@preconcurrency public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
  /// Receives the head of a response, and decides whether the task continues.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - dataTask: The task.
  ///   - response: The head.
  ///   - completionHandler: Receives the decision; until then nothing more is received.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)

  /// Receives the head of a response, and decides whether the task continues.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - dataTask: The task.
  ///   - response: The head.
  /// - Returns: The decision; until then nothing more is received.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
  ) async -> URLSession.ResponseDisposition

  /// Receives a piece of the body.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - dataTask: The task.
  ///   - data: The piece.
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

/// Foundation's `URLSessionDownloadDelegate`: receives the files of download tasks without a handler.
@preconcurrency public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
  /// Receives the file, which is deleted when the method returns.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - downloadTask: The task.
  ///   - location: The file, whose name ends in `.tmp`.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL)

  /// Receives the progress.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - downloadTask: The task.
  ///   - bytesWritten: The number of new bytes.
  ///   - totalBytesWritten: The number of bytes so far.
  ///   - totalBytesExpectedToWrite: The announced number of bytes; -1 if it is unknown.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)

  /// Called when a download continues; it is never called on Linux, because there is no resume data.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - downloadTask: The task.
  ///   - fileOffset: The number of bytes that exist.
  ///   - expectedTotalBytes: The announced number of bytes.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64)
}
