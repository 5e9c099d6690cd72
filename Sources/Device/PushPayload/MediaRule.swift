/// The keys under which a dialect describes media.
///
/// A string literal is the path of a URL that the payload does not describe further.
public struct MediaRule: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The path of the items: objects, or the URLs themselves.
  public var item: PayloadPath
  /// The path of the URL within an item; empty if the item is the URL.
  public var url: PayloadPath
  /// The path of the identifier within an item; if it is `nil`, the identifier is the key that `{}` or `#` matched.
  public var identifier: PayloadPath?
  /// The field that declares the type; `nil` if no field does.
  public var type: TypeField?
  /// The family that the key's name implies; `nil` if it implies no family.
  public var family: MediaType.Family?
  /// The paths of other URLs of the same file, which are tried if the first fails.
  public var alternatives: [PayloadPath]
  /// The path of the link that a tap opens if an alternative is shown.
  public var alternativeDeepLink: PayloadPath?
  /// The paths of pictures that may replace the file.
  public var posters: [PayloadPath]
  /// The path of the SHA-256 of the file at ``url``; alternatives and posters are not checked against it.
  public var sha256: PayloadPath?
  /// The paths of the thumbnail's options; `nil` if the payload has no such options.
  public var thumbnail: ThumbnailRule?
  /// A condition that payloads must meet for this rule; `nil` if the rule applies to all.
  public var condition: Signature?

  /// Makes a rule.
  ///
  /// All paths except `item` begin at the item, and those that start with `$.` at the top.
  ///
  /// - Parameters:
  ///   - item: The path of the items.
  ///   - url: The path of the URL within an item.
  ///   - identifier: The path of the identifier within an item.
  ///   - type: The field that declares the type.
  ///   - family: The family that the key's name implies.
  ///   - alternatives: The paths of other URLs of the same file.
  ///   - alternativeDeepLink: The path of the link that a tap opens if an alternative is shown.
  ///   - posters: The paths of pictures that may replace the file.
  ///   - sha256: The path of the file's SHA-256.
  ///   - thumbnail: The paths of the thumbnail's options.
  ///   - condition: A condition that payloads must meet for this rule.
  public init(
    _ item: PayloadPath, url: PayloadPath = "", identifier: PayloadPath? = nil,
    type: TypeField? = nil, family: MediaType.Family? = nil, alternatives: [PayloadPath] = [],
    alternativeDeepLink: PayloadPath? = nil, posters: [PayloadPath] = [],
    sha256: PayloadPath? = nil, thumbnail: ThumbnailRule? = nil, if condition: Signature? = nil
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
    self.condition = condition
  }

  /// Makes a rule from the path of a URL.
  ///
  /// - Parameter text: As ``PayloadPath/init(_:)``.
  public init(stringLiteral text: String) { self.init(PayloadPath(text)) }

  /// Makes the rule for a URL whose key says that it is a picture.
  ///
  /// - Parameters:
  ///   - item: The path of the URL.
  ///   - condition: A condition that payloads must meet for this rule.
  /// - Returns: The rule.
  public static func image(_ item: PayloadPath, if condition: Signature? = nil) -> MediaRule {
    MediaRule(item, family: .image, if: condition)
  }

  /// Makes the rule for a URL whose key says that it is a movie.
  ///
  /// - Parameter item: The path of the URL.
  /// - Returns: The rule.
  public static func movie(_ item: PayloadPath) -> MediaRule { MediaRule(item, family: .movie) }
}

/// A field in which the sender declares the type of a media file.
///
/// Vendors write a file extension, a class of media or an identifier. Fields that name a layout (WebEngage's
/// `style`, CleverTap's `pt_id`) say nothing about the type and are not read.
public struct TypeField: Hashable, Sendable {
  /// The paths of the word; the first that has a value counts.
  public var paths: [PayloadPath]
  let vocabulary: Vocabulary

  enum Vocabulary: Hashable, Sendable { case suffix, mediaClass, identifier, any }

  /// A field with a file name extension: `jpg`, `.jpg`.
  ///
  /// - Parameter paths: The paths of the word, the preferred first.
  /// - Returns: The field.
  public static func suffix(_ paths: PayloadPath...) -> TypeField {
    TypeField(paths: paths, vocabulary: .suffix)
  }

  /// A field with a class of media: `image`, `video`, `audio`, `gif`.
  ///
  /// - Parameter paths: The paths of the word, the preferred first.
  /// - Returns: The field.
  public static func mediaClass(_ paths: PayloadPath...) -> TypeField {
    TypeField(paths: paths, vocabulary: .mediaClass)
  }

  /// A field with a Uniform Type Identifier or a MIME type: `public.jpeg`, `image/jpeg`.
  ///
  /// - Parameter paths: The paths of the word, the preferred first.
  /// - Returns: The field.
  public static func identifier(_ paths: PayloadPath...) -> TypeField {
    TypeField(paths: paths, vocabulary: .identifier)
  }

  /// A field with any of these.
  ///
  /// - Parameter paths: The paths of the word, the preferred first.
  /// - Returns: The field.
  public static func any(_ paths: PayloadPath...) -> TypeField {
    TypeField(paths: paths, vocabulary: .any)
  }
}

/// The keys under which a dialect describes the thumbnail.
public struct ThumbnailRule: Hashable, Sendable {
  /// The path of `true` or `false`: whether the thumbnail is hidden.
  public var hidden: PayloadPath?
  /// The path of an object with `x`, `y`, `width` and `height`, each from 0 to 1.
  public var crop: PayloadPath?
  /// The path of the time of a movie's frame, in seconds.
  public var time: PayloadPath?
  /// The path of the identifier of the one item that has a thumbnail; the thumbnails of the others are hidden.
  public var chosen: PayloadPath?

  /// Makes a rule.
  ///
  /// - Parameters:
  ///   - hidden: The path of `true` or `false`: whether the thumbnail is hidden.
  ///   - crop: The path of the part of the picture.
  ///   - time: The path of the time of a movie's frame.
  ///   - chosen: The path of the identifier of the one item that has a thumbnail.
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
