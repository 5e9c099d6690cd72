import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The transport that uses `URLSession`.
///
/// Nothing is cached, cookies are neither sent nor stored, and redirects are not followed. At most 1 MiB of an answer is read.
public struct URLSessionTransport: PushTransport {
  /// The most bytes of an answer that are read.
  static let maximumBytes = 1 << 20
  private let timeout: Duration

  /// Creates a transport.
  ///
  /// - Parameter timeout: The maximum time of a request.
  public init(timeout: Duration = .seconds(20)) { self.timeout = timeout }

  /// Sends a request.
  ///
  /// - Parameter request: The request.
  /// - Returns: The answer.
  /// - Throws: ``PushTransportError`` if there was no answer.
  public func send(_ request: PushRequest) async throws(PushTransportError) -> PushResponse {
    let answer = await withCheckedContinuation { continuation in
      start(request) { continuation.resume(returning: $0) }
    }
    return try answer.get()
  }

  private func start(
    _ request: PushRequest,
    completion: @escaping @Sendable (Result<PushResponse, PushTransportError>) -> Void
  ) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout / .seconds(1)
    configuration.timeoutIntervalForResource = timeout / .seconds(1)
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    var wire = URLRequest(url: request.url)
    wire.httpMethod = request.method
    wire.httpBody = request.body
    for (name, value) in request.headers { wire.setValue(value, forHTTPHeaderField: name) }
    let session = URLSession(
      configuration: configuration, delegate: Delegate(completion), delegateQueue: nil)
    session.dataTask(with: wire).resume()
    session.finishTasksAndInvalidate()
  }

  /// A delegate that completes with the answer.
  ///
  /// `@unchecked Sendable`: the mutable properties are accessed only on the session's delegate queue, which is serial
  /// (Apple, `URLSession.delegateQueue`).
  private final class Delegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let completion: @Sendable (Result<PushResponse, PushTransportError>) -> Void
    private var head: HTTPURLResponse?
    private var body = Data()

    init(_ completion: @escaping @Sendable (Result<PushResponse, PushTransportError>) -> Void) {
      self.completion = completion
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      head = response
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      head = response as? HTTPURLResponse
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      body += data
      if body.count > URLSessionTransport.maximumBytes { dataTask.cancel() }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      guard body.count <= URLSessionTransport.maximumBytes else {
        // The task may have ended before it was cancelled.
        let message = "the answer is longer than \(URLSessionTransport.maximumBytes) bytes"
        return completion(
          .failure(PushTransportError(message, cause: error)))
      }
      guard let head, error == nil else { return completion(.failure(Self.failure(error))) }
      completion(
        .success(
          PushResponse(
            status: head.statusCode, retryAfter: Self.value(of: "Retry-After", in: head),
            body: body)))
    }

    /// Names of header fields have no case.
    private static func value(of name: String, in head: HTTPURLResponse) -> String? {
      for case let (key as String, value as String) in head.allHeaderFields
      where key.lowercased() == name.lowercased() {
        return value
      }
      return nil
    }

    private static func failure(_ error: (any Error)?) -> PushTransportError {
      let unsent: Set<URLError.Code> = [
        .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .cannotFindHost,
        .cannotConnectToHost, .dnsLookupFailed,
      ]
      let code = (error as? URLError)?.code
      return PushTransportError(
        error?.localizedDescription ?? "there was no answer",
        isUnsent: code.map(unsent.contains) ?? false, cause: error)
    }
  }
}
