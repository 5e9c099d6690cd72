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
/// A payload belongs to a dialect if it has one of the vendor's own marks, or one of the keys that the vendor shares with
/// others. `null`, an empty string and a value of a wrong type count as absent. A wrong type is reported in
/// ``PayloadRequest/findings``.
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

    /// No dialect: the payload matches no signature.
    public static let none = Self(rawValue: "none")
  }

  /// The most media files that are read from a payload; the first beyond it is reported as a finding.
  public static let maximumMedia = 10
  /// The most buttons that are read from a payload, which is also the most that iOS draws.
  public static let maximumButtons = 10

  /// The dialect's name.
  public var id: ID
  /// The vendor's own marks: conditions that only this vendor's payloads meet; one is enough.
  public var signature: [Signature]
  /// The conditions that payloads of other vendors may meet too, such as a value at `image_url`; one is enough.
  ///
  /// They count only if the payload has no mark that belongs to one vendor alone.
  public var sharedSignature: [Signature] = []
  /// The paths of the objects that may hold the vendor's keys, the preferred first; by default the top.
  public var roots: [PayloadPath] = [""]
  /// The rules for media, the preferred first; the first that finds any is used.
  public var media: [MediaRule]
  /// Whether the keys of ``media`` name the vendor or its product; common words such as `image` may be the app's own.
  package var mediaKeysNameVendor = false
  /// The paths of the text that replaces the body if the media cannot be shown.
  public var alternativeText: [PayloadPath] = []
  /// The paths of the text that replaces the title.
  public var title: [PayloadPath] = []
  /// The paths of the text that replaces the subtitle.
  public var subtitle: [PayloadPath] = []
  /// The paths of the text that replaces the body.
  public var body: [PayloadPath] = []
  /// Whether ``title``, ``subtitle`` and ``body`` apply only if media are shown.
  public var textNeedsMedia = false
  /// A condition that payloads must meet before a text is replaced; `nil` if texts are always replaced.
  public var textCondition: Signature?
  /// Whether ``title`` replaces the title of `aps.alert`; if not, it applies only if the alert has no title.
  public var replacesTitle = true
  /// The rules for buttons, the preferred first; the first that finds any is used.
  public var buttons: [ButtonRule] = []
  /// Whether the media of all rules are attached, not only those of the first rule that finds any.
  public var attachesAllKinds = false
  /// Whether spaces around URLs of media are removed.
  public var trimsURLs = false
  /// The rule for the buttons of a payload with `aps.category`.
  public var buttonsBesideCategory = ButtonsBesideCategory.dropped
  /// The paths of a category besides `aps.category`.
  public var category: [PayloadPath] = []
  /// The rules for the link that a tap opens, the preferred first.
  public var deepLink: [LinkRule] = []
  /// The paths of the vendor's identifier of the message.
  public var messageID: [PayloadPath] = []
  /// The rules for the badge, the preferred first; the first that finds a number is used.
  public var badge: [BadgeRule] = []

  /// Makes a dialect.
  ///
  /// - Parameters:
  ///   - id: The dialect's name.
  ///   - signature: The vendor's own marks; by default a value at the path of any of the media rules.
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

/// The rule for the buttons of a payload that names a category in `aps.category`, as the vendor's extension applies it.
///
/// The system shows the actions of one category: that of `aps.category`, which the app has registered, or one that the
/// extension makes for the buttons.
public struct ButtonsBesideCategory: Hashable, Sendable {
  enum Rule: Hashable {
    case dropped, shown, neededForAny
    case droppedUnless(String)
  }
  let rule: Rule

  /// The app's category is kept, and the buttons are not shown.
  public static let dropped = ButtonsBesideCategory(rule: .dropped)
  /// A category for the buttons takes the place of the app's.
  public static let shown = ButtonsBesideCategory(rule: .shown)
  /// Like ``shown``, but without `aps.category` the buttons are not shown.
  public static let neededForAny = ButtonsBesideCategory(rule: .neededForAny)

  /// Like ``dropped``, but a category of the vendor's own counts as absent.
  ///
  /// - Parameter category: The vendor's category.
  /// - Returns: The rule.
  public static func droppedUnless(_ category: String) -> ButtonsBesideCategory {
    ButtonsBesideCategory(rule: .droppedUnless(category))
  }

  /// Whether the buttons are shown.
  ///
  /// - Parameter category: The value of `aps.category`; empty if the payload has none.
  /// - Returns: Whether the extension makes a category for them.
  public func showsButtons(besideCategory category: String) -> Bool {
    switch rule {
    case .dropped: category.isEmpty
    case .shown: true
    case .neededForAny: !category.isEmpty
    case .droppedUnless(let own):
      category.isEmpty || category.uppercased() == own.uppercased()
    }
  }
}
