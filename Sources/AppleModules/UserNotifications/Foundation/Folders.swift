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
  /// Does nothing, because files have no security scope on Linux.
  ///
  /// - Returns: Always `true`.
  public func startAccessingSecurityScopedResource() -> Bool { true }

  /// Does nothing, because files have no security scope on Linux.
  public func stopAccessingSecurityScopedResource() {}
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
