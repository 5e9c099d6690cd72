import Foundation
public import MediaLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches media with the system's own `URLSession`: what an extension uses on Apple's systems.
///
/// Nothing is cached, no cookie is sent or kept. Pieces go to the sink as they arrive and are never
/// collected. A redirect away from `https:` is not followed unless the request allows it.
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
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout / .seconds(1)
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    // One session a load, ended with it: an extension fetches rarely and must not leak.
    let session = URLSession(
      configuration: configuration, delegate: Delegate(request, sink), delegateQueue: nil)
    let task = session.dataTask(with: request.url)
    task.resume()
    session.finishTasksAndInvalidate()
    return Load(task: task)
  }

  private struct Load: MediaLoad {
    let task: URLSessionDataTask
    func cancel() { task.cancel() }
  }

  /// Hands what arrives to the sink until the sink refuses; on Linux a cancel does not stop what the
  /// session has already buffered.
  ///
  /// `@unchecked Sendable`: what varies is reached on the session's delegate queue alone, which is
  /// serial (Apple, `URLSession.delegateQueue`).
  private final class Delegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let sink: any MediaSink
    private let allowsPlainHTTP: Bool
    private var isRefused = false
    private var isDowngraded = false

    init(_ request: MediaRequest, _ sink: any MediaSink) {
      self.sink = sink
      allowsPlainHTTP = request.allowsPlainHTTP
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      isDowngraded = !allowsPlainHTTP && request.url?.scheme?.lowercased() != "https"
      completionHandler(isDowngraded ? nil : request)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      guard !isDowngraded, let response = response as? HTTPURLResponse, let url = response.url
      else {
        return completionHandler(.cancel)
      }
      let length = response.expectedContentLength
      let head = MediaResponseHead(
        status: response.statusCode, url: url, mimeType: response.mimeType,
        contentLength: length >= 0 ? length : nil)
      isRefused = sink.receive(head) == .stop
      completionHandler(isRefused ? .cancel : .allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      for region in data.regions where !region.isEmpty && !isRefused {
        isRefused = region.withUnsafeBytes { sink.receive($0) } == .stop
        if isRefused { dataTask.cancel() }
      }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      if isDowngraded {
        sink.finish(MediaLoadError(.insecureRedirect, "the server redirected away from https:"))
      } else if isRefused {
        sink.finish(MediaLoadError(.refused, "the sink refused"))
      } else {
        sink.finish(error.map(Self.failure))
      }
    }

    private static func failure(_ error: any Error) -> MediaLoadError {
      let code: MediaLoadError.Code =
        switch (error as? URLError)?.code {
        case .cancelled: .canceled
        case .notConnectedToInternet: .offline
        case .unsupportedURL, .badURL: .unsupportedURL
        default: .network
        }
      return MediaLoadError(code, error.localizedDescription, cause: error)
    }
  }
}
