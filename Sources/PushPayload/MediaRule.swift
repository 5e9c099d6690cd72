/// Where a dialect keeps media, and what it says of them.
///
/// A literal text is the path of a URL, of which nothing more is known.
public struct MediaRule: Hashable, Sendable, ExpressibleByStringLiteral {
  /// Where the items stand: objects, or the URLs themselves.
  public var item: PayloadPath
  /// Where an item holds its URL; empty where the item is the URL.
  public var url: PayloadPath
  /// Where an item holds its name; by default the key of an item of `{}` or `#` is its name.
  public var identifier: PayloadPath?
  /// Where the sender says of which type it is, and in which words.
  public var type: TypeField?
  /// The family that the key's name implies.
  public var family: MediaType.Family?
  /// Where other addresses of the same stand, tried where the first fails.
  public var alternatives: [PayloadPath]
  /// Where the link stands that a tap follows where an alternative is shown.
  public var alternativeDeepLink: PayloadPath?
  /// Where pictures stand that may stand in for it.
  public var posters: [PayloadPath]
  /// Where the SHA-256 of the file at ``url`` stands; it says nothing of the stand-ins.
  public var sha256: PayloadPath?
  /// Where options of the thumbnail stand.
  public var thumbnail: ThumbnailRule?

  /// Describes a place of media.
  ///
  /// All paths but `item` begin at the item, those with `$.` at the top.
  ///
  /// - Parameters:
  ///   - item: Where the items stand.
  ///   - url: Where an item holds its URL.
  ///   - identifier: Where an item holds its name.
  ///   - type: Where the sender says of which type it is.
  ///   - family: The family that the key's name implies.
  ///   - alternatives: Where other addresses of the same stand.
  ///   - alternativeDeepLink: Where the link stands that a tap follows where an alternative is shown.
  ///   - posters: Where pictures stand that may stand in for it.
  ///   - sha256: Where the file's SHA-256 stands.
  ///   - thumbnail: Where options of the thumbnail stand.
  public init(
    _ item: PayloadPath, url: PayloadPath = "", identifier: PayloadPath? = nil,
    type: TypeField? = nil, family: MediaType.Family? = nil, alternatives: [PayloadPath] = [],
    alternativeDeepLink: PayloadPath? = nil, posters: [PayloadPath] = [],
    sha256: PayloadPath? = nil, thumbnail: ThumbnailRule? = nil
  ) {
    self.item = item
    self.url = url
    self.identifier = identifier
    self.type = type
    self.family = family
    self.alternatives = alternatives
    self.alternativeDeepLink = alternativeDeepLink
    self.posters = posters
    self.sha256 = sha256
    self.thumbnail = thumbnail
  }

  /// Reads the path of a URL.
  ///
  /// - Parameter text: As ``PayloadPath/init(_:)``.
  public init(stringLiteral text: String) { self.init(PayloadPath(text)) }

  /// A URL whose key says that it leads to a picture.
  ///
  /// - Parameter item: Where the URL stands.
  /// - Returns: The rule.
  public static func image(_ item: PayloadPath) -> MediaRule { MediaRule(item, family: .image) }

  /// A URL whose key says that it leads to a film.
  ///
  /// - Parameter item: Where the URL stands.
  /// - Returns: The rule.
  public static func movie(_ item: PayloadPath) -> MediaRule { MediaRule(item, family: .movie) }
}

/// Where a sender says of which type a media file is.
///
/// Vendors mean four things by such a field. The fourth, how a template lays the notification out
/// (WebEngage's `style`, CleverTap's `pt_id`), says nothing of the type and is not read.
public struct TypeField: Hashable, Sendable {
  /// Where the word stands, the first that holds one counts.
  public var paths: [PayloadPath]
  let meaning: Meaning

  enum Meaning: Hashable, Sendable { case suffix, mediaClass, identifier, any }

  /// A file name extension: `jpg`, `.jpg`.
  ///
  /// - Parameter paths: Where it stands.
  /// - Returns: The field.
  public static func suffix(_ paths: PayloadPath...) -> TypeField {
    TypeField(paths: paths, meaning: .suffix)
  }

  /// A class of media: `image`, `video`, `audio`, `gif`.
  ///
  /// - Parameter paths: Where it stands.
  /// - Returns: The field.
  public static func mediaClass(_ paths: PayloadPath...) -> TypeField {
    TypeField(paths: paths, meaning: .mediaClass)
  }

  /// A Uniform Type Identifier or a MIME type: `public.jpeg`, `image/jpeg`.
  ///
  /// - Parameter paths: Where it stands.
  /// - Returns: The field.
  public static func identifier(_ paths: PayloadPath...) -> TypeField {
    TypeField(paths: paths, meaning: .identifier)
  }

  /// Any of these.
  ///
  /// - Parameter paths: Where it stands.
  /// - Returns: The field.
  public static func any(_ paths: PayloadPath...) -> TypeField {
    TypeField(paths: paths, meaning: .any)
  }
}

/// Where a dialect keeps options of a thumbnail.
public struct ThumbnailRule: Hashable, Sendable {
  /// Where it stands whether there is none.
  public var hidden: PayloadPath?
  /// Where an object with `x`, `y`, `width` and `height`, each from 0 to 1, stands.
  public var crop: PayloadPath?
  /// Where the second of a film stands.
  public var time: PayloadPath?
  /// Where the name of the one item stands that gives the thumbnail; the others get none.
  public var chosen: PayloadPath?

  /// Describes thumbnail options.
  ///
  /// - Parameters:
  ///   - hidden: Where it stands whether there is none.
  ///   - crop: Where the part of the picture stands.
  ///   - time: Where the second of a film stands.
  ///   - chosen: Where the name of the one item stands that gives the thumbnail.
  public init(
    hidden: PayloadPath? = nil, crop: PayloadPath? = nil, time: PayloadPath? = nil,
    chosen: PayloadPath? = nil
  ) {
    self.hidden = hidden
    self.crop = crop
    self.time = time
    self.chosen = chosen
  }
}
