public import Foundation
import Synchronization

/// Foundation's `URLSessionTask`.
///
/// `@unchecked Sendable`: the mutable state is protected by a lock, and the other properties are constant.
public class URLSessionTask: NSObject, @unchecked Sendable {
  /// The state of a task.
  public enum State: Int, Sendable {
    /// The task is running.
    case running = 0
    /// The task is suspended.
    case suspended = 1
    /// The task was canceled and has not completed yet.
    case canceling = 2
    /// The task has completed.
    case completed = 3
  }

  /// The receiver of the response.
  enum Output: Sendable {
    /// A handler that is called once, with the whole body.
    case handler(@Sendable (Result<(URLResponse, Data), any Error>) -> Void)
    /// A handler that is called for each event.
    case events(@Sendable (URLLoadEvent) -> Void)
    /// The delegate.
    case delegate
  }

  let session: URLSession
  let world: UNWorld
  let output: Output
  let callbacks: URLCallbackQueue
  let status: Mutex<URLTaskStatus>
  private let request: URLRequest
  /// A number that is unique among the tasks of the session.
  public let taskIdentifier: Int

  required init(
    _ session: URLSession, _ request: URLRequest, number: Int, output: Output, body: Data?
  ) {
    self.session = session
    self.request = request
    self.output = output
    taskIdentifier = number
    world = .currentOrLast
    // On a concurrent queue, only the calls for one task are in order.
    let isConcurrent = session.givenQueue.map { $0.maxConcurrentOperationCount != 1 } ?? false
    callbacks =
      isConcurrent ? URLCallbackQueue(session.givenQueue) : world.sessions.queue(of: session)
    status = Mutex(URLTaskStatus(request, body: body))
  }

  /// The request with which the task was created.
  public var originalRequest: URLRequest? { request }
  /// The request after the redirects that were followed.
  public var currentRequest: URLRequest? { status.withLock { $0.request } }
  /// A delegate of the task, which is called in place of the session's for the protocols that it conforms to.
  public var delegate: (any URLSessionTaskDelegate)? {
    get { status.withLock { $0.delegate } }
    set { status.withLock { $0.delegate = newValue } }
  }
  /// A description that the caller sets.
  public var taskDescription: String? {
    get { status.withLock { $0.description } }
    set { status.withLock { $0.description = newValue } }
  }
  /// Has no effect on Linux.
  public var priority: Float {
    get { status.withLock { $0.priority } }
    set { status.withLock { $0.priority = newValue } }
  }
  /// Has no effect on Linux.
  public var earliestBeginDate: Date? {
    get { status.withLock { $0.earliestBeginDate } }
    set { status.withLock { $0.earliestBeginDate = newValue } }
  }
  /// The default priority.
  public static let defaultPriority: Float = 0.5
  /// A lower priority.
  public static let lowPriority: Float = 0.25
  /// A higher priority.
  public static let highPriority: Float = 0.75
  /// The number of bytes of the body that were received.
  public var countOfBytesReceived: Int64 { status.withLock { $0.received } }
  /// The announced number of bytes; -1 if it is unknown.
  public var countOfBytesExpectedToReceive: Int64 {
    status.withLock { $0.response?.expectedContentLength } ?? NSURLSessionTransferSizeUnknown
  }
  /// The number of bytes of the request's body that were sent.
  public var countOfBytesSent: Int64 { status.withLock { $0.sent } }
  /// The number of bytes of the request's body.
  public var countOfBytesExpectedToSend: Int64 {
    status.withLock { Int64($0.body?.count ?? $0.request.httpBody?.count ?? 0) }
  }
  /// The progress at the time of the call, which does not change afterwards.
  public var progress: Progress {
    let (received, expected) = (countOfBytesReceived, countOfBytesExpectedToReceive)
    let progress = Progress(totalUnitCount: expected)
    progress.completedUnitCount = received
    return progress
  }
  /// The state of the task.
  public var state: State { status.withLock { $0.state } }
  /// The response, once its head was received.
  public var response: URLResponse? { status.withLock { $0.response } }
  /// The error, if the task has failed.
  public var error: (any Error)? { status.withLock { $0.error } }

  /// Starts the task, or continues it after ``suspend()``.
  public func resume() {
    let (isFirst, continues) = status.withLock { status in
      guard status.state == .suspended else { return (false, false) }
      status.state = .running
      defer { status.isStarted = true }
      return (!status.isStarted, status.isStarted)
    }
    if isFirst { start() }
    if continues { processEvents() }
  }

  /// Suspends the task; bytes that arrive are processed after ``resume()``.
  public func suspend() {
    status.withLock { if $0.state == .running { $0.state = .suspended } }
  }

  /// Cancels the task, which completes with `URLError.cancelled`.
  public func cancel() {
    let stop: [@Sendable () -> Void]? = status.withLock { status in
      guard status.state == .running || status.state == .suspended else { return nil }
      status.state = .canceling
      return status.endLoad(with: URLError(.cancelled))
    }
    guard let stop else { return }
    for stop in stop { stop() }
    processEvents()
  }
}

/// The number of bytes of a transfer whose length is unknown.
public let NSURLSessionTransferSizeUnknown: Int64 = -1

/// Foundation's `URLSessionDataTask`.
public class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

/// Foundation's `URLSessionUploadTask`.
public class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

/// Foundation's `URLSessionDownloadTask`.
public class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
  /// Cancels the task.
  ///
  /// - Parameter completionHandler: Receives `nil`, because there is no resume data on Linux.
  @preconcurrency open func cancel(
    byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void
  ) {
    cancel()
    callbacks.add(in: world) { completionHandler(nil) }
  }

  /// Cancels the task.
  ///
  /// - Returns: `nil`, because there is no resume data on Linux.
  public func cancelByProducingResumeData() async -> Data? {
    cancel()
    return nil
  }
}
