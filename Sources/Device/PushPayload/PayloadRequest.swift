/// The content that a payload asks for besides its `aps` dictionary: media, texts, buttons, a category, a link.
///
/// A ``Dialect`` reads it from the keys of one vendor, so that the code that uses it does not depend on a vendor.
public struct PayloadRequest: Hashable, Sendable {
  /// The dialect that the payload was read with.
  public var dialect: Dialect.ID
  /// The media to attach, in the order of the payload.
  public var media: [RichMedia] = []
  /// The text that replaces the body if the media cannot be shown.
  public var alternativeText: String?
  /// The text that replaces the title.
  public var title: String?
  /// The text that replaces the subtitle.
  public var subtitle: String?
  /// The text that replaces the body.
  public var body: String?
  /// The path of ``title`` in the payload.
  public var titlePath: PayloadPath?
  /// The path of ``subtitle`` in the payload.
  public var subtitlePath: PayloadPath?
  /// The path of ``body`` in the payload.
  public var bodyPath: PayloadPath?
  /// Whether ``title``, ``subtitle`` and ``body`` apply only if media are shown, as Swrve defines them.
  public var textNeedsMedia = false
  /// The buttons that the payload describes.
  public var buttons: [RichButton] = []
  /// The rule for ``buttons`` if the payload names a category in `aps.category`.
  public var buttonsBesideCategory = ButtonsBesideCategory.dropped
  /// The category that the vendor's keys name, besides `aps.category`.
  public var category: String?
  /// The link that a tap opens: a URL, or a text that the vendor's library interprets.
  public var deepLink: String?
  /// The vendor's identifier of the message, for receipts.
  public var messageID: String?
  /// The change of the badge that the vendor's keys describe, besides `aps.badge`.
  public var badge: BadgeChange?
  /// The values that the dialect found but could not use, because of a wrong type or a wrong range.
  public var findings: [PayloadFinding] = []

  /// Makes a request for nothing.
  ///
  /// - Parameter dialect: The dialect that the payload was read with.
  public init(dialect: Dialect.ID) { self.dialect = dialect }

  /// Whether it changes nothing that a person would see.
  public var isEmpty: Bool {
    media.isEmpty && title == nil && subtitle == nil && body == nil && alternativeText == nil
      && buttons.isEmpty && category == nil && badge == nil
  }
}

/// A change of the badge, the number on the app's icon.
public enum BadgeChange: Hashable, Sendable {
  /// The badge becomes this number.
  case set(Int)
  /// The badge grows by this number, which may be negative; it never falls below 0.
  case add(Int)
}

/// A media file to attach, with the files that may replace it.
public struct RichMedia: Hashable, Sendable {
  /// The identifier that the payload gives it: a key, or Airship's `url_id`; empty if it gives none.
  public var identifier = ""
  /// The file that the payload asks for.
  public var wanted: MediaReference
  /// The files to try if ``wanted`` fails, in this order: other URLs of the same file, then a smaller
  /// file, such as the poster of a movie.
  public var alternatives: [MediaReference] = []
  /// The options of the thumbnail.
  public var thumbnail = ThumbnailOptions()

  /// Makes a media file without alternatives.
  ///
  /// - Parameter wanted: The file that the payload asks for.
  public init(_ wanted: MediaReference) { self.wanted = wanted }
}

/// The URL of a media file, with the payload's description of the file.
public struct MediaReference: Hashable, Sendable {
  /// An `https:` URL, or the name of a local file: `file://movie.mp4`, `movie.mp4`.
  public var url: String
  /// The path of the URL in the payload.
  public var path: PayloadPath
  /// The type that the payload declares.
  public var declaredType: MediaType?
  /// The family that the payload declares, or that the key's name implies.
  public var declaredFamily: MediaType.Family?
  /// The SHA-256 that the file must have, in lower case; `nil` if the payload gives no hash.
  ///
  /// A value that is not 64 hexadecimal digits is reported in ``PayloadRequest/findings`` and kept here. Compare
  /// the text as it is: no file matches it.
  public var sha256: String?
  /// The link that a tap opens if this file is shown; `nil` uses ``PayloadRequest/deepLink``.
  public var deepLink: String?

