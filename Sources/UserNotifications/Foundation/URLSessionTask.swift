public import Foundation
import Synchronization

/// Foundation's `URLSessionTask`.
///
/// `@unchecked Sendable`: the mutable state is protected by a lock.
open class URLSessionTask: NSObject, @unchecked Sendable {
  typealias Answer = Result<(HTTPURLResponse, Data), URLError>

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

  /// A request and the environment that performs it.
  struct Exchange: Sendable {
    var request: URLRequest
    var world: UNWorld
    var timeout: TimeInterval
    /// The error of a request that is not sent.
    var refusal: URLError?
  }

  private struct Progress: Sendable {
    var state = State.suspended
    var response: HTTPURLResponse?
    var received: Int64 = 0
    var description: String?
    var priority = URLSessionTask.defaultPriority
    var error: URLError?
    var stop: (@Sendable () -> Void)?
    var completion: (@Sendable (Answer) -> Void)?
  }

  private let exchange: Exchange
  private let progress: Mutex<Progress>

  init(_ exchange: Exchange, completion: (@Sendable (Answer) -> Void)? = nil) {
    self.exchange = exchange
    progress = Mutex(Progress(completion: completion))
  }

  /// The original request.
  public var originalRequest: URLRequest? { exchange.request }
  /// The original request; redirects are not visible on Linux.
  public var currentRequest: URLRequest? { exchange.request }
  /// A description that the caller sets.
  public var taskDescription: String? {
    get { progress.withLock { $0.description } }
    set { progress.withLock { $0.description = newValue } }
  }
  /// Has no effect on Linux.
  public var priority: Float {
    get { progress.withLock { $0.priority } }
    set { progress.withLock { $0.priority = newValue } }
  }
  /// The default priority.
  public static let defaultPriority: Float = 0.5
  /// A lower priority.
  public static let lowPriority: Float = 0.25
  /// A higher priority.
  public static let highPriority: Float = 0.75
  /// The number of bytes of the body, once the task has completed.
  public var countOfBytesReceived: Int64 { progress.withLock { $0.received } }
  /// The announced number of bytes; -1 if it is unknown.
  public var countOfBytesExpectedToReceive: Int64 {
    progress.withLock { $0.response?.expectedContentLength } ?? -1
  }
  /// The state of the task.
  public var state: State { progress.withLock { $0.state } }
  /// The response, once the task has completed.
  public var response: URLResponse? { progress.withLock { $0.response } }
  /// The error, if the task has failed.
  public var error: (any Error)? { progress.withLock { $0.error } }

  /// Starts the task.
  ///
  /// Has no effect a second time.
  open func resume() {
    let isNew = progress.withLock { progress in
      guard progress.state == .suspended else { return false }
      progress.state = .running
      return true
    }
    guard isNew else { return }
    guard exchange.refusal == nil, let network = exchange.world.network else {
      return end(.failure(exchange.refusal ?? URLError(.notConnectedToInternet)))
    }
    let stop = network(exchange.request, exchange.timeout) { self.end($0) }
    let isOver = progress.withLock { progress in
      progress.stop = stop
      return progress.state != .running
    }
    if isOver { stop() }
  }

  /// Cancels the task, which fails with `URLError.cancelled`.
  open func cancel() {
    let stop = progress.withLock { $0.stop }
    end(.failure(URLError(.cancelled)))
    stop?()
  }

  func start(_ completion: @escaping @Sendable (Answer) -> Void) {
    let isOver = progress.withLock { progress in
      guard progress.state == .suspended else { return true }
      progress.completion = completion
      return false
    }
    isOver ? completion(.failure(URLError(.cancelled))) : resume()
  }

  private func end(_ answer: Answer) {
    let completion = progress.withLock { progress in
      defer { progress.completion = nil }
      guard progress.state != .completed else { return progress.completion }
      progress.state = .completed
      switch answer {
      case .success(let (head, body)):
        progress.response = head
        progress.received = Int64(body.count)
      case .failure(let error): progress.error = error
      }
      return progress.completion
    }
    guard let completion else { return }
    exchange.world.run { completion(answer) }
  }
}

/// Foundation's `URLSessionDataTask`.
public final class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

/// Foundation's `URLSessionDownloadTask`.
public final class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}
