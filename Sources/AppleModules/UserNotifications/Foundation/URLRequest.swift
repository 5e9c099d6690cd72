public import Foundation

/// Foundation's `URLRequest`, with the properties that an extension needs.
public struct URLRequest: Hashable, Sendable {
  /// The rule for the use of a cached response.
  ///
  /// On Linux a cache has only the responses that the code stores in it.
  public enum CachePolicy: UInt, Sendable {
    /// The protocol decides.
    case useProtocolCachePolicy = 0
    /// No cached response is used; the response comes from the server.
    case reloadIgnoringLocalCacheData = 1
    /// A cached response is used if one exists, whatever its age.
    case returnCacheDataElseLoad = 2
    /// Only a cached response is used, never the server's.
    case returnCacheDataDontLoad = 3
    /// No cached response is used, neither a local one nor one of a proxy.
    case reloadIgnoringLocalAndRemoteCacheData = 4
    /// A cached response is used if the server validates it.
    case reloadRevalidatingCacheData = 5

    /// No cached response is used; the response comes from the server.
    public static var reloadIgnoringCacheData: CachePolicy { .reloadIgnoringLocalCacheData }
  }

  /// The purpose of the traffic, which has no effect on Linux.
  public enum NetworkServiceType: UInt, Sendable {
    /// Standard traffic.
    case `default` = 0
    /// Background traffic.
    case background = 3
    /// Traffic that a person waits for.
    case responsiveData = 6
  }

  /// The URL.
  public var url: URL?
  /// The method.
  public var httpMethod: String? = "GET"
  /// The header fields.
  public var allHTTPHeaderFields: [String: String]? = [:]
  /// The body; setting it removes ``httpBodyStream``.
  public var httpBody: Data? {
    get { body?.data }
    set { body = newValue.map { Body(data: $0) } }
  }
  /// A stream that is read for the body when the task starts; setting it removes ``httpBody``.
  public var httpBodyStream: InputStream? {
    get { body?.stream }
    set { body = newValue.map { Body(stream: $0) } }
  }
  /// The maximum time without data, in seconds.
  public var timeoutInterval: TimeInterval
  /// Whether the request may be sent in Low Data Mode.
  public var allowsConstrainedNetworkAccess = true
  /// Has no effect on Linux.
  public var allowsExpensiveNetworkAccess = true
  /// Has no effect on Linux.
  public var allowsCellularAccess = true
  /// The rule for the use of a cached response.
  public var cachePolicy: CachePolicy
  /// Whether cookies are sent and stored.
  public var httpShouldHandleCookies = true
  /// Has no effect on Linux.
  public var networkServiceType = NetworkServiceType.default
  /// Has no effect on Linux.
  public var httpShouldUsePipelining = false
  /// The main document's URL, which has no effect on Linux.
  public var mainDocumentURL: URL?
  private var body: Body?

  /// The body as bytes or as a stream.
  ///
  /// `@unchecked Sendable`: as Apple's, the stream is given away with the request. Only the task that sends the
  /// request reads it, once.
  private struct Body: Hashable, @unchecked Sendable {
    var data: Data?
    var stream: InputStream?
  }

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - cachePolicy: The cache policy.
  ///   - timeoutInterval: The maximum time without data, in seconds.
  public init(
    url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy,
    timeoutInterval: TimeInterval = 60
  ) {
    self.url = url
    self.cachePolicy = cachePolicy
    self.timeoutInterval = timeoutInterval
  }

  /// The value of a header field, whose name is case-insensitive.
  ///
  /// - Parameter field: The name.
  /// - Returns: The value.
  public func value(forHTTPHeaderField field: String) -> String? {
    allHTTPHeaderFields?.first { $0.key.lowercased() == field.lowercased() }?.value
  }

  /// Sets the value of a header field, replacing any other.
  ///
  /// - Parameters:
  ///   - value: The value; `nil` removes the field.
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
