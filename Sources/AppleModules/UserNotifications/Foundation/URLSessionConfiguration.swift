public import Foundation

/// Foundation's `URLSessionConfiguration`, with the properties that an extension needs.
///
/// `@unchecked Sendable`: as Apple's, it is changed by one owner before sessions are created with it, and a session has a
/// copy.
open class URLSessionConfiguration: NSObject, @unchecked Sendable {
  /// The default of ``timeoutIntervalForResource``, in seconds.
  static let week: TimeInterval = 604_800

  /// The maximum time without data, in seconds; longer than an extension lives.
  open var timeoutIntervalForRequest: TimeInterval = 60
  /// The maximum time of a whole transfer, in seconds.
  open var timeoutIntervalForResource = URLSessionConfiguration.week
  /// The header fields of every request.
  open var httpAdditionalHeaders: [AnyHashable: Any]?
  /// Whether requests may be sent in Low Data Mode.
  open var allowsConstrainedNetworkAccess = true
  /// Has no effect on Linux.
  open var allowsExpensiveNetworkAccess = true
  /// Has no effect on Linux.
  open var allowsCellularAccess = true
  /// Whether a task waits while the phone is offline, in place of failing.
  open var waitsForConnectivity = false
  /// The rule for the use of a cached response, unless the request has its own.
  open var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
  /// Has no effect on Linux.
  open var networkServiceType = URLRequest.NetworkServiceType.default
  /// Has no effect on Linux.
  open var httpMaximumConnectionsPerHost = 4
  /// Has no effect on Linux.
  open var httpShouldUsePipelining = false
  /// Whether cookies are sent and stored.
  open var httpShouldSetCookies = true
  /// The policy for storing cookies; it has no effect on Linux.
  open var httpCookieAcceptPolicy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
  /// Has no effect on Linux.
  open var isDiscretionary = false
  /// Has no effect on Linux, because no transfer continues after the process has ended.
  open var sessionSendsLaunchEvents = false
  /// Has no effect on Linux.
  open var shouldUseExtendedBackgroundIdleMode = false
  /// Has no effect on Linux.
  open var connectionProxyDictionary: [AnyHashable: Any]?
  /// Has no effect on Linux, because nothing asks for a credential.
  open var urlCredentialStorage: AnyObject?
  /// The subclasses of `URLProtocol` that answer requests in place of the network; the first that can is taken.
  open var protocolClasses: [AnyClass]? = []
  /// The identifier of the shared container, which a background session of an extension needs.
  open var sharedContainerIdentifier: String?
  /// The identifier of a background session.
  public let identifier: String?

  /// The key of the configuration's own cookies and cache; `nil` if it uses the shared ones.
  private let storeKey: UUID?
  /// The cookies that the code has set; `nil` for those of the extension.
  private var givenCookies: HTTPCookieStorage??
  /// The cache that the code has set; `nil` for that of the extension.
  private var givenCache: URLCache??

  private init(identifier: String? = nil, storeKey: UUID? = nil) {
    self.identifier = identifier
    self.storeKey = storeKey
  }

  /// The cookies; `nil` if no cookies are used.
  open var httpCookieStorage: HTTPCookieStorage? {
    get { cookies(in: .currentOrLast) }
    set { givenCookies = .some(newValue) }
  }
  /// The cache, which has only the responses that the code stores in it; `nil` disables caching.
  open var urlCache: URLCache? {
    get { cache(in: .currentOrLast) }
    set { givenCache = .some(newValue) }
  }

  func cookies(in world: UNWorld) -> HTTPCookieStorage? {
    givenCookies ?? world.sessions.cookies(of: storeKey)
  }

  func cache(in world: UNWorld) -> URLCache? {
    givenCache ?? world.sessions.cache(of: storeKey)
  }

  /// The default configuration.
  open class var `default`: URLSessionConfiguration { URLSessionConfiguration() }

  /// A configuration with cookies and a cache of its own.
  open class var ephemeral: URLSessionConfiguration { URLSessionConfiguration(storeKey: UUID()) }

  /// A configuration for background transfers, which on Linux end with the extension.
  ///
  /// A session of an extension also needs ``sharedContainerIdentifier``; without it, every task fails with
  /// `URLError.backgroundSessionRequiresSharedContainer`. Tasks with handlers end the process, as on a phone.
  ///
  /// - Parameter identifier: The identifier of the session.
  /// - Returns: The configuration.
  open class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    URLSessionConfiguration(identifier: identifier)
  }

  /// A copy with the same cookies and cache.
  func duplicate() -> URLSessionConfiguration {
    let copy = URLSessionConfiguration(identifier: identifier, storeKey: storeKey)
    copy.timeoutIntervalForRequest = timeoutIntervalForRequest
    copy.timeoutIntervalForResource = timeoutIntervalForResource
    copy.httpAdditionalHeaders = httpAdditionalHeaders
    copy.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
    copy.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
    copy.allowsCellularAccess = allowsCellularAccess
    copy.waitsForConnectivity = waitsForConnectivity
    copy.requestCachePolicy = requestCachePolicy
    copy.networkServiceType = networkServiceType
    copy.httpMaximumConnectionsPerHost = httpMaximumConnectionsPerHost
    copy.httpShouldUsePipelining = httpShouldUsePipelining
    copy.httpShouldSetCookies = httpShouldSetCookies
    copy.httpCookieAcceptPolicy = httpCookieAcceptPolicy
    copy.isDiscretionary = isDiscretionary
    copy.sessionSendsLaunchEvents = sessionSendsLaunchEvents
    copy.shouldUseExtendedBackgroundIdleMode = shouldUseExtendedBackgroundIdleMode
    copy.connectionProxyDictionary = connectionProxyDictionary
    copy.urlCredentialStorage = urlCredentialStorage
    copy.protocolClasses = protocolClasses
    copy.sharedContainerIdentifier = sharedContainerIdentifier
    (copy.givenCookies, copy.givenCache) = (givenCookies, givenCache)
    return copy
  }

  /// Copies the configuration.
  ///
  /// - Returns: The copy.
  open override func copy() -> Any { duplicate() }
}
