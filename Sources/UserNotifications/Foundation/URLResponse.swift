public import Foundation

/// Foundation's `URLResponse`: how a server answered.
open class URLResponse: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: every property is constant.

  /// Where the answer came from.
  public let url: URL?
  /// The type that the server names, without parameters.
  public let mimeType: String?
  /// The length that the server names; -1 where it does not.
  public let expectedContentLength: Int64
  /// The encoding that the server names.
  public let textEncodingName: String?

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - url: Where it came from.
  ///   - mimeType: Its type.
  ///   - expectedContentLength: Its length; -1 where it is not known.
  ///   - textEncodingName: Its encoding.
  public init(url: URL, mimeType: String?, expectedContentLength: Int, textEncodingName: String?) {
    self.url = url
    self.mimeType = mimeType
    self.expectedContentLength = Int64(expectedContentLength)
    self.textEncodingName = textEncodingName
  }

  /// The name that the URL suggests for a file.
  public var suggestedFilename: String? {
    let name = url?.lastPathComponent ?? ""
    return name.isEmpty || name == "/" ? "unknown" : name
  }
}

/// Foundation's `HTTPURLResponse`: how an HTTP server answered.
public final class HTTPURLResponse: URLResponse, @unchecked Sendable {
  // `@unchecked Sendable`: every property is constant.

  /// The status.
  public let statusCode: Int
  private let fields: [String: String]

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - url: Where it came from.
  ///   - statusCode: The status.
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

  /// The value of a header field, whose name is compared without case.
  ///
  /// - Parameter field: The name.
  /// - Returns: The value.
  public func value(forHTTPHeaderField field: String) -> String? {
    fields.first { $0.key.lowercased() == field.lowercased() }?.value
  }
}
