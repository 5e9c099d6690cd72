import NetworkAddresses
import Synchronization
import _EventLoop
import _TLS

/// The state that the event loops of a server share.
final class ServerState: Sendable {
  let configuration: HTTPServer.Configuration
  let handler: HTTPServer.Handler
  let budget: BodyBudget
  let largeBodies: LargeBodyExecutor
  let forwarded: ForwardedAddress
  /// The TLS context of new connections; `nil` if the server speaks plain HTTP.
  let tls: Mutex<TLSContext?>
  /// The number of open connections of each network of any size.
  private let networks = Mutex<[String: Int]>([:])
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

  /// The largest body of a request, which is limited by its path and by the budget for one body.
  func bodyLimit(of request: HTTPRequest, costing cost: BodyCost, streams: Bool) -> Int {
    let limit = configuration.bodyLimit(request.method, request.path)
    return streams ? limit : min(limit, budget.largest / cost.byte)
  }

  // MARK: Connections

  /// Counts a connection; `false` if there are too many.
  func addConnection() -> Bool {
    let old = connectionCount.wrappingAdd(1, ordering: .relaxed).oldValue
    guard old >= configuration.maximumConnections else { return true }
    connectionCount.wrappingSubtract(1, ordering: .relaxed)
    return false
  }

  func removeConnection() { connectionCount.wrappingSubtract(1, ordering: .relaxed) }

  /// Counts a connection in the networks of its address; each larger network may have twice as many connections.
  ///
  /// - Returns: The networks; `nil` if one of them has too many connections.
  func addConnection(of address: String) -> [String]? {
    let names = NumericAddress.networks(of: address)
    return networks.withLock { networks in
      for (place, name) in names.enumerated() {
        guard networks[name, default: 0] < configuration.connectionsPerAddress << place else {
          return nil
        }
      }
      for name in names { networks[name, default: 0] += 1 }
      return names
    }
  }

  func removeConnection(of names: [String]) {
    networks.withLock { networks in
      for name in names {
        guard let count = networks[name] else { continue }
        networks[name] = count > 1 ? count - 1 : nil
      }
    }
  }

  /// The number of open connections of each connection's largest network; 0 if the connection is not counted.
  func loads(of connections: [[String]]) -> [Int] {
    networks.withLock { networks in
      connections.map { names in names.last.flatMap { networks[$0] } ?? 0 }
    }
  }

  private static func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration
  where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
