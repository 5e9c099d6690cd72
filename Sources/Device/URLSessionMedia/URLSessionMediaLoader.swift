import Foundation
public import MediaLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A loader that uses `URLSession`, the default on Apple platforms.
///
/// Nothing is cached, and cookies and credentials are neither stored nor sent. The body is passed to the sink
/// in pieces and not collected. A private address is refused only if the URL contains it: `URLSession` does
/// not show the address that a name resolves to before it connects.
public final class URLSessionMediaLoader: MediaLoader {
  private let timeout: Duration

  /// Creates a loader.
  ///
  /// - Parameter timeout: The maximum time without data from the server. The engine's deadline applies as well.
  public init(timeout: Duration = .seconds(20)) { self.timeout = timeout }

  /// Starts a load.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - sink: The object that receives the response, on a queue of the session.
  /// - Returns: A handle that cancels the load.
  public func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    if let refusal = request.refusal {
      // Asynchronously, because the caller may hold a lock that the sink needs.
      DispatchQueue.global().async { sink.finish(refusal) }
      return EndedLoad()
    }
    // Each load has its own session, which ends with it, so that nothing leaks.
    let delegate = SinkDelegate(sink)
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let session = URLSession(
      configuration: configuration, delegate: delegate, delegateQueue: queue)
    let task = session.dataTask(with: Self.urlRequest(request))
    task.resume()
    session.finishTasksAndInvalidate()
    return Load(queue: queue, delegate: delegate, task: task)
  }

  private var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout / .seconds(1)
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpCookieStorage = nil
    configuration.urlCredentialStorage = nil
    return configuration
  }

  private static func urlRequest(_ request: MediaRequest) -> URLRequest {
    var result = URLRequest(url: request.url)
    (result.httpMethod, result.httpBody) = (request.method, request.body)
    result.httpShouldHandleCookies = false
    for field in request.fields { result.setValue(field.value, forHTTPHeaderField: field.name) }
    #if canImport(Darwin)
      result.allowsConstrainedNetworkAccess = request.allowsConstrainedNetwork
    #endif
    return result
  }

  private struct Load: MediaLoad {
    let queue: OperationQueue
    let delegate: SinkDelegate
    let task: URLSessionDataTask

    func cancel() { queue.addOperation { delegate.cancel(task) } }
  }

  private struct EndedLoad: MediaLoad {
    func cancel() {}
  }
}
