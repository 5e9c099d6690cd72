/// A type that the system declares: the types it conforms to, and its tags, the preferred ones first.
struct TypeDeclaration: Sendable {
  let identifier: String
  let parents: [String]
  let extensions: [String]
  let mimeTypes: [String]

  init(
    _ identifier: String, conformsTo parents: [String], extensions: [String] = [],
    mimeTypes: [String] = []
  ) {
    self.identifier = identifier
    self.parents = parents
    self.extensions = extensions
    self.mimeTypes = mimeTypes
  }

  /// All declarations by identifier.
  static let all: [String: TypeDeclaration] = Dictionary(
    uniqueKeysWithValues: (documents + media).map { ($0.identifier, $0) })

  /// The identifiers of a tag's types, in the order of the table.
  static func identifiers(of tag: String, tagClass: UTTagClass) -> [String] {
    let tag = tag.lowercased()
    return (documents + media).filter { $0.tags(of: tagClass).contains(tag) }.map(\.identifier)
  }

  /// The tags of a class; empty for a class other than extensions and MIME types.
  func tags(of tagClass: UTTagClass) -> [String] {
    switch tagClass {
    case .filenameExtension: extensions
    case .mimeType: mimeTypes
    default: []
    }
  }
}
