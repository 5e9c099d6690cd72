import Foundation
import FoundationNetworking

/// A request and its answer over HTTP, without following a redirect.
///
/// A redirect makes a POST a GET, and gives the key to another host. Answers have no limit, unlike those of MartletKit's
/// `URLSessionTransport`: a server lists all of its apps in one.
///
/// `@unchecked Sendable`: the mutable properties are accessed only on the session's delegate queue, which is serial
/// (Apple, `URLSession.delegateQueue`).
final class HTTPExchange: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let continuation: CheckedContinuation<(status: Int, body: Data), any Error>
  private var status = 0
  private var body = Data()

  private init(_ continuation: CheckedContinuation<(status: Int, body: Data), any Error>) {
    self.continuation = continuation
  }

  /// Makes a request and returns the answer, which may be a redirect.
  static func run(_ request: URLRequest) async throws -> (status: Int, body: Data) {
    try await withCheckedThrowingContinuation { continuation in
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpCookieStorage = nil
      configuration.urlCache = nil
      let session = URLSession(
        configuration: configuration, delegate: HTTPExchange(continuation), delegateQueue: nil)
      session.dataTask(with: request).resume()
      session.finishTasksAndInvalidate()
    }
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
    status = (response as? HTTPURLResponse)?.statusCode ?? 0
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    body += data
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    if let error { return continuation.resume(throwing: error) }
    continuation.resume(returning: (status, body))
  }
}
