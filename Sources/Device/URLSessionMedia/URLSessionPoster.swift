import Foundation
public import MediaLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A poster that uses `URLSession`, the default on Apple platforms.
///
/// Nothing is cached, cookies are neither sent nor stored, redirects are not followed, and only the head of
/// the response is read.
public final class URLSessionPoster: HTTPPosting {
  private let timeout: Duration

  /// Creates a poster.
  ///
  /// - Parameter timeout: The maximum time of a request.
  public init(timeout: Duration = .seconds(20)) { self.timeout = timeout }

  /// Starts a request.
  ///
  /// - Parameters:
  ///   - post: The request.
  ///   - completion: Called once, on a queue of the session.
  public func post(
    _ post: HTTPPost, completion: @escaping @Sendable (Result<Int, MediaLoadError>) -> Void
  ) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout / .seconds(1)
    configuration.timeoutIntervalForResource = timeout / .seconds(1)
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    var request = URLRequest(url: post.url)
    request.httpMethod = "POST"
    request.httpBody = post.body
    for (name, value) in post.headers { request.setValue(value, forHTTPHeaderField: name) }
    let session = URLSession(
      configuration: configuration, delegate: Delegate(completion), delegateQueue: nil)
    session.dataTask(with: request).resume()
    session.finishTasksAndInvalidate()
  }

  /// A delegate that completes with the status of the first response.
  ///
  /// `@unchecked Sendable`: the mutable property is accessed only on the session's delegate queue, which is
  /// serial (Apple, `URLSession.delegateQueue`).
  private final class Delegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let completion: @Sendable (Result<Int, MediaLoadError>) -> Void
    private var status: Int?

    init(_ completion: @escaping @Sendable (Result<Int, MediaLoadError>) -> Void) {
      self.completion = completion
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      status = response.statusCode
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      status = (response as? HTTPURLResponse)?.statusCode
      completionHandler(.cancel)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      if let status { return completion(.success(status)) }
      let isOffline = (error as? URLError)?.code == .notConnectedToInternet
      completion(
        .failure(
          MediaLoadError(
            isOffline ? .offline : .network, error?.localizedDescription ?? "there was no response",
            cause: error)))
    }
  }
}
