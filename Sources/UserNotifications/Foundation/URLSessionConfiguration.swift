public import Foundation

/// Foundation's `URLSessionConfiguration`, as far as an extension sets it.
///
/// `@unchecked Sendable`: as Apple's, it is set up by one owner, and a session takes what it needs of
/// it when it is made.
open class URLSessionConfiguration: NSObject, @unchecked Sendable {
  /// How long nothing may come, in seconds; longer than an extension lives.
  open var timeoutIntervalForRequest: TimeInterval = 60
  /// How long a whole transfer may take, in seconds.
  open var timeoutIntervalForResource: TimeInterval = 604_800
  /// What every request has.
  open var httpAdditionalHeaders: [AnyHashable: Any]?
  /// Whether requests are sent in Low Data Mode.
  open var allowsConstrainedNetworkAccess = true
  /// Without effect here.
  open var allowsExpensiveNetworkAccess = true
  /// Without effect here.
  open var allowsCellularAccess = true
  /// Without effect here: a network that is not there stays away.
  open var waitsForConnectivity = false
  /// Without effect here: nothing is stored.
  open var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
  /// Without effect here: nothing is stored.
  open var urlCache: AnyObject?
  /// Without effect here.
  open var networkServiceType = URLRequest.NetworkServiceType.default
  /// Without effect here.
  open var httpMaximumConnectionsPerHost = 4
  /// Without effect here: there are no cookies.
  open var httpShouldSetCookies = true
  /// Without effect here.
  open var isDiscretionary = false
  /// Without effect here: no transfer outlives the process.
  open var sessionSendsLaunchEvents = false
  /// The container that a background session of an extension must name.
  open var sharedContainerIdentifier: String?
  /// The name of a background session.
  public let identifier: String?

  private init(identifier: String?) { self.identifier = identifier }

  /// The usual configuration.
  open class var `default`: URLSessionConfiguration { URLSessionConfiguration(identifier: nil) }

  /// One that keeps nothing; here no other than the usual one.
  open class var ephemeral: URLSessionConfiguration { URLSessionConfiguration(identifier: nil) }

  /// One whose transfers outlive the process; here they do not.
  ///
  /// - Parameter identifier: Its name.
  /// - Returns: The configuration.
  open class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    URLSessionConfiguration(identifier: identifier)
  }
}
