import Foundation
import Synchronization

/// The calls of delegates and handlers, on the delegate queue.
extension URLSessionTask {
  var taskDelegate: (any URLSessionTaskDelegate)? {
    delegate ?? session.delegate as? any URLSessionTaskDelegate
  }

  private var dataDelegate: (any URLSessionDataDelegate)? {
    delegate as? any URLSessionDataDelegate ?? session.delegate as? any URLSessionDataDelegate
  }

  private var downloadDelegate: (any URLSessionDownloadDelegate)? {
    delegate as? any URLSessionDownloadDelegate
      ?? session.delegate as? any URLSessionDownloadDelegate
  }

  /// Tells the delegate that the request's body was sent.
  func tellSent(_ count: Int) {
    guard let delegate = taskDelegate else { return }
    let count = Int64(count)
    callbacks.add(in: world) { [self] in
      delegate.urlSession(
        session, task: self, didSendBodyData: count, totalBytesSent: count,
        totalBytesExpectedToSend: count)
    }
  }

  /// Tells the delegate that the task waits for a network.
  func tellWaiting() {
    guard let delegate = taskDelegate else { return }
    callbacks.add(in: world) { [self] in
      delegate.urlSession(session, taskIsWaitingForConnectivity: self)
    }
  }

  /// Passes the head of the response on.
  func passOn(_ response: URLResponse) {
    switch output {
    case .handler: break
    case .events(let receive): callbacks.add(in: world) { receive(.response(response)) }
    case .delegate:
      guard let delegate = dataDelegate, let task = self as? URLSessionDataTask else { return }
      decide { answer in
        delegate.urlSession(
          self.session, dataTask: task, didReceive: response, completionHandler: answer)
      } then: { disposition in
        if disposition == .cancel { self.cancel() }
      }
    }
  }

  /// Passes a piece of the body on.
  ///
  /// - Returns: Whether the piece was passed on and need not be kept.
  func passOn(_ data: Data) -> Bool {
    switch output {
    case .handler: return false
    case .events(let receive): callbacks.add(in: world) { receive(.data(data)) }
    case .delegate:
      guard let task = self as? URLSessionDataTask else {
        tellWritten(data.count)
        return false
      }
      guard let delegate = dataDelegate else { return true }
      callbacks.add(in: world) { [self] in
        delegate.urlSession(session, dataTask: task, didReceive: data)
      }
    }
    return true
  }

  private func tellWritten(_ count: Int) {
    guard let delegate = downloadDelegate, let task = self as? URLSessionDownloadTask else {
      return
    }
    let (received, expected) = (countOfBytesReceived, countOfBytesExpectedToReceive)
    callbacks.add(in: world) { [self] in
      delegate.urlSession(
        session, downloadTask: task, didWriteData: Int64(count), totalBytesWritten: received,
        totalBytesExpectedToWrite: expected)
    }
  }

  /// Passes the end of the task on.
  func passOnEnd(_ error: (any Error)?) {
    let (response, data) = status.withLock { status in
      defer { status.data = Data() }
      return (status.response, status.data)
    }
    callbacks.add(in: world) { [self] in
      defer { session.releaseDelegateIfIdle(in: world) }
      if let delegate = taskDelegate {
        let metrics = URLSessionTaskMetrics(redirectCount: status.withLock { $0.redirects })
        delegate.urlSession(session, task: self, didFinishCollecting: metrics)
      }
      switch output {
      case .events(let receive): receive(.end(error))
      case .handler(let handler):
        if let error { return handler(.failure(error)) }
        guard let response else { return handler(.failure(URLError(.badServerResponse))) }
        handler(.success((response, data)))
      case .delegate:
        let error = error ?? tellDownloaded(data)
        taskDelegate?.urlSession(session, task: self, didCompleteWithError: error)
      }
    }
  }

  /// Writes the file of a download task for the delegate, and deletes it afterwards.
  ///
  /// - Returns: The error if the file cannot be written.
  private func tellDownloaded(_ data: Data) -> URLError? {
    guard let delegate = downloadDelegate, let task = self as? URLSessionDownloadTask else {
      return nil
    }
    do throws(URLError) {
      let file = try URLSession.write(data, in: world.temporaryDirectory)
      delegate.urlSession(session, downloadTask: task, didFinishDownloadingTo: file)
      try? FileManager.default.removeItem(at: file)
      return nil
    } catch {
      status.withLock { $0.error = error }
      return error
    }
  }
}
