import Foundation
import MediaLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session delegate that forwards a response to a sink.
///
/// When the sink stops or the load is canceled, the sink is finished at once: on Linux a canceled task
/// continues, and may never complete.
///
/// `@unchecked Sendable`: the mutable properties are accessed only on the session's serial delegate queue, in
/// ``cancel(_:)`` too.
final class SinkDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  /// `nil` once it is finished, which breaks the reference cycle of a sink that holds its own load.
  private var sink: (any MediaSink)?
  private var hasHead = false
  private var isChallenged = false

  init(_ sink: any MediaSink) { self.sink = sink }

  func cancel(_ task: URLSessionTask) {
    finishLoad(MediaLoadError(.canceled, "the load was canceled"))
    task.cancel()
  }

  /// Follows no redirect: the redirect's response becomes the result.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// Leaves the server's certificate to the system's evaluation, and rejects requests for credentials.
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
      // On Linux the challenge comes after the body, and rejecting it ends the task with an error.
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
    finishLoad(isChallenged ? nil : error.map(Self.failure))
  }

  /// Forwards the response's head once.
  ///
  /// On Linux there are interim responses too, and a redirect without a valid location is reported only with
  /// its body or completion.
  private func announce(_ response: URLResponse?, of task: URLSessionTask) {
    guard let sink, !hasHead, let response = response as? HTTPURLResponse,
      response.statusCode >= 200
    else { return }
    hasHead = true
    if sink.receive(Self.head(of: response)) == .stop { refuse(task) }
  }

  private func refuse(_ task: URLSessionTask) {
    finishLoad(MediaLoadError(.refused, "the sink stopped the load"))
    task.cancel()
  }

  private func finishLoad(_ error: MediaLoadError?) {
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
