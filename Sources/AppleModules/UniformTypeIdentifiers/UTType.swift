/// Apple's `UTType`, a type of data that is named by a uniform type identifier.
///
/// The types and tags are those of a table of media and documents; see `docs/app/modules-on-linux.md`. A tag that is not in
/// the table leads to a dynamic type, whose identifier begins with `dyn.`, as on Apple's systems.
///
/// Source: Apple, `UTType`.
public struct UTType: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// The uniform type identifier.
  public let identifier: String

  /// Creates a type of the table.
  init(known identifier: String) { self.identifier = identifier }

  /// Creates a declared or dynamic type; `nil` if the identifier is neither.
  ///
  /// - Parameter identifier: The identifier.
  public init?(_ identifier: String) {
    guard TypeDeclaration.all[identifier] != nil || DynamicType(identifier: identifier) != nil
    else { return nil }
    self.identifier = identifier
  }

  /// Creates the table's type for a path extension, or a dynamic type if the table does not have the extension.
  ///
  /// - Parameters:
  ///   - filenameExtension: The extension, without the dot, in any case.
  ///   - supertype: A type that the result conforms to.
  public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
    self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
  }

  /// Creates the table's type for a MIME type, or a dynamic type if the table does not have the MIME type.
  ///
  /// - Parameters:
  ///   - mimeType: The MIME type, in any case, without parameters.
  ///   - supertype: A type that the result conforms to.
  public init?(mimeType: String, conformingTo supertype: UTType = .data) {
    self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
  }

  /// Creates the table's type for a tag, or a dynamic type if the table does not have the tag.
  ///
  /// - Parameters:
  ///   - tag: The tag.
  ///   - tagClass: The class of the tag.
  ///   - supertype: A type that the result conforms to; `nil` allows any type.
  public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
    let known = Self.types(tag: tag, tagClass: tagClass, conformingTo: supertype).first
    let dynamic = DynamicType(
      parents: supertype.map { [$0.identifier] } ?? [], tagClass: tagClass, tag: tag)
    identifier = known?.identifier ?? dynamic.identifier
  }

  /// Creates a type that the app declares as its own.
  ///
  /// - Parameters:
  ///   - identifier: The identifier.
  ///   - parentType: Ignored on Linux, where no Info.plist declares the type.
  public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.identifier = identifier
  }

  /// Creates a type that belongs to another app and that this app declares too.
  ///
  /// - Parameters:
  ///   - identifier: The identifier.
  ///   - parentType: Ignored on Linux, where no Info.plist declares the type.
  public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.identifier = identifier
  }

  /// The types of a tag.
  ///
  /// - Parameters:
  ///   - tag: The tag.
  ///   - tagClass: The class of the tag.
  ///   - supertype: A type that the results conform to; `nil` allows any type.
  /// - Returns: The types of the table, the preferred one first.
  public static func types(
    tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?
  ) -> [UTType] {
    TypeDeclaration.identifiers(of: tag, tagClass: tagClass).map(UTType.init(known:))
      .filter { type in supertype.map { type.conforms(to: $0) } ?? true }
  }

  /// The identifier.
  public var description: String { identifier }
  /// The identifier.
  public var debugDescription: String { identifier }
}

extension UTType: Codable {
  /// Decodes an identifier.
  ///
  /// - Parameter decoder: The decoder.
  /// - Throws: An error of the decoder.
  public init(from decoder: any Decoder) throws {
    identifier = try decoder.singleValueContainer().decode(String.self)
  }

  /// Encodes the identifier.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: An error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(identifier)
  }
}
