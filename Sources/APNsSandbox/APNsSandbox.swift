import _EventLoop
import _TLS

/// A server that answers as APNs does: for tests, demonstrations and development without Apple.
///
/// HTTP/2 over TLS with Apple's checks, status codes and reasons. What it accepts is handed over by
/// ``Configuration/onDelivery``. Any token of an even number of hexadecimal digits is
/// live for every topic unless it is marked gone.
public final class APNsSandbox: Sendable {
  private let rules: SandboxRules
  private let server: SandboxServer

  /// Makes a sandbox; nothing listens yet.
  ///
  /// - Parameter configuration: Where to listen, what to check and whom to tell.
  /// - Throws: ``SandboxError`` where the certificate or a provider key cannot be read.
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

  /// Listens.
  ///
  /// - Returns: The port, which is the system's choice where the configuration says 0.
  /// - Throws: ``SandboxError`` where the address is in use or not this machine's.
  @discardableResult
  public func start() async throws(SandboxError) -> UInt16 {
    try await server.start()
  }

  /// Marks a token as gone, so that pushes to it are answered 410 `Unregistered`.
  ///
  /// - Parameters:
  ///   - token: The token in hexadecimal, in either letter case.
  ///   - timestamp: When it went, in milliseconds since 1970; `nil` makes it live again.
  public func markGone(_ token: String, at timestamp: Int64?) async {
    rules.markGone(token, at: timestamp)
  }

  /// Begins another script: requests and time are counted anew, and what a fault of the old one left
  /// (a refused port, a silent connection) stays until its time is over.
  ///
  /// - Parameter script: What goes wrong from now on; an empty one is no more faults.
  public func run(_ script: FaultScript) async {
    await server.run(script)
  }

  /// Stops listening, gives the answers that are due, says `Shutdown` to every connection and closes.
  public func stop() async {
    await server.stop()
  }
}

/// Why a sandbox could not start.
public struct SandboxError: Error, Sendable, CustomStringConvertible {
  /// What kind of fault it is.
  public struct Code: Hashable, Sendable {
    private enum Raw { case badCertificate, badProviderKey, addressInUse, system }
    private let raw: Raw
    /// The certificate or its key cannot be used.
    public static let badCertificate = Code(raw: .badCertificate)
    /// A provider key cannot be read.
    public static let badProviderKey = Code(raw: .badProviderKey)
    /// Something else listens on the address.
    public static let addressInUse = Code(raw: .addressInUse)
    /// The operating system refused.
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
