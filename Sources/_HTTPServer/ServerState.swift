import NetworkAddresses
import Synchronization
import _EventLoop
import _TLS

/// What the event loops of a server share.
final class ServerState: Sendable {
  let configuration: HTTPServer.Configuration
  let handler: HTTPServer.Handler
  let budget: BodyBudget
  let largeBodies: LargeBodyExecutor
  let forwarded: ForwardedAddress
  /// The context of new connections; `nil` where the server speaks plain HTTP.
  let tls: Mutex<TLSContext?>
  /// The open connections of each address.
  private let addresses = Mutex<[String: Int]>([:])
  private let connectionCount = Atomic(0)
  private let nextID = Atomic(1)
  private let elapsed: @Sendable () -> Duration

  init(
    _ configuration: HTTPServer.Configuration, handler: @escaping HTTPServer.Handler
  ) throws(HTTPServerError) {
    self.configuration = configuration
    self.handler = handler
    budget = BodyBudget(memory: configuration.bodyMemory, disk: configuration.bodyDisk)
    forwarded = ForwardedAddress(isTrusted: configuration.isTrustedProxy)
    var context: TLSContext?
    if let tls = configuration.tls { context = try Self.context(tls) }
    tls = Mutex(context)
    elapsed = Self.stopwatch(configuration.clock)
    do throws(SystemError) {
      largeBodies = try LargeBodyExecutor()
    } catch {
      throw HTTPServerError(startFailed: error)
    }
  }

  static func context(
    _ tls: (certificatePEM: String, keyPEM: String)
  ) throws(HTTPServerError) -> TLSContext {
    do throws(TLSError) {
      return try .server(
        certificatePEM: tls.certificatePEM, keyPEM: tls.keyPEM, takesHTTP2: false,
        isPublic: true)
    } catch {
      throw HTTPServerError(
        code: .certificateUnusable,
        message: "the TLS certificate and key cannot be used (\(error)); give both as PEM")
    }
  }

  /// The time since the server started.
  var now: Duration { elapsed() }

  func makeID() -> Int { nextID.wrappingAdd(1, ordering: .relaxed).oldValue }

  /// The largest body of a request: what its path takes, and no more than all bodies may take together.
  func bodyLimit(_ method: String, _ path: String, streams: Bool) -> Int {
    let limit = configuration.bodyLimit(method, path)
    return streams ? limit : min(limit, configuration.bodyMemory)
  }

  // MARK: Connections

  /// Counts a connection; `false` where there are too many.
  func addConnection() -> Bool {
    let old = connectionCount.wrappingAdd(1, ordering: .relaxed).oldValue
    guard old >= configuration.maximumConnections else { return true }
    connectionCount.wrappingSubtract(1, ordering: .relaxed)
    return false
  }

  func removeConnection() { connectionCount.wrappingSubtract(1, ordering: .relaxed) }

  var isFull: Bool {
    connectionCount.load(ordering: .relaxed) >= configuration.maximumConnections
  }

  /// Counts a connection of an address; `false` where it has too many.
  func addConnection(of address: String) -> Bool {
    let name = NumericAddress.network(of: address)
    return addresses.withLock { addresses in
      let count = addresses[name, default: 0]
      guard count < configuration.connectionsPerAddress else { return false }
      addresses[name] = count + 1
      return true
    }
  }

  func removeConnection(of address: String) {
    let name = NumericAddress.network(of: address)
    addresses.withLock { addresses in
      guard let count = addresses[name] else { return }
      addresses[name] = count > 1 ? count - 1 : nil
    }
  }

  private static func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration
  where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
