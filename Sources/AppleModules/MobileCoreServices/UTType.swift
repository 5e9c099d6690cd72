public import Foundation
import UniformTypeIdentifiers

/// The class of path extensions, without the dot.
nonisolated(unsafe) public let kUTTagClassFilenameExtension: CFString = "public.filename-extension"
/// The class of MIME types.
nonisolated(unsafe) public let kUTTagClassMIMEType: CFString = "public.mime-type"

// This is a closure, because Apple's function has three parameters without a label.

/// Apple's `UTTypeCreatePreferredIdentifierForTag`: the identifier of a tag's preferred type.
///
/// The arguments are the class of the tag, the tag, and a type that the result conforms to or `nil`. The result is the
/// identifier of a dynamic type, which begins with `dyn.`, if no declared type has the tag.
public var UTTypeCreatePreferredIdentifierForTag:
  @Sendable (CFString, CFString, CFString?) -> Unmanaged<CFString>?
{
  { tagClass, tag, parent in
    let type = UTType(
      tag: tag as String, tagClass: UTTagClass(rawValue: tagClass as String),
      conformingTo: parent.map { UTType(importedAs: $0 as String) })
    return (type?.identifier).map { unsafe Unmanaged.passRetained($0 as NSString) }
  }
}

/// Returns the preferred tag of a type.
///
/// - Parameters:
///   - identifier: The type's identifier.
///   - tagClass: The class of the tag.
/// - Returns: The tag, retained; `nil` if the type has none.
public func UTTypeCopyPreferredTagWithClass(
  _ identifier: CFString, _ tagClass: CFString
) -> Unmanaged<CFString>? {
  let tags = UTType(identifier as String)?.tags[UTTagClass(rawValue: tagClass as String)]
  return (tags?.first).map { unsafe Unmanaged.passRetained($0 as NSString) }
}

/// Checks whether a type is another one, or conforms to it.
///
/// - Parameters:
///   - identifier: The type's identifier.
///   - other: The other type's identifier.
/// - Returns: Whether the types are the same, or the first one conforms to the other.
public func UTTypeConformsTo(_ identifier: CFString, _ other: CFString) -> Bool {
  UTType(importedAs: identifier as String).conforms(to: UTType(importedAs: other as String))
}

/// Returns whether two identifiers name the same type, in any case.
///
/// - Parameters:
///   - first: One identifier.
///   - second: The other identifier.
/// - Returns: Whether they do.
public func UTTypeEqual(_ first: CFString, _ second: CFString) -> Bool {
  (first as String).lowercased() == (second as String).lowercased()
}

/// Checks whether an identifier is that of a dynamic type.
///
/// - Parameter identifier: The identifier.
/// - Returns: Whether the identifier is that of a dynamic type.
public func UTTypeIsDynamic(_ identifier: CFString) -> Bool {
  UTType(importedAs: identifier as String).isDynamic
}

/// Checks whether a type is declared.
///
/// - Parameter identifier: The type's identifier.
/// - Returns: Whether the type is declared.
public func UTTypeIsDeclared(_ identifier: CFString) -> Bool {
  UTType(importedAs: identifier as String).isDeclared
}
