/// What any vendor's payload means, in one vocabulary.
public struct PayloadRequest: Hashable, Sendable {
  /// Which dialect it was read with.
  public var dialect: Dialect.ID
  /// What to attach, in the order of the payload.
  public var media: [RichMedia] = []
  /// What becomes the body when media cannot be shown.
  public var alternativeText: String?
  /// What replaces the title.
  public var title: String?
  /// What replaces the subtitle.
  public var subtitle: String?
  /// What replaces the body.
  public var body: String?
  /// Whether the three texts above count only where media are shown, as Swrve means them.
  public var textNeedsMedia = false
  /// The buttons that the payload itself describes.
  public var buttons: [RichButton] = []
  /// The category that the dialect asks for beside `aps.category`.
  public var category: String?
  /// Where a tap shall lead: a URL, or what the vendor's library makes of it.
  public var deepLink: String?
  /// What the vendor calls this message, for receipts.
  public var messageID: String?
  /// What happens to the number on the icon beside `aps.badge`.
  public var badge: BadgeChange?
  /// Values that stood where the dialect looks but had a wrong type; they count as absent.
  public var findings: [PayloadFinding] = []

  /// Makes content that asks for nothing.
  ///
  /// - Parameter dialect: Which dialect it was read with.
  public init(dialect: Dialect.ID) { self.dialect = dialect }

  /// Whether it asks for anything that a person would see.
  public var isEmpty: Bool {
    media.isEmpty && title == nil && subtitle == nil && body == nil && alternativeText == nil
      && buttons.isEmpty && category == nil && badge == nil
  }
}

/// What happens to the number on the app's icon.
public enum BadgeChange: Hashable, Sendable {
  /// The number is this one.
  case set(Int)
  /// The number grows by this one, or falls; never below zero.
  case add(Int)
}

/// One thing to attach, and what may stand in for it.
public struct RichMedia: Hashable, Sendable {
  /// What names it in the payload: a key, a `url_id`; empty for none.
  public var identifier = ""
  /// What is wanted.
  public var wanted: MediaReference
  /// What is fetched where that fails, the first tried first: another address of the same, then
  /// something smaller, such as a film's poster.
  public var alternatives: [MediaReference] = []
  /// How the system draws its thumbnail.
  public var thumbnail = ThumbnailOptions()

  /// Makes one.
  ///
  /// - Parameter wanted: What is wanted.
  public init(_ wanted: MediaReference) { self.wanted = wanted }
}

/// Where one media file lies, and what the sender says of it.
public struct MediaReference: Hashable, Sendable {
  /// An `https:` URL, or the name of a local file: `file://movie.mp4`, `movie.mp4`.
  public var url: String
  /// Where in the payload it stood.
  public var path: PayloadPath
  /// The type that the sender says it has.
  public var declaredType: MediaType?
  /// The family that the sender says it belongs to, or the key's name implies.
  public var declaredFamily: MediaType.Family?
  /// The SHA-256 that the file must have, in lower case.
  ///
  /// Where the payload holds anything but 64 hexadecimal digits, that is kept here and
  /// ``PayloadRequest/findings`` say so: compare the text as it is, and no file ever matches it.
  public var sha256: String?
  /// Where a tap leads when this is what is shown; `nil` for ``PayloadRequest/deepLink``.
  public var deepLink: String?

  /// Makes one.
  ///
  /// - Parameters:
  ///   - url: A URL, or the name of a local file.
  ///   - path: Where in the payload it stood.
  ///   - declaredFamily: The family that it is said to belong to.
  public init(url: String, path: PayloadPath, declaredFamily: MediaType.Family? = nil) {
    self.url = url
    self.path = path
    self.declaredFamily = declaredFamily
  }
}

/// How the system draws an attachment's thumbnail.
///
/// Source: Apple, `UNNotificationAttachmentOptionsThumbnailClippingRectKey` and its neighbours.
public struct ThumbnailOptions: Hashable, Sendable {
  /// Whether there is none.
  public var isHidden: Bool?
  /// The part of the picture to show.
  public var clippingRect: UnitRect?
  /// The moment of a film to show, in seconds.
  public var time: Double?

  /// The system's own choice.
  public init() {}
}

/// A part of a picture in units of its width and height, from 0 to 1.
public struct UnitRect: Hashable, Sendable {
  /// The left edge.
  public let x: Double
  /// The upper edge.
  public let y: Double
  /// The width.
  public let width: Double
  /// The height.
  public let height: Double

  /// Makes one; `nil` where a number is outside its range.
  ///
  /// - Parameters:
  ///   - x: The left edge, 0…1.
  ///   - y: The upper edge, 0…1.
  ///   - width: The width, more than 0, at most 1.
  ///   - height: The height, more than 0, at most 1.
  public init?(x: Double, y: Double, width: Double, height: Double) {
    let unit = 0.0...1.0
    guard unit.contains(x), unit.contains(y), unit.contains(width), unit.contains(height),
      width > 0, height > 0
    else { return nil }
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// A button that a payload describes.
public struct RichButton: Hashable, Sendable {
  /// What the app is told when it is tapped; unique within the notification.
  public var identifier: String
  /// What is written on it.
  public var title: String
  /// Where it leads.
  public var url: String?
  /// Whether it is drawn as a warning.
  public var isDestructive = false
  /// Whether tapping it opens the app.
  public var opensApp = true
  /// Whether the phone must be unlocked first.
  public var requiresUnlock = false
  /// The text field it opens; `nil` for none.
  public var textInput: TextInput?
  /// Its picture; `nil` for none.
  public var icon: Icon?

  /// A text field that a button opens.
  public struct TextInput: Hashable, Sendable {
    /// What is written on the button that sends the text.
    public var buttonTitle: String
    /// What stands in the empty field.
    public var placeholder: String

    /// Makes one.
    ///
    /// - Parameters:
    ///   - buttonTitle: What is written on the button that sends the text.
    ///   - placeholder: What stands in the empty field.
    public init(buttonTitle: String = "", placeholder: String = "") {
      self.buttonTitle = buttonTitle
      self.placeholder = placeholder
    }
  }

  /// A button's picture.
  public struct Icon: Hashable, Sendable {
    /// The name of an SF Symbol, or of a picture in the app's bundle.
    public var name: String
    /// Whether the name is an SF Symbol's.
    public var isSystem: Bool

    /// Makes one.
    ///
    /// - Parameters:
    ///   - name: The picture's name.
    ///   - isSystem: Whether it is an SF Symbol's.
    public init(name: String, isSystem: Bool) {
      self.name = name
      self.isSystem = isSystem
    }
  }

  /// Makes a button that opens the app.
  ///
  /// - Parameters:
  ///   - identifier: What the app is told when it is tapped.
  ///   - title: What is written on it.
  ///   - url: Where it leads.
  public init(identifier: String, title: String, url: String? = nil) {
    self.identifier = identifier
    self.title = title
    self.url = url
  }
}
