/// Why a load ended early.
public struct MediaLoadError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name as reports print it.
    public let rawValue: String

    /// Names a kind.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No connection, or a broken one.
    public static let network = Code(rawValue: "network")
    /// No trust in the server; asking again does not help.
    public static let untrusted = Code(rawValue: "untrusted")
    /// There is no network at all.
    public static let offline = Code(rawValue: "offline")
    /// The network is constrained, and the request is not for such a one.
    public static let constrained = Code(rawValue: "constrained")
    /// The server has a private address, and the request does not allow it.
    public static let privateAddress = Code(rawValue: "private-address")
    /// ``MediaLoad/cancel()`` was called.
    public static let canceled = Code(rawValue: "canceled")
    /// The sink said stop.
    public static let refused = Code(rawValue: "refused")
    /// The loader does not speak the URL's scheme.
    public static let unsupportedURL = Code(rawValue: "unsupported-url")
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, in words.
  public var message: String
  /// The system's own error.
  public var cause: (any Error)?

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: What happened, in words.
  ///   - cause: The system's own error.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
