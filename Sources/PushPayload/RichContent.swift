/// What any vendor's payload means, in one vocabulary.
public struct RichContent: Hashable, Sendable {
  /// Which dialect it was read with.
  public var dialect: Dialect.ID
  /// What to attach, in the order of the payload.
  public var media: [RichMedia]
  /// What becomes the body when no media can be shown.
  public var alternativeText: String?
  /// What replaces the title.
  public var title: String?
  /// What replaces the subtitle.
  public var subtitle: String?
  /// What replaces the body.
  public var body: String?
  /// Values that stood where the dialect looks but had a wrong type; they count as absent.
  public var findings: [PayloadFinding]

  /// Makes content that asks for nothing.
  ///
  /// - Parameter dialect: Which dialect it was read with.
  public init(dialect: Dialect.ID) {
    self.dialect = dialect
    media = []
    findings = []
  }

  /// Whether it asks for anything at all.
  public var isEmpty: Bool {
    media.isEmpty && title == nil && subtitle == nil && body == nil && alternativeText == nil
  }
}

/// One thing to attach.
public struct RichMedia: Hashable, Sendable {
  /// An `https:` URL, or the name of a file in the app's bundle: `file://movie.mp4`, `movie.mp4`.
  public var url: String
  /// Where in the payload it stood.
  public var path: PayloadPath

  /// Makes one.
  ///
  /// - Parameters:
  ///   - url: A URL, or the name of a bundled file.
  ///   - path: Where in the payload it stood.
  public init(url: String, path: PayloadPath) {
    self.url = url
    self.path = path
  }
}
