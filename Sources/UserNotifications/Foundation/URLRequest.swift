public import Foundation

/// Foundation's `URLRequest`, as far as an extension fetches with it.
public struct URLRequest: Hashable, Sendable {
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

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - url: Where to.
  ///   - timeoutInterval: How long nothing may come, in seconds.
  public init(url: URL, timeoutInterval: TimeInterval = 60) {
    self.url = url
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