  /// Makes a reference.
  ///
  /// - Parameters:
  ///   - url: A URL, or the name of a local file.
  ///   - path: The path of the URL in the payload.
  ///   - declaredFamily: The family that the payload declares.
  public init(url: String, path: PayloadPath, declaredFamily: MediaType.Family? = nil) {
    self.url = url
    self.path = path
    self.declaredFamily = declaredFamily
  }
}

/// The options of an attachment's thumbnail.
///
/// Source: Apple, `UNNotificationAttachmentOptionsThumbnailHiddenKey`,
/// `UNNotificationAttachmentOptionsThumbnailClippingRectKey` and
/// `UNNotificationAttachmentOptionsThumbnailTimeKey`.
public struct ThumbnailOptions: Hashable, Sendable {
  /// Whether the thumbnail is hidden; `nil` for the system's default.
  public var isHidden: Bool?
  /// The part of the picture that is the thumbnail; `nil` for all of it.
  public var clippingRect: UnitRect?
  /// The time of the movie's frame that is the thumbnail, in seconds; `nil` for the system's choice.
  public var time: Double?

  /// Makes options that leave everything to the system.
  public init() {}
}

/// A rectangle within a picture, in fractions of the picture's width and height.
public struct UnitRect: Hashable, Sendable {
  /// The left edge.
  public let x: Double
  /// The upper edge.
  public let y: Double
  /// The width.
  public let width: Double
  /// The height.
  public let height: Double

  /// Makes a rectangle; `nil` if a number is out of range.
  ///
  /// - Parameters:
  ///   - x: The left edge, from 0 to 1.
  ///   - y: The upper edge, from 0 to 1.
  ///   - width: The width, more than 0 and at most 1.
  ///   - height: The height, more than 0 and at most 1.
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
  /// The action identifier that the app gets when the button is tapped; unique within the notification.
  public var identifier: String
  /// The button's title.
  public var title: String
  /// The URL that a tap opens.
  public var url: String?
  /// Whether it is drawn as a destructive action.
  public var isDestructive = false
  /// Whether a tap opens the app.
  public var opensApp = true
  /// Whether the device must be unlocked first.
  public var requiresUnlock = false
  /// The text field that a tap opens; `nil` if a tap opens no text field.
  public var textInput: TextInput?
  /// The button's icon; `nil` if the button has no icon.
  public var icon: Icon?

  /// A text field that a button opens.
  public struct TextInput: Hashable, Sendable {
    /// The title of the button that sends the text.
    public var buttonTitle: String
    /// The placeholder of the empty field.
    public var placeholder: String

    /// Makes a text field.
    ///
    /// - Parameters:
    ///   - buttonTitle: The title of the button that sends the text.
    ///   - placeholder: The placeholder of the empty field.
    public init(buttonTitle: String = "", placeholder: String = "") {
      self.buttonTitle = buttonTitle
      self.placeholder = placeholder
    }
  }

  /// An icon of a button.
  public struct Icon: Hashable, Sendable {
    /// The name of an SF Symbol, or of an image in the app's bundle.
    public var name: String
    /// Whether the name is that of an SF Symbol.
    public var isSystem: Bool

    /// Makes an icon.
    ///
    /// - Parameters:
    ///   - name: The name of the symbol or image.
    ///   - isSystem: Whether it is an SF Symbol.
    public init(name: String, isSystem: Bool) {
      self.name = name
      self.isSystem = isSystem
    }
  }

  /// Makes a button that opens the app.
  ///
  /// - Parameters:
  ///   - identifier: The action identifier that the app gets when the button is tapped.
  ///   - title: The button's title.
  ///   - url: The URL that a tap opens.
  public init(identifier: String, title: String, url: String? = nil) {
    self.identifier = identifier
    self.title = title
    self.url = url
  }
}
