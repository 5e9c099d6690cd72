import Foundation
public import MediaLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches media with the system's own `URLSession`: what an extension uses on Apple's systems.
///
/// Nothing is cached, no cookie is sent or kept. Pieces go to the sink as they arrive and are never
/// collected. A redirect to a scheme other than `https:` is left to the sink, which sees the final URL.
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
      configuration: configuration, delegate: Delegate(sink: sink), delegateQueue: nil)
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
  /// `@unchecked Sendable`: `isRefused` is reached on the session's delegate queue alone, which is
  /// serial (Apple, `URLSession.delegateQueue`).
  private final class Delegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let sink: any MediaSink
    private var isRefused = false
    init(sink: any MediaSink) { self.sink = sink }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      guard let response = response as? HTTPURLResponse, let url = response.url else {
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
      let refusal = isRefused ? MediaLoadError(.refused, "the sink refused") : nil
      sink.finish(refusal ?? error.map(Self.failure))
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
