/// The type of a file, and the source that decided it.
///
/// If the bytes show a known type, they decide: a web page is HTML under any name. If they do not, the other sources
/// decide in the order of ``Source``, but only for types whose files may begin with any bytes: a file that does not
/// begin as a PNG is not a PNG.
public struct MediaTypeDecision: Hashable, Sendable {
  /// A source of a file's type.
  public struct Source: RawRepresentable, Hashable, Sendable {
    /// The name as a trace prints it.
    public let rawValue: String

    /// Makes a source from its name.
    ///
    /// - Parameter rawValue: Lower-case words.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file's first bytes.
    public static let bytes = Source(rawValue: "bytes")
    /// The `Content-Type` of the response.
    public static let mimeType = Source(rawValue: "content-type")
    /// The type that the payload declares.
    public static let sender = Source(rawValue: "payload")
    /// The file name extension in the URL's path.
    public static let pathExtension = Source(rawValue: "url path")
    /// The file name extension in a value of the URL's query; `filename=` is read before other values.
    public static let query = Source(rawValue: "url query")
  }

  /// The type of the file; iOS may not show it.
  public let type: MediaType
  /// The source that decided.
  public let source: Source

  /// The types without a signature: streams that may be cut at any frame, and boxes in any order.
  private static let typesWithoutSignature: Set<MediaType> = [.mp3, .mpeg, .mpeg2, .quickTime]

  /// Decides the type of a file; `nil` if the file is empty, or no source gives a type that the bytes allow.
  ///
  /// - Parameters:
  ///   - head: The file's first ``MediaType/signatureLength`` bytes, or all of a shorter file.
  ///   - mimeType: The `Content-Type` of the response.
  ///   - declared: The type that the payload declares.
  ///   - url: The URL of the request, or the name of a file.
  public init?(
    head: some Collection<UInt8>, mimeType: String? = nil, declared: MediaType? = nil,
    url: String = ""
  ) {
    guard !head.isEmpty else { return nil }
    if let type = MediaType(signature: head) {
      self.type = type
      source = .bytes
      return
    }
    let parts = URLParts(url)
    let claims: [(Source, MediaType?)] = [
      (.mimeType, mimeType.flatMap { MediaType(mimeType: $0) }), (.sender, declared),
      (.pathExtension, MediaType(fileName: parts.path)),
      (.query, parts.queryValues.lazy.compactMap { MediaType(fileName: $0) }.first),
    ]
    for case (let source, let type?) in claims where Self.typesWithoutSignature.contains(type) {
      self.type = type
      self.source = source
      return
    }
    return nil
  }
}

extension MediaType {
  /// Finds the type of the file name extension in a URL's path; `nil` if the extension is unknown.
  package init?(urlPath url: String) { self.init(fileName: URLParts(url).path) }

  fileprivate init?(fileName: some StringProtocol) {
    let name = fileName.split(separator: "/").last.map { String($0) } ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    self.init(pathExtension: String(name[name.index(after: dot)...]))
  }
}

/// The path and the query of a URL, split leniently, because Foundation's parser rejects URLs that senders write.
private struct URLParts {
  var path: Substring
  var queryValues: [Substring]

  init(_ url: String) {
    let withoutFragment = url.prefix { $0 != "#" }
    let beforeQuery = withoutFragment.prefix { $0 != "?" }
    if let host = beforeQuery.firstRange(of: "://") {
      path = beforeQuery[host.upperBound...].drop { $0 != "/" }
    } else {
      path = beforeQuery
    }
    let query = withoutFragment.dropFirst(beforeQuery.count + 1)
    let pairs = query.split(separator: "&").prefix(50).map {
      $0.split(separator: "=", maxSplits: 1)
    }
    let named = pairs.filter { $0.first == "filename" } + pairs.filter { $0.first != "filename" }
    queryValues = named.compactMap { $0.count == 2 ? $0[1] : nil }
  }
}
