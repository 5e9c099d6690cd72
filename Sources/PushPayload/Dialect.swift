/// How one vendor writes rich content into a payload: data, not code.
///
/// A vendor is known by its signature before any generic key is read. All readers treat `null`, an
/// empty string and a value of a wrong type as absent.
public struct Dialect: Hashable, Sendable {
  /// The dialect's name in traces and reports.
  public struct ID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name: `sailthru`.
    public let rawValue: String

    /// Names a dialect.
    ///
    /// - Parameter rawValue: A lower-case word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }
  }

  /// Its name.
  public var id: ID
  /// The paths that show it: any of them present, with any value but `null`, is enough.
  public var signature: [PayloadPath]
  /// Where media URLs stand, the preferred first; the first that holds a URL is attached.
  public var media: [PayloadPath]
  /// Where the text stands that becomes the body when media fail.
  public var alternativeText: [PayloadPath]
  /// Where a new title stands.
  public var title: [PayloadPath]
  /// Where a new subtitle stands.
  public var subtitle: [PayloadPath]
  /// Where a new body stands.
  public var body: [PayloadPath]

  /// Describes a dialect.
  ///
  /// - Parameters:
  ///   - id: Its name.
  ///   - signature: Paths that show it; by default those of its media.
  ///   - media: Where media URLs stand, the preferred first.
  ///   - alternativeText: Where the text stands that becomes the body when media fail.
  ///   - title: Where a new title stands.
  ///   - subtitle: Where a new subtitle stands.
  ///   - body: Where a new body stands.
  public init(
    _ id: ID, signature: [PayloadPath]? = nil, media: [PayloadPath],
    alternativeText: [PayloadPath] = [], title: [PayloadPath] = [], subtitle: [PayloadPath] = [],
    body: [PayloadPath] = []
  ) {
    self.id = id
    self.signature = signature ?? media
    self.media = media
    self.alternativeText = alternativeText
    self.title = title
    self.subtitle = subtitle
    self.body = body
  }
}

extension Dialect {
  /// Reads a payload, if it has this dialect's signature.
  ///
  /// - Parameter payload: The whole payload, `aps` included.
  /// - Returns: `nil` where no path of the signature is present.
  public func read(_ payload: JSONValue) -> RichContent? {
    guard signature.contains(where: { payload[$0] != nil }) else { return nil }
    var content = RichContent(dialect: id)
    content.media =
      first(media, in: payload, &content).map { [RichMedia(MediaReference(url: $0.text, path: $0.path))] } ?? []
    content.alternativeText = first(alternativeText, in: payload, &content)?.text
    content.title = first(title, in: payload, &content)?.text
    content.subtitle = first(subtitle, in: payload, &content)?.text
    content.body = first(body, in: payload, &content)?.text
    return content
  }

  private func first(
    _ paths: [PayloadPath], in payload: JSONValue, _ content: inout RichContent
  ) -> (path: PayloadPath, text: String)? {
    for path in paths {
      guard let value = payload[path] else { continue }
      guard let text = value.string else {
        content.findings.append(
          PayloadFinding(
            code: .wrongType, path: path.description,
            message: "is \(value.typeName); it takes a string"))
        continue
      }
      if !text.isEmpty { return (path, text) }
    }
    return nil
  }
}
