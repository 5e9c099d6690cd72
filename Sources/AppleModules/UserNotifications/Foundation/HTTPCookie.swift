public import Foundation

/// Foundation's `HTTPCookie`.
///
/// `@unchecked Sendable`: every property is constant.
open class HTTPCookie: NSObject, @unchecked Sendable {
  /// The policy for storing cookies; it has no effect on Linux.
  public enum AcceptPolicy: UInt, Sendable {
    /// All cookies are stored.
    case always = 0
    /// No cookie is stored.
    case never = 1
    /// Only cookies of the main document's domain are stored.
    case onlyFromMainDocumentDomain = 2
  }

  /// The name.
  public let name: String
  /// The value.
  public let value: String
  /// The domain, which starts with a period if the cookie is sent to subdomains too.
  public let domain: String
  /// The path.
  public let path: String
  /// The time after which the cookie is not sent; `nil` if the cookie ends with the session.
  public let expiresDate: Date?
  /// Whether the cookie is sent only over HTTPS.
  public let isSecure: Bool
  /// Whether the cookie is only for HTTP.
  public let isHTTPOnly: Bool
  /// Whether the cookie ends with the session.
  public var isSessionOnly: Bool { expiresDate == nil }

  /// Creates a cookie.
  ///
  /// - Parameter properties: The values of `.name`, `.value`, `.domain` and `.path`, and others; `nil` is returned if one
  ///   of the four is missing.
  public init?(properties: [HTTPCookiePropertyKey: Any]) {
    guard let name = properties[.name] as? String, let value = properties[.value] as? String,
      let domain = properties[.domain] as? String, let path = properties[.path] as? String
    else { return nil }
    self.name = name
    self.value = value
    self.domain = domain.lowercased()
    self.path = path
    let age = (properties[.maximumAge] as? String).flatMap { TimeInterval($0) }
    expiresDate = age.map { Date(timeIntervalSinceNow: $0) } ?? properties[.expires] as? Date
    isSecure = properties[.secure] != nil
    isHTTPOnly = properties[.httpOnly] != nil
  }

  /// The cookies of a response's header fields.
  ///
  /// - Parameters:
  ///   - headerFields: The fields. Several cookies of one `Set-Cookie` are separated by commas.
  ///   - URL: The URL of the response.
  /// - Returns: The cookies.
  public class func cookies(
    withResponseHeaderFields headerFields: [String: String], for URL: URL
  ) -> [HTTPCookie] {
    let field = headerFields.first { $0.key.lowercased() == "set-cookie" }?.value ?? ""
    return lines(of: field).compactMap { cookie(of: $0, from: URL) }
  }

  /// The header fields of a request with cookies.
  ///
  /// - Parameter cookies: The cookies.
  /// - Returns: The field `Cookie`; empty if there are no cookies.
  public class func requestHeaderFields(with cookies: [HTTPCookie]) -> [String: String] {
    guard !cookies.isEmpty else { return [:] }
    return ["Cookie": cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")]
  }

  /// Splits a field at commas that are followed by a name and an equals sign, so that dates stay whole.
  private static func lines(of field: String) -> [String] {
    var lines: [String] = []
    for part in field.components(separatedBy: ",") {
      let start = part.prefix { $0 != "=" && $0 != ";" }
      let isCookie =
        start.count < part.count && part[start.endIndex] == "="
        && !start.trimmingCharacters(in: .whitespaces).contains(" ")
      if isCookie || lines.isEmpty {
        lines.append(part)
      } else {
        lines[lines.count - 1] += "," + part
      }
    }
    return lines
  }

  /// A cookie of `Set-Cookie` (RFC 6265 section 5.2).
  private static func cookie(of line: String, from url: URL) -> HTTPCookie? {
    let pairs = line.split(separator: ";").map { part in
      part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
    guard let first = pairs.first, first.count == 2, !first[0].isEmpty, let host = url.host()
    else { return nil }
    var properties: [HTTPCookiePropertyKey: Any] = [
      .name: first[0], .value: first[1], .domain: host, .path: "/",
    ]
    for pair in pairs.dropFirst() {
      let value = pair.count == 2 ? pair[1] : ""
      switch pair[0].lowercased() {
      case "domain":
        let domain = value.drop { $0 == "." }.lowercased()
        // A server cannot set cookies of another domain.
        guard host.lowercased() == domain || host.lowercased().hasSuffix("." + domain) else {
          return nil
        }
        properties[.domain] = "." + domain
      case "path": if value.hasPrefix("/") { properties[.path] = value }
      case "max-age": properties[.maximumAge] = value
      case "expires": properties[.expires] = date(of: value)
      case "secure": properties[.secure] = "TRUE"
      case "httponly": properties[.httpOnly] = "TRUE"
      default: break
      }
    }
    return HTTPCookie(properties: properties)
  }

  private static func date(of text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    for format in ["EEE, dd MMM yyyy HH:mm:ss zzz", "EEE, dd-MMM-yyyy HH:mm:ss zzz"] {
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return date }
    }
    return nil
  }

  /// Whether the cookie is sent to a URL (RFC 6265 section 5.4).
  func matches(_ url: URL) -> Bool {
    let host = url.host()?.lowercased() ?? ""
    let isDomain =
      domain.hasPrefix(".")
      ? host == domain.dropFirst() || host.hasSuffix(domain) : host == domain
    let target = url.path().isEmpty ? "/" : url.path()
    let isPath =
      target == path
      || target.hasPrefix(path.hasSuffix("/") ? path : path + "/")
    return isDomain && isPath && (!isSecure || url.scheme == "https")
      && expiresDate.map { $0 > Date() } ?? true
  }
}

/// Foundation's `HTTPCookiePropertyKey`: the name of a cookie's property.
public struct HTTPCookiePropertyKey: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String

  /// Creates a key.
  ///
  /// - Parameter rawValue: The name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a key.
  ///
  /// - Parameter rawValue: The name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The name of the cookie.
  public static let name = HTTPCookiePropertyKey("Name")
  /// The value.
  public static let value = HTTPCookiePropertyKey("Value")
  /// The domain.
  public static let domain = HTTPCookiePropertyKey("Domain")
  /// The path.
  public static let path = HTTPCookiePropertyKey("Path")
  /// The date of the end, a `Date`.
  public static let expires = HTTPCookiePropertyKey("Expires")
  /// The lifetime in seconds, a string.
  public static let maximumAge = HTTPCookiePropertyKey("Max-Age")
  /// Whether the cookie is sent only over HTTPS; any value means that it is.
  public static let secure = HTTPCookiePropertyKey("Secure")
  /// Whether the cookie is only for HTTP; any value means that it is.
  static let httpOnly = HTTPCookiePropertyKey("HttpOnly")
}
