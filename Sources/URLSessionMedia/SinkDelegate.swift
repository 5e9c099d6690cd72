import Foundation
import MediaLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Hands what arrives to the sink, and ends it at once where it refuses or is canceled: on Linux a
/// canceled task goes on, and may never say that it is over.
///
/// `@unchecked Sendable`: what varies is reached on the session's delegate queue alone, which is
/// serial, ``cancel(_:)`` too.
final class SinkDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  /// `nil` once it has its end, so that a sink may hold its own load.
  private var sink: (any MediaSink)?
  private var hasHead = false
  private var isChallenged = false

  init(_ sink: any MediaSink) { self.sink = sink }

  func cancel(_ task: URLSessionTask) {
    end(MediaLoadError(.canceled, "the load was canceled"))
    task.cancel()
  }

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
    announce(response, of: dataTask)
    completionHandler(sink == nil ? .cancel : .allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    announce(dataTask.response, of: dataTask)
    for region in data.regions where !region.isEmpty {
      guard let sink else { return }
      if region.withUnsafeBytes({ sink.receive($0) }) == .stop { refuse(dataTask) }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    if error == nil { announce(task.response, of: task) }
    end(isChallenged ? nil : error.map(Self.failure))
  }

  /// Linux shows interim answers too, and a redirect to nowhere only with what comes after the head.
  private func announce(_ response: URLResponse?, of task: URLSessionTask) {
    guard let sink, !hasHead, let response = response as? HTTPURLResponse,
      response.statusCode >= 200
    else { return }
    hasHead = true
    if sink.receive(Self.head(of: response)) == .stop { refuse(task) }
  }

  private func refuse(_ task: URLSessionTask) {
    end(MediaLoadError(.refused, "the sink refused"))
    task.cancel()
  }

  private func end(_ error: MediaLoadError?) {
    sink?.finish(error)
    sink = nil
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
