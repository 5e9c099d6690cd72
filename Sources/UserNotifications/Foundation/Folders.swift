public import Foundation

extension FileManager {
  /// The folder of an app group, as the host that runs the extension has it.
  ///
  /// - Parameter groupIdentifier: The group's id.
  /// - Returns: The folder; `nil` for a group that the extension does not have.
  public func containerURL(
    forSecurityApplicationGroupIdentifier groupIdentifier: String
  ) -> URL? { UNWorld.currentOrLast.appGroups[groupIdentifier] }
}

extension URL {
  /// Begins to use a file that another process owns; here nothing keeps from it.
  ///
  /// - Returns: True.
  public func startAccessingSecurityScopedResource() -> Bool { true }

  /// Ends what ``startAccessingSecurityScopedResource()`` began.
  public func stopAccessingSecurityScopedResource() {}
}

/// Runs code whose temporary objects Objective-C would free; here they are gone when they are unused.
///
/// - Parameter body: The code.
/// - Returns: What the code returns.
/// - Throws: What the code throws.
public func autoreleasepool<Result, Failure: Error>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result { try body() }
