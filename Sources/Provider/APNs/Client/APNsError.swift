/// The error of making a client, credentials or a push.
public struct APNsError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error.
  public struct Code: Hashable, Sendable {
    private enum Raw { case badCredentials, badEndpoint, badPayload, badTrust, system }
    private let raw: Raw

    /// The team id, key id, private key or certificate cannot be used.
    public static let badCredentials = Code(raw: .badCredentials)
    /// The endpoint is not an `https` URL.
    public static let badEndpoint = Code(raw: .badEndpoint)
    /// The system or APNs would refuse the payload.
    public static let badPayload = Code(raw: .badPayload)
    /// The extra trust is not a PEM certificate.
    public static let badTrust = Code(raw: .badTrust)
    /// The operating system refused a resource.
    public static let system = Code(raw: .system)
  }

  /// The kind of the error.
  public var code: Code
  /// The fault and its remedy; never contains a key.
  public var message: String
  /// The underlying error, if there is one.
  public var cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
