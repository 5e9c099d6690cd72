extension UTType {
  /// The preferred path extension, without the dot; `nil` if the type has no extension.
  public var preferredFilenameExtension: String? { tags[.filenameExtension]?.first }

  /// The preferred MIME type; `nil` if the type has no MIME type.
  public var preferredMIMEType: String? { tags[.mimeType]?.first }

  /// The tags of the type by class, the preferred ones first.
  public var tags: [UTTagClass: [String]] {
    if let declaration = TypeDeclaration.all[identifier] {
      return [.filenameExtension: declaration.extensions, .mimeType: declaration.mimeTypes]
        .filter { !$0.value.isEmpty }
    }
    guard let dynamic = DynamicType(identifier: identifier) else { return [:] }
    return [dynamic.tagClass: [dynamic.tag]]
  }

  /// Whether the type is dynamic: made from a tag, and declared by nobody.
  public var isDynamic: Bool { identifier.hasPrefix("dyn.") }
  /// Whether the type is declared.
  public var isDeclared: Bool { TypeDeclaration.all[identifier] != nil }
  /// Whether the type is in the public domain, whose identifiers begin with `public.`.
  public var isPublic: Bool { identifier.hasPrefix("public.") }

  /// All types that this one conforms to, without itself.
  public var supertypes: Set<UTType> {
    var found: Set<UTType> = []
    var parents = parents
    while let parent = parents.popLast() {
      if found.insert(parent).inserted { parents += parent.parents }
    }
    return found
  }

  /// The types that the declaration names.
  private var parents: [UTType] {
    let identifiers =
      TypeDeclaration.all[identifier]?.parents ?? DynamicType(identifier: identifier)?.parents
    return (identifiers ?? []).map(UTType.init(known:))
  }

  /// Checks whether the type is another one, or conforms to it.
  ///
  /// - Parameter type: The other type.
  /// - Returns: Whether the types are the same, or this one conforms to the other.
  public func conforms(to type: UTType) -> Bool { self == type || supertypes.contains(type) }

  /// Checks whether the type conforms to another one and is not the same.
  ///
  /// - Parameter type: The other type.
  /// - Returns: Whether this type conforms to the other, different one.
  public func isSubtype(of type: UTType) -> Bool { self != type && conforms(to: type) }

  /// Checks whether another type conforms to this one and is not the same.
  ///
  /// - Parameter type: The other type.
  /// - Returns: Whether the other, different type conforms to this one.
  public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }
}
