public import Foundation

/// The option that names a file's type, as a Uniform Type Identifier.
public let UNNotificationAttachmentOptionsTypeHintKey = "typeHint"
/// The option that hides the thumbnail.
public let UNNotificationAttachmentOptionsThumbnailHiddenKey = "thumbnailHidden"
/// The option that says which part of the picture is the thumbnail: a dictionary of a unit rectangle.
public let UNNotificationAttachmentOptionsThumbnailClippingRectKey = "thumbnailClippingRect"
/// The option that says which frame is the thumbnail.
public let UNNotificationAttachmentOptionsThumbnailTimeKey = "thumbnailTime"

/// Apple's `UNNotificationAttachment`: a file that a notification shows.
///
/// The type is the type hint, or what the file's extension means; bytes are not looked at. A missing
/// file and a URL that is no file URL throw code 100 here, as the documentation has it. Objects are
/// compared by value.
public final class UNNotificationAttachment: NSObject, NSCopying, NSSecureCoding {
  /// What names it within its notification.
  public let identifier: String
  /// Where the file lies.
  public let url: URL
  /// The file's type, a Uniform Type Identifier.
  public let type: String
  /// The options as they were given.
  ///
  /// The host reads them, an app cannot.
  @_spi(Host) public let options: [AnyHashable: Any]

  /// Makes one without a look at its file, as it comes from another process.
  @_spi(Host) public init(
    identifier: String, url: URL, type: String, options: [AnyHashable: Any]
  ) {
    self.identifier = identifier
    self.url = url
    self.type = type
    self.options = options
  }

  /// Makes an attachment from a file.
  ///
  /// - Parameters:
  ///   - identifier: What names it; an empty string makes one.
  ///   - URL: A file that this process can read.
  ///   - options: Keys of `UNNotificationAttachmentOptions…Key`; a value of a wrong class is ignored.
  /// - Throws: ``UNError`` 100 for an unusable URL, 101 for an unsupported type, 102 for a size over
  ///   the type's limit.
  public convenience init(
    identifier: String, url URL: URL, options: [AnyHashable: Any]? = nil
  ) throws {
    let path = URL.path(percentEncoded: false)
    let isReadable = URL.isFileURL && FileManager.default.isReadableFile(atPath: path)
    guard isReadable || !UNWorld.current.checksFileAtInit else {
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

  /// Reads an archived attachment, without a look at its file.
  ///
  /// - Parameter coder: The archive.
  public required convenience init?(coder: NSCoder) {
    guard let identifier = coder.text("identifier"), let type = coder.text("type"),
      let url = coder.text("url").flatMap(URL.init(string:))
    else { return nil }
    self.init(
      identifier: identifier, url: url, type: type, options: coder.dictionary("options"))
  }

  /// Writes the attachment, and not its file, to an archive.
  ///
  /// - Parameter coder: The archive.
  public func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(url.absoluteString, forKey: "url")
    coder.encode(type, forKey: "type")
    coder.encode(NSDictionary(dictionary: options), forKey: "options")
  }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Whether another object is an attachment of the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationAttachment else { return false }
    return other.identifier == identifier && other.url == url && other.type == type
      && holdSame(other.options, options)
  }

  /// The same for equal attachments.
  public override var hash: Int { identifier.hashValue }

  /// The attachment itself, which cannot change.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// The same attachment with its file in another place, as the system moves it.
  @_spi(Host) public func moved(to url: URL) -> UNNotificationAttachment {
    UNNotificationAttachment(identifier: identifier, url: url, type: type, options: options)
  }
}
