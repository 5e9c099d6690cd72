import _EventLoop
import _TLS

/// A server that answers as APNs does, for tests, demonstrations and development without Apple.
///
/// It speaks HTTP/2 over TLS with Apple's checks, status codes and reasons. ``Configuration/onDelivery`` gets the pushes
/// that it accepts. Every device token with an even number of hexadecimal digits is active for every topic, unless it is
/// marked as gone.
public final class VirtualAPNs: Sendable {
  private let rules: SandboxRules
  private let server: SandboxServer

  /// Makes a sandbox that does not listen yet.
  ///
  /// - Parameter configuration: The address, credentials, rules and faults.
  /// - Throws: ``SandboxError`` if the certificate or a provider key cannot be read.
  public init(configuration: Configuration) throws(SandboxError) {
    rules = try SandboxRules(configuration)
    let certificate: TLSContext
    do throws(TLSError) {
      certificate = try .server(
        certificatePEM: configuration.certificatePEM, keyPEM: configuration.keyPEM,
        asksClients: true, clientTrustPEM: configuration.clientAuthorityPEM)
    } catch {
      throw SandboxError(.badCertificate, "the sandbox's certificates: \(error)", cause: error)
    }
    do throws(SystemError) {
      server = try SandboxServer(configuration, rules: rules, certificate: certificate)
    } catch { throw SandboxError(.system, "no thread can be started: \(error)", cause: error) }
  }

  /// Starts to listen and to answer.
  ///
  /// - Returns: The port, which the system chooses if the configuration has 0.
  /// - Throws: ``SandboxError`` if the address is in use or does not belong to this machine.
  @discardableResult
  public func start() async throws(SandboxError) -> UInt16 {
    try await server.start()
  }

  /// Marks a device token as gone, so that pushes to it are refused with 410 `Unregistered`.
  ///
  /// - Parameters:
  ///   - token: The device token in hexadecimal, in either letter case.
  ///   - timestamp: When it became inactive, in milliseconds since 1970; `nil` makes it active again.
  public func markGone(_ token: String, at timestamp: Int64?) async {
    rules.markGone(token, at: timestamp)
  }

  /// Takes the device of a token off the network.
  ///
  /// APNs accepts pushes to it as before and keeps them as ``Configuration/offlineStorage`` says.
  ///
  /// - Parameter token: The device token in hexadecimal, in either letter case.
  /// - Returns: Whether the device is offline; `false` if 10,000 others are.
  @discardableResult
  public func disconnect(_ token: String) async -> Bool {
    await server.disconnect(token)
  }

  /// Brings the device of a token back to the network.
  ///
  /// The pushes that were kept for it have been delivered when this returns: those with priority 10 first, and otherwise
  /// in the order in which they were accepted. It has no effect on a device that is online.
  ///
  /// - Parameter token: The device token in hexadecimal, in either letter case.
  public func reconnect(_ token: String) async {
    await server.reconnect(token)
  }

  /// Replaces the fault script.
  ///
  /// Requests and time are counted from the start of the new script. A lasting fault of the old one, such as a closed
  /// port or a silent connection, ends after its own duration. A port that was closed without a duration opens again.
  ///
  /// - Parameter script: The new script; an empty one for no more faults.
  public func run(_ script: FaultScript) async {
    await server.run(script)
  }

  /// Stops listening, sends the answers that are due and a GOAWAY with `Shutdown`, and closes all connections.
  public func stop() async {
    await server.stop()
  }
}

/// The error of making or starting a sandbox.
public struct SandboxError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error.
  public struct Code: Hashable, Sendable {
    private enum Raw { case badCertificate, badProviderKey, addressInUse, system }
    private let raw: Raw
    /// The certificate or its key cannot be used.
    public static let badCertificate = Code(raw: .badCertificate)
    /// A provider key cannot be read.
    public static let badProviderKey = Code(raw: .badProviderKey)
    /// The address is in use.
    public static let addressInUse = Code(raw: .addressInUse)
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
