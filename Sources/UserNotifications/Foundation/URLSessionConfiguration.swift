public import Foundation

/// Foundation's `URLSessionConfiguration`, with the properties that an extension needs.
///
/// `@unchecked Sendable`: as Apple's, it is changed by one owner before sessions are created with it.
open class URLSessionConfiguration: NSObject, @unchecked Sendable {
  /// The maximum time without data, in seconds; longer than an extension lives.
  open var timeoutIntervalForRequest: TimeInterval = 60
  /// The maximum time of a whole transfer, in seconds.
  open var timeoutIntervalForResource: TimeInterval = 604_800
  /// The header fields of every request.
  open var httpAdditionalHeaders: [AnyHashable: Any]?
  /// Whether requests may be sent in Low Data Mode.
  open var allowsConstrainedNetworkAccess = true
  /// Has no effect on Linux.
  open var allowsExpensiveNetworkAccess = true
  /// Has no effect on Linux.
  open var allowsCellularAccess = true
  /// Has no effect on Linux.
  open var waitsForConnectivity = false
  /// Has no effect on Linux, where nothing is cached.
  open var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
  /// Has no effect on Linux, where nothing is cached.
  open var urlCache: AnyObject?
  /// Has no effect on Linux.
  open var networkServiceType = URLRequest.NetworkServiceType.default
  /// Has no effect on Linux.
  open var httpMaximumConnectionsPerHost = 4
  /// Has no effect on Linux, where there are no cookies.
  open var httpShouldSetCookies = true
  /// Has no effect on Linux.
  open var isDiscretionary = false
  /// Has no effect on Linux, where no transfer continues after the process has ended.
  open var sessionSendsLaunchEvents = false
  /// The identifier of the shared container, which a background session of an extension needs.
  open var sharedContainerIdentifier: String?
  /// The identifier of a background session.
  public let identifier: String?

  private init(identifier: String?) { self.identifier = identifier }

  /// The default configuration.
  open class var `default`: URLSessionConfiguration { URLSessionConfiguration(identifier: nil) }

  /// A configuration that stores nothing, which on Linux is the same as the default one.
  open class var ephemeral: URLSessionConfiguration { URLSessionConfiguration(identifier: nil) }

  /// A configuration for background transfers, which on Linux end with the process.
  ///
  /// - Parameter identifier: The identifier of the session.
  /// - Returns: The configuration.
  open class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    URLSessionConfiguration(identifier: identifier)
  }
}
