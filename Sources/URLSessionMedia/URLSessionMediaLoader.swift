import Foundation
public import MediaLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches media with the system's own `URLSession`: what an extension uses on Apple's systems.
///
/// Nothing is cached; no cookie and no credential is kept or sent. Pieces go to the sink as they
/// arrive and are never collected. A private address is seen where the URL itself names it: the one
/// that a name resolves to is not shown before the connection is made.
public final class URLSessionMediaLoader: MediaLoader {
  private let timeout: Duration

  /// Makes a loader.
  ///
  /// - Parameter timeout: How long a server may stay silent; the engine's own deadline comes first.
  public init(timeout: Duration = .seconds(20)) { self.timeout = timeout }

  /// Begins to fetch.
  ///
  /// - Parameters:
  ///   - request: What to fetch.
  ///   - sink: What receives the answer, on a queue of the session's.
  /// - Returns: What cancels the load.
  public func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    if let refusal = request.refusal {
      // Not from here: a caller may hold what its sink needs.
      DispatchQueue.global().async { sink.finish(refusal) }
      return NoLoad()
    }
    // One session a load, ended with it: an extension fetches rarely and must not leak.
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

  private struct NoLoad: MediaLoad {
    func cancel() {}
  }
}
