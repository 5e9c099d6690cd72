/// Why a client, its credentials or a push could not be made.
public struct APNsError: Error, Sendable, CustomStringConvertible {
  /// What kind of fault it is.
  public struct Code: Hashable, Sendable {
    private enum Raw { case badCredentials, badEndpoint, badPayload, badTrust, system }
    private let raw: Raw

    /// The team id, key id or private key is unusable.
    public static let badCredentials = Code(raw: .badCredentials)
    /// The endpoint is no `https` URL.
    public static let badEndpoint = Code(raw: .badEndpoint)
    /// The system or APNs would refuse the payload.
    public static let badPayload = Code(raw: .badPayload)
    /// The extra trust is no PEM certificate.
    public static let badTrust = Code(raw: .badTrust)
    /// The operating system refused a resource.
    public static let system = Code(raw: .system)
  }

  /// What kind of fault it is.
  public var code: Code
  /// What is wrong and what to do; never a key.
  public var message: String
  /// The error below, if there is one.
  public var cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
