/// A type of file: its names, its family, and whether iOS attaches such files to a notification.
///
/// ```swift
/// let type = MediaType(pathExtension: "jpg")  // MediaType.jpeg
/// let gif = MediaType(signature: Array("GIF89a".utf8))  // MediaType.gif
/// print(MediaType.png.family.maximumBytes)  // 10000000
/// ```
///
/// Source: Apple, `UNNotificationAttachment`, the table of supported file types. The identifiers are Uniform Type
/// Identifiers.
public struct MediaType: Hashable, Sendable {
  /// A family of types, which decides how large an attachment may be.
  public struct Family: Hashable, Sendable, CustomStringConvertible {
    /// The family's name: `image`.
    public let description: String
    /// The largest attachment in bytes.
    ///
    /// A megabyte counts as 1,000,000 bytes, the smaller of its two meanings,
    /// because Apple does not say which one applies.
    public let maximumBytes: Int

    /// Sounds: attachments of up to 5 MB.
    public static let audio = Family(description: "audio", maximumBytes: 5_000_000)
    /// Pictures, still or animated: attachments of up to 10 MB.
    public static let image = Family(description: "image", maximumBytes: 10_000_000)
    /// Movies: attachments of up to 50 MB.
    public static let movie = Family(description: "movie", maximumBytes: 50_000_000)
    /// Types that a notification cannot show.
    public static let other = Family(description: "other", maximumBytes: 0)
  }

  /// The Uniform Type Identifier: `public.jpeg`.
  public let identifier: String
  /// The family of the type.
  public let family: Family
  /// The file name extension that the system prefers, without a dot.
  public let preferredExtension: String
  /// The file name extensions of this type, in lower case.
  public let extensions: [String]
  /// The MIME types of this type, in lower case, without parameters.
  public let mimeTypes: [String]

  /// Whether iOS attaches files of this type.
  public var isSupported: Bool { family != .other }

  init(
    _ identifier: String, _ family: Family, extensions: [String], mimeTypes: [String]
  ) {
    self.identifier = identifier
    self.family = family
    self.preferredExtension = extensions[0]
    self.extensions = extensions
    self.mimeTypes = mimeTypes
  }
}

extension MediaType {
  /// Finds the type of a file name extension; `nil` if the extension is unknown.
  ///
  /// - Parameter pathExtension: The extension without a dot, in any case.
  public init?(pathExtension: String) {
    let name = pathExtension.lowercased()
    guard let type = Self.all.first(where: { $0.extensions.contains(name) }) else { return nil }
    self = type
  }

  /// Finds the type of a `Content-Type` header; `nil` if the media type is unknown.
  ///
  /// - Parameter mimeType: The header's value; case and parameters are ignored.
  public init?(mimeType: String) {
    let name = mimeType.prefix { $0 != ";" && !$0.isWhitespace }.lowercased()
    guard let type = Self.all.first(where: { $0.mimeTypes.contains(name) }) else { return nil }
    self = type
  }

  /// Finds the type with a Uniform Type Identifier; `nil` if the identifier is unknown.
  ///
  /// - Parameter identifier: The identifier; case matters.
  public init?(identifier: String) {
    // Apple's table documents this name of MPEG-4 audio, which has no file name extension of its own.
    let name = identifier == "public.mpeg-4-audio" ? Self.m4a.identifier : identifier
    guard let type = Self.all.first(where: { $0.identifier == name }) else { return nil }
    self = type
  }
}
