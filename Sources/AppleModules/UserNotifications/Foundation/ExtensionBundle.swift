public import Foundation

/// A mark of a bundle that the extension's host provides.
///
/// A marker has no requirements and exists at compile time only. With it, the type of the bundle is a subtype of
/// `Bundle`, so that the compiler prefers this module's `Bundle.main` to Foundation's.
@_marker public protocol ExtensionBundle: AnyObject {}

extension Bundle {
  /// The bundle of the extension; without a host, that of the process.
  public class var main: any Bundle & ExtensionBundle {
    let bundle = UNWorld.forFiles?.bundle ?? Bundle.Foundation::main
    // A marker protocol has no witness table, so both types are one reference to the same class.
    return unsafe unsafeBitCast(bundle, to: (any Bundle & ExtensionBundle).self)
  }
}
