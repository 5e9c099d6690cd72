public import Foundation

/// Foundation's `URLRequest`, as far as an extension fetches with it.
public struct URLRequest: Hashable, Sendable {
  /// When a stored answer is used; here none is stored.
  public enum CachePolicy: UInt, Sendable {
    /// As the protocol has it.
    case useProtocolCachePolicy = 0
    /// From the server.
    case reloadIgnoringLocalCacheData = 1
    /// Stored, or from the server.
    case returnCacheDataElseLoad = 2
    /// Stored, or none.
    case returnCacheDataDontLoad = 3
    /// From the server itself, not from one between.
    case reloadIgnoringLocalAndRemoteCacheData = 4
    /// Stored, once the server has said that it still holds.
    case reloadRevalidatingCacheData = 5

    /// From the server.
    public static var reloadIgnoringCacheData: CachePolicy { .reloadIgnoringLocalCacheData }
  }

  /// What the traffic is for; without effect here.
  public enum NetworkServiceType: UInt, Sendable {
    /// The usual.
    case `default` = 0
    /// Nobody waits for it.
    case background = 3
    /// Somebody waits for it.
    case responsiveData = 6
  }

  /// Where to.
  public var url: URL?
  /// The method.
  public var httpMethod: String? = "GET"
  /// The header fields.
  public var allHTTPHeaderFields: [String: String]? = [:]
  /// The body.
  public var httpBody: Data?
  /// How long nothing may come, in seconds.
  public var timeoutInterval: TimeInterval
  /// Whether it is sent in Low Data Mode.
  public var allowsConstrainedNetworkAccess = true
  /// Without effect here.
  public var allowsExpensiveNetworkAccess = true
  /// Without effect here.
  public var allowsCellularAccess = true
  /// Without effect here: nothing is stored.
  public var cachePolicy: CachePolicy
  /// Without effect here: there are no cookies.
  public var httpShouldHandleCookies = true
  /// Without effect here.
  public var networkServiceType = NetworkServiceType.default

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - url: Where to.
  ///   - cachePolicy: When a stored answer is used.
  ///   - timeoutInterval: How long nothing may come, in seconds.
  public init(
    url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy,
    timeoutInterval: TimeInterval = 60
  ) {
    self.url = url
    self.cachePolicy = cachePolicy
    self.timeoutInterval = timeoutInterval
  }

  /// The value of a header field, whose name is compared without case.
  ///
  /// - Parameter field: The name.
  /// - Returns: The value.
  public func value(forHTTPHeaderField field: String) -> String? {
    allHTTPHeaderFields?.first { $0.key.lowercased() == field.lowercased() }?.value
  }

  /// Sets a header field in place of what it was.
  ///
  /// - Parameters:
  ///   - value: The value; `nil` takes the field away.
  ///   - field: The name.
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {
    var fields = allHTTPHeaderFields ?? [:]
    for key in fields.keys where key.lowercased() == field.lowercased() { fields[key] = nil }
    fields[field] = value
    allHTTPHeaderFields = fields
  }

  /// Adds a value to a header field.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - field: The name.
  public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {
    let before = self.value(forHTTPHeaderField: field)
    setValue(before.map { "\($0),\(value)" } ?? value, forHTTPHeaderField: field)
  }
}
