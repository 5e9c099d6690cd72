/// The error of media that this model does not read or play.
public struct AVModelError: Error, CustomStringConvertible, Sendable {
  /// Apple's name of the declaration, and the limit.
  public let description: String

  /// Creates an error.
  package init(_ description: String) { self.description = description }
}
