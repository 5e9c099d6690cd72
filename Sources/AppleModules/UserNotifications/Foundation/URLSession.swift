public import Foundation
import Synchronization

/// Foundation's `URLSession`, over the network of the extension's host.
///
/// Handlers and delegates are called one after the other, unless the delegate queue is concurrent.
/// docs/app/ios-model.md lists the differences from a phone.
open class URLSession: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: the mutable state is protected by a lock, and the other properties are constant.

  private struct State: Sendable {
    var delegate: (any URLSessionDelegate)?
    var lastTask = 0
    var isInvalid = false
    var description: String?
  }

  /// The answer of a delegate to the head of a response.
  public enum ResponseDisposition: Int, Sendable {
    /// Cancels the task.
    case cancel = 0
    /// Continues the task.
    case allow = 1
    /// Not available on Linux.
    @available(
      *, unavailable, message: "A task cannot change its kind on Linux; create a download task."
    )
    case becomeDownload = 2
    /// Not available on Linux.
    @available(
      *, unavailable, message: "Stream tasks are not available on Linux; use a data task."
    )
    case becomeStream = 3
  }

  /// The answer of a delegate to an authentication challenge; Linux never sends one.
  public enum AuthChallengeDisposition: Int, Sendable {
    /// Uses the credential.
    case useCredential = 0
    /// Handles the challenge as a session without a delegate does.
    case performDefaultHandling = 1
    /// Cancels the task.
    case cancelAuthenticationChallenge = 2
    /// Tries the next protection space.
    case rejectProtectionSpace = 3
  }

  private static let sharedSession = URLSession(configuration: .default)

  private let ownConfiguration: URLSessionConfiguration
  private let state: Mutex<State>
  /// The queue that the extension gave; `nil` if handlers are called on threads.
  let givenQueue: OperationQueue?
  /// The queue on which delegates and handlers are called.
  ///
  /// If the creator passed no queue, they are called one after the other on threads, and this queue is not used.
  public let delegateQueue: OperationQueue

  /// The shared session.
  open class var shared: URLSession { sharedSession }

  /// Creates a session without a delegate.
  ///
  /// - Parameter configuration: The configuration of the session.
  public convenience init(configuration: URLSessionConfiguration) {
    self.init(configuration: configuration, delegate: nil, delegateQueue: nil)
  }

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the session, which is copied.
  ///   - delegate: The delegate, which the session retains until it is invalidated.
  ///   - queue: The queue on which the delegate and the handlers are called. If it is `nil`, they are called one after the
  ///     other.
  public init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
    delegateQueue queue: OperationQueue?
  ) {
    ownConfiguration = configuration.duplicate()
    state = Mutex(State(delegate: delegate))
    givenQueue = queue
    delegateQueue = queue ?? OperationQueue()
    if queue == nil { delegateQueue.maxConcurrentOperationCount = 1 }
  }

  /// A copy of the session's configuration, whose changes have no effect on the session.
  open var configuration: URLSessionConfiguration { ownConfiguration.duplicate() }
  /// The delegate, until the session is invalidated.
  open var delegate: (any URLSessionDelegate)? { state.withLock { $0.delegate } }
  /// A description that the caller sets.
  open var sessionDescription: String? {
    get { state.withLock { $0.description } }
    set { state.withLock { $0.description = newValue } }
  }

  /// The configuration, which is not changed.
  var settings: URLSessionConfiguration { ownConfiguration }
  var isInvalid: Bool { state.withLock { $0.isInvalid } }

  /// Creates a task, which belongs to the environment of the calling code, because a static session outlives its
  /// first host.
  func task<Kind: URLSessionTask>(
    with request: URLRequest, output: URLSessionTask.Output, as kind: Kind.Type = Kind.self,
    body: Data? = nil
  ) -> Kind {
    let (number, isInvalid) = state.withLock { state in
      state.lastTask += 1
      return (state.lastTask, state.isInvalid)
    }
    if isInvalid { Self.stopProgram("Task created in a session that has been invalidated") }
    if settings.identifier != nil, settings.sharedContainerIdentifier != nil {
      if case .delegate = output {
      } else {
        Self.stopProgram(
          "Completion handler blocks are not supported in background sessions. Use a delegate instead."
        )
      }
    }
    let task = kind.init(self, request, number: number, output: output, body: body)
    task.world.sessions.add(task)
    return task
  }

  /// Ends the process as Apple's exception does, which Swift code cannot catch.
  ///
  /// Only a fault in the extension's code can lead here; no input can.
  private static func stopProgram(_ message: String) -> Never { fatalError(message) }

  // MARK: Tasks

  /// Creates a task that loads a response into memory.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - completionHandler: Receives the body and the response, or an error.
  /// - Returns: The task, which is suspended.
  @preconcurrency open func dataTask(
    with url: URL,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }

  /// Creates a task that loads a response into memory.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - completionHandler: Receives the body and the response, or an error.
  /// - Returns: The task, which is suspended.
  @preconcurrency open func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    task(with: request, output: .data(completionHandler))
  }

  /// Creates a task that passes a response to the delegate.
  ///
  /// - Parameter url: The URL.
  /// - Returns: The task, which is suspended.
  open func dataTask(with url: URL) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url))
  }

  /// Creates a task that passes a response to the delegate.
  ///
  /// - Parameter request: The request.
  /// - Returns: The task, which is suspended.
  open func dataTask(with request: URLRequest) -> URLSessionDataTask {
    task(with: request, output: .delegate)
  }

  /// Creates a task that loads a response into a file, which is deleted when the handler returns.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - completionHandler: Receives the file, whose name ends in `.tmp`, and the response, or an error.
  /// - Returns: The task, which is suspended.
  @preconcurrency open func downloadTask(
    with url: URL,
    completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    downloadTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }

  /// Creates a task that loads a response into a file, which is deleted when the handler returns.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - completionHandler: Receives the file, whose name ends in `.tmp`, and the response, or an error.
  /// - Returns: The task, which is suspended.
  @preconcurrency open func downloadTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    let folder = UNWorld.currentOrLast.temporaryDirectory
    return task(with: request, output: .file(in: folder, completionHandler))
  }

  /// Creates a task that loads a response into a file for the delegate.
  ///
  /// - Parameter url: The URL.
  /// - Returns: The task, which is suspended.
  open func downloadTask(with url: URL) -> URLSessionDownloadTask {
    downloadTask(with: URLRequest(url: url))
  }

  /// Creates a task that loads a response into a file for the delegate.
  ///
  /// - Parameter request: The request.
  /// - Returns: The task, which is suspended.
  open func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
    task(with: request, output: .delegate)
  }

  // MARK: Invalidation

  /// Invalidates the session when its tasks have completed.
  ///
  /// The delegate is then told and released. As on a phone, creating a task of an invalidated session ends the
  /// process. The shared session is not invalidated.
  open func finishTasksAndInvalidate() {
    guard self !== Self.sharedSession else { return }
    state.withLock { $0.isInvalid = true }
    releaseDelegateIfIdle(in: .currentOrLast)
  }

  /// Cancels the session's tasks and invalidates it.
  ///
  /// The delegate is told and released when the tasks have completed. As on a phone, creating a task of an invalidated
  /// session ends the process. The shared session is not invalidated.
  open func invalidateAndCancel() {
    guard self !== Self.sharedSession else { return }
    let world = UNWorld.currentOrLast
    let tasks = world.sessions.tasks(of: self)
    finishTasksAndInvalidate()
    for task in tasks { task.cancel() }
  }

  /// Tells the delegate of an invalidated session without tasks that it has ended.
  func releaseDelegateIfIdle(in world: UNWorld) {
    guard isInvalid, world.sessions.tasks(of: self).isEmpty else { return }
    world.sessions.queue(of: self).add(in: world) { [self] in
      let delegate = state.withLock { state in
        defer { state.delegate = nil }
        return state.delegate
      }
      delegate?.urlSession(self, didBecomeInvalidWithError: nil)
    }
  }
}
