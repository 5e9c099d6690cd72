import Foundation
public import MediaLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Posts with the system's own `URLSession`: what an app and an extension use on Apple's systems.
///
/// Nothing is cached, no cookie is sent or kept, no redirect is followed, and of the answer nothing is
/// read but its head.
public final class URLSessionPoster: HTTPPosting {
  private let timeout: Duration

  /// Makes a poster.
  ///
  /// - Parameter timeout: How long a post may take.
  public init(timeout: Duration = .seconds(20)) { self.timeout = timeout }

  /// Begins to post.
  ///
  /// - Parameters:
  ///   - post: What to send, and where to.
  ///   - completion: Called once, on a queue of the session's.
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

  /// `@unchecked Sendable`: what varies is reached on the session's delegate queue alone, which is
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
            isOffline ? .offline : .network, error?.localizedDescription ?? "there was no answer",
            cause: error)))
    }
  }
}
