public import Foundation

/// Foundation's `URLResponse`.
open class URLResponse: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: every property is constant.

  /// The URL of the response.
  public let url: URL?
  /// The MIME type, without parameters.
  public let mimeType: String?
  /// The announced length of the body; -1 if it is unknown.
  public let expectedContentLength: Int64
  /// The name of the text encoding.
  public let textEncodingName: String?

  /// Creates a response.
  ///
  /// - Parameters:
  ///   - url: The URL of the response.
  ///   - mimeType: The MIME type.
  ///   - expectedContentLength: The length of the body; -1 if it is unknown.
  ///   - textEncodingName: The name of the text encoding.
  public init(url: URL, mimeType: String?, expectedContentLength: Int, textEncodingName: String?) {
    self.url = url
    self.mimeType = mimeType
    self.expectedContentLength = Int64(expectedContentLength)
    self.textEncodingName = textEncodingName
  }
}

/// Foundation's `HTTPURLResponse`.
public final class HTTPURLResponse: URLResponse, @unchecked Sendable {
  // `@unchecked Sendable`: every property is constant.

  /// The status code.
  public let statusCode: Int
  private let fields: [String: String]

  /// Creates a response.
  ///
  /// - Parameters:
  ///   - url: The URL of the response.
  ///   - statusCode: The status code.
  ///   - httpVersion: Unused.
  ///   - headerFields: The header fields.
  public init?(
    url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?
  ) {
    self.statusCode = statusCode
    fields = headerFields ?? [:]
    func field(_ name: String) -> String? {
      headerFields?.first { $0.key.lowercased() == name }?.value
    }
    let type = field("content-type")?.split(separator: ";").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let charset = type?.dropFirst().first { $0.lowercased().hasPrefix("charset=") }
    super.init(
      url: url, mimeType: type?.first,
      expectedContentLength: field("content-length").flatMap { Int($0) } ?? -1,
      textEncodingName: charset.map { String($0.dropFirst(8)) })
  }

  /// The header fields.
  public var allHeaderFields: [AnyHashable: Any] { fields }

  /// The value of a header field, whose name is case-insensitive.
  ///
  /// - Parameter field: The name.
  /// - Returns: The value.
  public func value(forHTTPHeaderField field: String) -> String? {
    fields.first { $0.key.lowercased() == field.lowercased() }?.value
  }

  /// A text for a status code, such as `not found`.
  ///
  /// - Parameter statusCode: The status code.
  /// - Returns: The text in English.
  public class func localizedString(forStatusCode statusCode: Int) -> String {
    switch statusCode {
    case 200: "no error"
    case 400: "bad request"
    case 401: "unauthorized"
    case 403: "forbidden"
    case 404: "not found"
    case 500: "internal server error"
    case 503: "service unavailable"
    case 100..<200: "informational"
    case 200..<300: "success"
    case 300..<400: "redirected"
    case 400..<500: "client error"
    default: "server error"
    }
  }
}
