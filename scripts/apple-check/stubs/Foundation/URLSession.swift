// URL loading. https://developer.apple.com/documentation/foundation/url-loading-system
public let NSURLAuthenticationMethodServerTrust = ""

public struct URLError: Error, Sendable {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { fatalError() }
    public static var cancelled: Code { fatalError() }
    public static var notConnectedToInternet: Code { fatalError() }
    public static var cannotFindHost: Code { fatalError() }
    public static var cannotConnectToHost: Code { fatalError() }
    public static var dnsLookupFailed: Code { fatalError() }
    public static var dataNotAllowed: Code { fatalError() }
    public static var internationalRoamingOff: Code { fatalError() }
    public static var unsupportedURL: Code { fatalError() }
    public static var badURL: Code { fatalError() }
    public static var appTransportSecurityRequiresSecureConnection: Code { fatalError() }
    public static var serverCertificateUntrusted: Code { fatalError() }
    public static var serverCertificateHasBadDate: Code { fatalError() }
    public static var serverCertificateHasUnknownRoot: Code { fatalError() }
    public static var serverCertificateNotYetValid: Code { fatalError() }
    public static var timedOut: Code { fatalError() }
  }
  public enum NetworkUnavailableReason: Int, Sendable { case cellular, expensive, constrained }
  public var code: Code { fatalError() }
  public var networkUnavailableReason: NetworkUnavailableReason? { fatalError() }
}

open class URLResponse: NSObject, @unchecked Sendable {}
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
  open var statusCode: Int { fatalError() }
  open var allHeaderFields: [AnyHashable: Any] { fatalError() }
}

public struct URLRequest: Sendable {
  public enum CachePolicy: UInt, Sendable {
    case useProtocolCachePolicy, reloadIgnoringLocalCacheData
  }
  public init(url: URL) { fatalError() }
  public var httpMethod: String?
  public var httpBody: Data?
  public var httpShouldHandleCookies: Bool
  public var allowsConstrainedNetworkAccess: Bool
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { fatalError() }
}

open class URLCache: NSObject, @unchecked Sendable {}
open class HTTPCookieStorage: NSObject, @unchecked Sendable {}
open class URLCredentialStorage: NSObject, @unchecked Sendable {}
open class URLCredential: NSObject, @unchecked Sendable {}
open class URLProtectionSpace: NSObject, @unchecked Sendable {
  open var authenticationMethod: String { fatalError() }
}
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
  open var protectionSpace: URLProtectionSpace { fatalError() }
}
extension HTTPCookie { public enum AcceptPolicy: UInt, Sendable { case always, never } }
open class HTTPCookie: NSObject, @unchecked Sendable {}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
  private override init() { fatalError() }
  open class var ephemeral: URLSessionConfiguration { fatalError() }
  open var timeoutIntervalForRequest: TimeInterval
  open var timeoutIntervalForResource: TimeInterval
  open var requestCachePolicy: URLRequest.CachePolicy
  open var urlCache: URLCache?
  open var httpShouldSetCookies: Bool
  open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy
  open var httpCookieStorage: HTTPCookieStorage?
  open var urlCredentialStorage: URLCredentialStorage?
}

open class OperationQueue: NSObject, @unchecked Sendable {
  open class var main: OperationQueue { fatalError() }
  public override init() { fatalError() }
  open var maxConcurrentOperationCount: Int
  open func addOperation(_ block: @escaping @Sendable () -> Void) { fatalError() }
}

open class URLSessionTask: NSObject, @unchecked Sendable {
  open var response: URLResponse? { fatalError() }
  open func resume() { fatalError() }
  open func cancel() { fatalError() }
}
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

open class URLSession: NSObject, @unchecked Sendable {
  public enum ResponseDisposition: Int, Sendable { case cancel, allow }
  public enum AuthChallengeDisposition: Int, Sendable {
    case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
  }
  public init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
    delegateQueue queue: OperationQueue?
  ) { fatalError() }
  open class var shared: URLSession { fatalError() }
  @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
  public func data(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { fatalError() }
  open func dataTask(with request: URLRequest) -> URLSessionDataTask { fatalError() }
  open func finishTasksAndInvalidate() { fatalError() }
}

// The requirements are optional in Objective-C, and their completion handlers are `@Sendable`.
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {}
public protocol URLSessionTaskDelegate: URLSessionDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}
extension URLSessionTaskDelegate {
  public func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {}
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {}
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {}
}
extension URLSessionDataDelegate {
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {}
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
  ) {}
}

extension NSString {
  public class func localizedUserNotificationString(
    forKey key: String, arguments: [Any]?
  ) -> String { fatalError() }
}
