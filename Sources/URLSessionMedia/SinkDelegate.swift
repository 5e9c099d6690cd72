import Foundation
import MediaLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Hands what arrives to the sink until the sink refuses; on Linux a cancel does not stop what the
/// session has already buffered.
///
/// `@unchecked Sendable`: what varies is reached on the session's delegate queue alone, which is
/// serial (Apple, `URLSession.delegateQueue`).
final class SinkDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let sink: any MediaSink
  private var hasHead = false
  private var isRefused = false
  private var isChallenged = false

  init(_ sink: any MediaSink) { self.sink = sink }

  /// Without a new request the redirect's own answer is the result.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// The server's certificate is the system's to judge; whatever asks for credentials gets none.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(Darwin)
      let method = challenge.protectionSpace.authenticationMethod
      let isTrust = method == NSURLAuthenticationMethodServerTrust
      completionHandler(isTrust ? .performDefaultHandling : .rejectProtectionSpace, nil)
    #else
      // Here this comes after the body, and ends the task as if it were canceled.
      isChallenged = true
      completionHandler(.rejectProtectionSpace, nil)
    #endif
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    announce(response)
    completionHandler(isRefused ? .cancel : .allow)
    // Linux takes no notice of the disposition.
    if isRefused { dataTask.cancel() }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    announce(dataTask.response)
    for region in data.regions where !region.isEmpty && !isRefused {
      isRefused = region.withUnsafeBytes { sink.receive($0) } == .stop
      if isRefused { dataTask.cancel() }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    if error == nil { announce(task.response) }
    if isRefused {
      sink.finish(MediaLoadError(.refused, "the sink refused"))
    } else {
      sink.finish(isChallenged ? nil : error.map(Self.failure))
    }
  }

  /// Linux shows interim answers too, and a redirect to nowhere only with what comes after the head.
  private func announce(_ response: URLResponse?) {
    guard !hasHead, let response = response as? HTTPURLResponse, response.statusCode >= 200 else {
      return
    }
    hasHead = true
    isRefused = sink.receive(Self.head(of: response)) == .stop
  }

  private static func head(of response: HTTPURLResponse) -> MediaResponseHead {
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      guard let name = name as? String, let value = value as? String else { continue }
      headers[name] = value
    }
    return MediaResponseHead(status: response.statusCode, headers: headers)
  }

  private static func failure(_ error: any Error) -> MediaLoadError {
    MediaLoadError(code(of: error as? URLError), error.localizedDescription, cause: error)
  }

  private static func code(of error: URLError?) -> MediaLoadError.Code {
    #if canImport(Darwin)
      if error?.networkUnavailableReason == .constrained { return .constrained }
    #endif
    return switch error?.code {
    case .cancelled: .canceled
    case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff: .offline
    case .unsupportedURL, .badURL, .appTransportSecurityRequiresSecureConnection: .unsupportedURL
    case .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
      .untrusted
    default: .network
    }
  }
}
