public import Foundation
import Synchronization

/// Foundation's `URLSessionTask`: one exchange with a server.
///
/// `@unchecked Sendable`: what varies is behind the lock.
open class URLSessionTask: NSObject, @unchecked Sendable {
  typealias Answer = Result<(HTTPURLResponse, Data), URLError>

  /// How far a task is.
  public enum State: Int, Sendable {
    /// It transfers.
    case running = 0
    /// It waits to be resumed.
    case suspended = 1
    /// It was canceled and has not ended yet.
    case canceling = 2
    /// It has ended.
    case completed = 3
  }

  /// What is asked, of whom.
  struct Exchange: Sendable {
    var request: URLRequest
    var world: UNWorld
    var timeout: TimeInterval
    /// Why it is not asked at all.
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

  /// What was asked.
  public var originalRequest: URLRequest? { exchange.request }
  /// What is asked; redirects do not show here.
  public var currentRequest: URLRequest? { exchange.request }
  /// A name of the caller's own.
  public var taskDescription: String? {
    get { progress.withLock { $0.description } }
    set { progress.withLock { $0.description = newValue } }
  }
  /// Without effect here.
  public var priority: Float {
    get { progress.withLock { $0.priority } }
    set { progress.withLock { $0.priority = newValue } }
  }
  /// The usual priority.
  public static let defaultPriority: Float = 0.5
  /// A lower priority.
  public static let lowPriority: Float = 0.25
  /// A higher priority.
  public static let highPriority: Float = 0.75
  /// Bytes of the answer, once it has ended.
  public var countOfBytesReceived: Int64 { progress.withLock { $0.received } }
  /// Bytes that the server announced; -1 where it is not known.
  public var countOfBytesExpectedToReceive: Int64 {
    progress.withLock { $0.response?.expectedContentLength } ?? -1
  }
  /// How far it is.
  public var state: State { progress.withLock { $0.state } }
  /// The head of the answer, once it has ended.
  public var response: URLResponse? { progress.withLock { $0.response } }
  /// Why it failed.
  public var error: (any Error)? { progress.withLock { $0.error } }

  /// Begins; without effect a second time.
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

  /// Ends it with `URLError.cancelled`.
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
