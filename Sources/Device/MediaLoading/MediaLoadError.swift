/// The reason why a load ended before the whole body was received.
public struct MediaLoadError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code, such as `offline`.
    public let rawValue: String

    /// Creates a code.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The connection failed or was lost.
    public static let network = Code(rawValue: "network")
    /// The server's certificate is not trusted.
    ///
    /// A retry does not help.
    public static let untrusted = Code(rawValue: "untrusted")
    /// The device is offline.
    public static let offline = Code(rawValue: "offline")
    /// Low Data Mode is on, and the request does not allow it.
    public static let constrained = Code(rawValue: "constrained")
    /// The server has a private address, and the request does not allow it.
    public static let privateAddress = Code(rawValue: "private-address")
    /// ``MediaLoad/cancel()`` was called.
    public static let canceled = Code(rawValue: "canceled")
    /// The sink returned ``MediaLoadDisposition/stop``.
    public static let refused = Code(rawValue: "refused")
    /// The loader does not support the URL.
    public static let unsupportedURL = Code(rawValue: "unsupported-url")
  }

  /// The kind of failure.
  public var code: Code
  /// A description of the failure.
  public var message: String
  /// The underlying error.
  public var cause: (any Error)?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: A description of the failure.
  ///   - cause: The underlying error.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
