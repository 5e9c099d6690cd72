public import Foundation

extension FileManager {
  /// The container of an app group, which the extension's host provides.
  ///
  /// - Parameter groupIdentifier: The app group's identifier.
  /// - Returns: The folder; `nil` if the extension does not have this app group.
  public func containerURL(
    forSecurityApplicationGroupIdentifier groupIdentifier: String
  ) -> URL? { UNWorld.currentOrLast.appGroups[groupIdentifier] }
}

extension URL {
  /// Returns `true`, because files have no security scope on Linux.
  ///
  /// - Returns: Always `true`.
  public func startAccessingSecurityScopedResource() -> Bool {
    notModelled("URL.startAccessingSecurityScopedResource()", "every file is in the scope")
    return true
  }

  /// Does nothing, because files have no security scope on Linux.
  public func stopAccessingSecurityScopedResource() {
    notModelled("URL.stopAccessingSecurityScopedResource()", "every file stays in the scope")
  }
}

/// Calls a closure.
///
/// There is no autorelease pool on Linux.
///
/// - Parameter body: The closure.
/// - Returns: The closure's result.
/// - Throws: Any error of the closure.
public func autoreleasepool<Result, Failure: Error>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result { try body() }
