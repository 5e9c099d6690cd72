import _EventLoop
import _TLS

/// Sends pushes to Apple over one HTTP/2 connection.
///
/// The connection opens with the first push and again after it is lost. Pushes travel side by side
/// as far as APNs allows, each with its own deadline, and every one ends as an ``APNsOutcome``.
/// `send` never throws, and a peer cannot crash it. Make one client and keep it: Apple takes many
/// connections in a short time for an attack.
public final class APNsClient: Sendable {
  private let transport: Transport

  /// Makes a client; connects with the first push.
  ///
  /// - Parameter configuration: Credentials, endpoint and limits.
  /// - Throws: ``APNsError`` where the key or the extra trust cannot be read.
  public init(configuration: Configuration) throws(APNsError) {
    var tokens: ProviderTokenSource?
    var identity: TLSIdentity?
    switch configuration.credentials.kind {
    case .token(let credentials):
      tokens = try ProviderTokenSource(credentials, now: configuration.now())
    case .certificate(let credentials):
      identity = try credentials.identity(now: configuration.now())
    }
    let trust: TLSContext
    do throws(TLSError) {
      trust = try .client(extraTrustPEM: configuration.extraTrustPEM, identity: identity)
    } catch { throw APNsError(.badTrust, error.message, cause: error) }
    do throws(SystemError) {
      transport = Transport(
        configuration, loop: try EventLoop(name: "apns"), trust: trust, tokens: tokens)
    } catch { throw APNsError(.system, "no thread can be started: \(error)", cause: error) }
  }

  /// Sends one push and waits for its outcome.
  ///
  /// - Parameter notification: The push.
  /// - Returns: What became of it.
  public func send(_ notification: APNsNotification) async -> APNsOutcome {
    await transport.send([notification])[0]
  }

  /// Sends many pushes side by side and waits for all outcomes.
  ///
  /// A batch is handed over at once, so that it costs one wake-up and not one a push.
  ///
  /// - Parameter notifications: The pushes.
  /// - Returns: One outcome for each, in the same order.
  public func send(_ notifications: [APNsNotification]) async -> [APNsOutcome] {
    await transport.send(notifications)
  }

  /// Sends the pushes of a sequence, however long it is, with back-pressure both ways.
  ///
  /// ```swift
  /// for try await sent in client.send(pushes) where !sent.outcome.isSuccess { … }
  /// ```
  ///
  /// - Parameters:
  ///   - pushes: The pushes; the next one is asked for where there is room in the window.
  ///   - window: How many may be on their way, or have an outcome that was not read yet; from 1.
  /// - Returns: Each push with its outcome, in the order of their ends.
  public func send<Pushes: AsyncSequence & Sendable>(
    _ pushes: Pushes, window: Int = 4000
  ) -> APNsOutcomes<Pushes> where Pushes.Element == APNsNotification {
    APNsOutcomes(pushes: pushes, window: window, transport: transport)
  }

  /// Runs something with a client that is closed after it, whatever happens in it.
  ///
  /// - Parameters:
  ///   - configuration: Credentials, endpoint and limits.
  ///   - body: What to do with the client.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or ``APNsError`` where the client cannot be made.
  public static func with<Result>(
    _ configuration: Configuration, _ body: (APNsClient) async throws -> Result
  ) async throws -> Result {
    let client = try APNsClient(configuration: configuration)
    do {
      let result = try await body(client)
      await client.close()
      return result
    } catch {
      await client.close()
      throw error
    }
  }

  /// Ends the connection after the answers that are due; pushes still waiting are never sent.
  public func close() async {
    await transport.close()
  }
}

extension CertificateCredentials {
  /// Reads them, so that a bad or an old certificate shows at once.
  fileprivate func identity(now: Int64) throws(APNsError) -> TLSIdentity {
    let identity: TLSIdentity
    do throws(TLSError) {
      switch source {
      case .pem(let certificate, let key):
        identity = try TLSIdentity(certificatePEM: certificate, keyPEM: key)
      case .pkcs12(let bytes, let password):
        identity = try TLSIdentity(pkcs12: bytes, password: password)
      }
    } catch { throw APNsError(.badCredentials, error.message, cause: error) }
    guard identity.notAfter > now else {
      throw APNsError(
        .badCredentials, "the push certificate has expired: make a new one at developer.apple.com")
    }
    return identity
  }
}
