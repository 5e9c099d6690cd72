/// The keys under which one vendor describes media, texts and buttons: data, not code.
///
/// ```swift
/// let id = Dialect.ID(rawValue: "weather")
/// let dialect = Dialect(id, signature: ["radar"], media: [.image("radar.map.url")]) {
///   $0.title = ["radar.headline"]
///   $0.deepLink = ["radar.link"]
/// }
/// let request = dialect.read(["radar": ["map": ["url": "https://example.com/map.png"]]])
/// ```
///
/// A payload belongs to a dialect where it matches any ``signature``. `null`, an empty string and a value of a
/// wrong type count as absent; the last is reported in ``PayloadRequest/findings``.
public struct Dialect: Hashable, Sendable {
  /// The name of a dialect in traces and reports.
  public struct ID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name: `sailthru`.
    public let rawValue: String

    /// Makes a name.
    ///
    /// - Parameter rawValue: A lower-case word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }
  }

  /// The most media files that are read from a payload; the first beyond it is reported as a finding.
  public static let maximumMedia = 10
  /// The most buttons that are read from a payload, which is also the most that iOS draws.
  public static let maximumButtons = 10

  /// The dialect's name.
  public var id: ID
  /// The conditions that show that a payload belongs to this dialect; one is enough.
  public var signature: [Signature]
  /// The paths of the objects in which the vendor's keys may be, the preferred first; by default the top.
  public var roots: [PayloadPath] = [""]
  /// The rules for media, the preferred first; the first that finds any is used.
  public var media: [MediaRule]
  /// The paths of the text that replaces the body where the media cannot be shown.
  public var alternativeText: [PayloadPath] = []
  /// The paths of the text that replaces the title.
  public var title: [PayloadPath] = []
  /// The paths of the text that replaces the subtitle.
  public var subtitle: [PayloadPath] = []
  /// The paths of the text that replaces the body.
  public var body: [PayloadPath] = []
  /// Whether ``title``, ``subtitle`` and ``body`` apply only where media are shown.
  public var textNeedsMedia = false
  /// The rules for buttons, the preferred first; the first that finds any is used.
  public var buttons: [ButtonRule] = []
  /// The paths of a category besides `aps.category`.
  public var category: [PayloadPath] = []
  /// The paths of the link that a tap opens.
  public var deepLink: [PayloadPath] = []
  /// The paths of the vendor's identifier of the message.
  public var messageID: [PayloadPath] = []
  /// The rules for the badge, the preferred first; the first that finds a number is used.
  public var badge: [BadgeRule] = []

  /// Makes a dialect.
  ///
  /// - Parameters:
  ///   - id: The dialect's name.
  ///   - signature: The conditions that show that a payload belongs to it; by default a value at the path of
  ///     any of the media rules.
  ///   - media: The rules for media, the preferred first.
  ///   - configure: Sets the other properties.
  public init(
    _ id: ID, signature: [Signature]? = nil, media: [MediaRule] = [],
    configure: (inout Dialect) -> Void = { _ in }
  ) {
    self.id = id
    self.signature = signature ?? media.map { .present($0.item) }
    self.media = media
    configure(&self)
  }
}
