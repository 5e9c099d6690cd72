/// Apple's `UTTagClass`, a class of tags that lead to a type.
///
/// Source: Apple, `UTTagClass`.
public struct UTTagClass: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The class's identifier.
  public let rawValue: String

  /// Creates a class.
  ///
  /// - Parameter rawValue: The class's identifier.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Path extensions, without the dot.
  public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")
  /// MIME types.
  public static let mimeType = UTTagClass(rawValue: "public.mime-type")

  /// The class's identifier.
  public var description: String { rawValue }
}
