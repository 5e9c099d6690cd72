/// What a file is, and which of the five things that tell it decided.
///
/// The bytes decide wherever they are of a known type, shown or not: a web page stays one under any
/// name. Only bytes of no known type leave the question to the others, in the order of ``Source``, and
/// these are believed only where a good file of that type may begin so: a PNG always begins as one.
public struct MediaTypeDecision: Hashable, Sendable {
  /// What can tell a file's type.
  public struct Source: RawRepresentable, Hashable, Sendable {
    /// The words as a trace prints them.
    public let rawValue: String

    /// Names a source.
    ///
    /// - Parameter rawValue: Lower-case words.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file's first bytes.
    public static let bytes = Source(rawValue: "bytes")
    /// The `Content-Type` of the answer.
    public static let mimeType = Source(rawValue: "content-type")
    /// What the payload says.
    public static let sender = Source(rawValue: "payload")
    /// The file name extension in the URL's path.
    public static let pathExtension = Source(rawValue: "url path")
    /// The file name extension in a value of the URL's query, `filename=` before others.
    public static let query = Source(rawValue: "url query")
  }

  /// What the file is; it may be a type that iOS does not show.
  public let type: MediaType
  /// What decided.
  public let source: Source

  /// The types without a beginning of their own: layers and streams that may be cut anywhere, and boxes
  /// in any order.
  private static let mayBeginAnyhow: Set<MediaType> = [.mp3, .mpeg, .mpeg2, .quickTime]

  /// Decides what a file is.
  ///
  /// `nil` where the bytes are of no known type and nothing else tells one that they could be; also
  /// for an empty file.
  ///
  /// - Parameters:
  ///   - head: The file's first ``MediaType/signatureLength`` bytes, or all of a shorter file.
  ///   - mimeType: The `Content-Type` of the answer.
  ///   - declared: What the payload says.
  ///   - url: The URL that was asked for, or a file's name.
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
    for case (let source, let type?) in claims where Self.mayBeginAnyhow.contains(type) {
      self.type = type
      self.source = source
      return
    }
    return nil
  }
}

extension MediaType {
  /// The type that the extension in a URL's path means.
  package init?(urlPath url: String) { self.init(fileName: URLParts(url).path) }

  fileprivate init?(fileName: some StringProtocol) {
    let name = fileName.split(separator: "/").last.map { String($0) } ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    self.init(pathExtension: String(name[name.index(after: dot)...]))
  }
}

/// A URL cut into path and query, whatever it is; Foundation's parser refuses what senders write.
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
