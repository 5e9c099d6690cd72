/// A kind of media file: its names, its family, and whether iOS shows it in a notification.
///
/// Source: Apple, `UNNotificationAttachment`, the table of supported file types. The identifiers are
/// Uniform Type Identifiers, the names the system itself uses.
public struct MediaType: Hashable, Sendable {
  /// What a type belongs to, which decides how large a file may be.
  public struct Family: Hashable, Sendable, CustomStringConvertible {
    /// The family's name: `image`.
    public let description: String
    /// The largest attachment in bytes, counted in units of 1,000,000 so that it holds whichever
    /// megabyte Apple means.
    public let maximumBytes: Int

    /// Up to 5 MB.
    public static let audio = Family(description: "audio", maximumBytes: 5_000_000)
    /// Up to 10 MB, still or animated.
    public static let image = Family(description: "image", maximumBytes: 10_000_000)
    /// Up to 50 MB.
    public static let movie = Family(description: "movie", maximumBytes: 50_000_000)
    /// Known, but nothing that a notification shows.
    public static let other = Family(description: "other", maximumBytes: 0)
  }

  /// The Uniform Type Identifier: `public.jpeg`.
  public let identifier: String
  /// What it belongs to.
  public let family: Family
  /// The file name extension the system prefers, without a dot.
  public let preferredExtension: String
  /// Every extension that means this type, lower case.
  public let extensions: [String]
  /// Every MIME type that means this type, lower case, without parameters.
  public let mimeTypes: [String]

  /// Whether iOS attaches files of this type.
  public var isSupported: Bool { family != .other }

  init(
    _ identifier: String, _ family: Family, _ extensions: [String], _ mimeTypes: [String]
  ) {
    self.identifier = identifier
    self.family = family
    self.preferredExtension = extensions[0]
    self.extensions = extensions
    self.mimeTypes = mimeTypes
  }
}

extension MediaType {
  /// The type that a file name extension means.
  ///
  /// - Parameter pathExtension: The extension without a dot, in any case.
  public init?(pathExtension: String) {
    let name = pathExtension.lowercased()
    guard let type = Self.all.first(where: { $0.extensions.contains(name) }) else { return nil }
    self = type
  }

  /// The type that a `Content-Type` header means.
  ///
  /// - Parameter mimeType: The header's value; parameters and case do not count.
  public init?(mimeType: String) {
    let name = mimeType.prefix { $0 != ";" && !$0.isWhitespace }.lowercased()
    guard let type = Self.all.first(where: { $0.mimeTypes.contains(name) }) else { return nil }
    self = type
  }

  /// The type with a Uniform Type Identifier.
  ///
  /// - Parameter identifier: The identifier, in its own case.
  public init?(identifier: String) {
    // The documented name of MPEG-4 audio; no file name extension means it.
    let name = identifier == "public.mpeg-4-audio" ? Self.m4a.identifier : identifier
    guard let type = Self.all.first(where: { $0.identifier == name }) else { return nil }
    self = type
  }
}
