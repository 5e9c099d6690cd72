public import Foundation

/// The option for the file's type, a Uniform Type Identifier.
public let UNNotificationAttachmentOptionsTypeHintKey = "typeHint"
/// The option that hides the thumbnail.
public let UNNotificationAttachmentOptionsThumbnailHiddenKey = "thumbnailHidden"
/// The option for the part of the image that is the thumbnail, a dictionary of a unit rectangle.
public let UNNotificationAttachmentOptionsThumbnailClippingRectKey = "thumbnailClippingRect"
/// The option for the frame that is the thumbnail.
public let UNNotificationAttachmentOptionsThumbnailTimeKey = "thumbnailTime"

/// Apple's `UNNotificationAttachment`, a file that a notification shows.
///
/// The type is the type hint, or else the one of the file's extension; the file's bytes are not checked. A
/// missing file or a URL that is not a file URL throws error 100, as documented. Objects are equal if their
/// values are equal.
public final class UNNotificationAttachment: NSObject, NSCopying, NSSecureCoding {
  /// The identifier within the notification.
  public let identifier: String
  /// The file's URL.
  public let url: URL
  /// The file's type, a Uniform Type Identifier.
  public let type: String
  /// The options, which only the host reads.
  @_spi(Host) public let options: [AnyHashable: Any]

  /// Creates an attachment without checking its file, for attachments from another process.
  @_spi(Host) public init(
    identifier: String, url: URL, type: String, options: [AnyHashable: Any]
  ) {
    self.identifier = identifier
    self.url = url
    self.type = type
    self.options = options
  }

  /// Creates an attachment from a file.
  ///
  /// - Parameters:
  ///   - identifier: The identifier within the notification; an empty string generates one.
  ///   - URL: The URL of a file that this process can read.
  ///   - options: Options with the keys `UNNotificationAttachmentOptions…Key`. A value of a wrong class is
  ///     ignored.
  /// - Throws: ``UNError`` 100 for an invalid URL, 101 for an unsupported type, 102 for a size over the type's
  ///   limit.
  public convenience init(
    identifier: String, url URL: URL, options: [AnyHashable: Any]? = nil
  ) throws {
    let path = URL.path(percentEncoded: false)
    let isReadable = URL.isFileURL && FileManager.default.isReadableFile(atPath: path)
    guard isReadable || !UNWorld.currentOrLast.checksFileAtInit else {
      throw UNError(.attachmentInvalidURL)
    }
    let hint = options?[UNNotificationAttachmentOptionsTypeHintKey] as? String
    guard
      let type = hint ?? UNAttachmentType.identifier(forExtension: URL.pathExtension),
      let limit = UNAttachmentType.maximumBytes(forIdentifier: type)
    else { throw UNError(.attachmentUnrecognizedType) }
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber) ?? 0
    guard size.int64Value <= limit else { throw UNError(.attachmentInvalidFileSize) }
    self.init(
      identifier: identifier.isEmpty ? UUID().uuidString : identifier, url: URL, type: type,
      options: options ?? [:])
  }

  /// Decodes an archived attachment.
  ///
  /// Its file is not checked.
  ///
  /// - Parameter coder: The coder.
  public required convenience init?(coder: NSCoder) {
    guard let identifier = coder.text("identifier"), let type = coder.text("type"),
      let url = coder.text("url").flatMap(URL.init(string:))
    else { return nil }
    self.init(
      identifier: identifier, url: url, type: type, options: coder.dictionary("options"))
  }

  /// Encodes the attachment without its file.
  ///
  /// - Parameter coder: The coder.
  public func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(url.absoluteString, forKey: "url")
    coder.encode(type, forKey: "type")
    coder.encode(NSDictionary(dictionary: options), forKey: "options")
  }

  /// Always `true`.
  public static var supportsSecureCoding: Bool { true }

  /// Whether another object is equal: with the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationAttachment else { return false }
    return other.identifier == identifier && other.url == url && other.type == type
      && holdSame(other.options, options)
  }

  /// A hash that is the same for equal attachments.
  public override var hash: Int { identifier.hashValue }

  /// Returns this object, because it is immutable.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns the attachment with another URL, after the system has moved its file.
  @_spi(Host) public func moved(to url: URL) -> UNNotificationAttachment {
    UNNotificationAttachment(identifier: identifier, url: url, type: type, options: options)
  }
}
