import Synchronization
import _EventLoop

/// An HTTP/1.1 server with an async handler, on two event loops.
///
/// It refuses requests with ambiguous framing, headers and bodies beyond their limits, clients that
/// send too slowly, and connections beyond their number, before the handler sees them. A request with
/// a body is admitted by its headers; a refused one is answered before any of its body is taken.
package final class HTTPServer: Sendable {
  package typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

  /// The decision about a request with a body, made by its headers.
  package enum Admission: Sendable {
    /// The body is taken, and this handler is called with the whole request.
    case handle(Handler)
    /// The request is answered at once, and the connection closed.
    case refuse(HTTPResponse)
  }

  package struct Configuration: Sendable {
    /// The address of this machine to listen on.
    package var host = "127.0.0.1"
    /// The port to listen on; 0 takes a free one.
    package var port: UInt16 = 0
    /// The certificate with its chain, and its key, in PEM; `nil` serves plain HTTP.
    package var tls: (certificatePEM: String, keyPEM: String)?
    /// Decides about a request with a body by its headers; `nil` admits all.
    package var admit: (@Sendable (HTTPRequest) async -> Admission)?
    /// Returns the largest body in bytes for a method and path; a longer one is answered 413.
    package var bodyLimit: @Sendable (_ method: String, _ path: String) -> Int = { _, _ in 1 << 20 }
    /// Returns whether the handler of a method and path is called with the headers, and reads the
    /// body while it arrives.
    package var streamsBody: @Sendable (_ method: String, _ path: String) -> Bool = { _, _ in false
    }
    /// Whether a peer is a proxy whose word about its client's address is taken: by PROXY protocol, or
    /// in `X-Forwarded-For`.
    package var isTrustedProxy: @Sendable (_ address: String) -> Bool = { _ in false }
    /// Returns the memory that the handler of a request needs for its body.
    package var bodyCost: @Sendable (_ head: HTTPRequest) -> BodyCost = { _ in .bytes }
    /// The most bytes of a request's head; more is a 431.
    package var headLimit = 24 << 10
    /// The memory that the bodies of all requests may take, with what their handlers make of them, in bytes.
    package var bodyMemory = 64 << 20
    /// The disk space that the bodies of all requests may take, in bytes.
    package var bodyDisk = 1 << 30
    /// The folder for bodies above 64 KiB while they arrive; their files have no names.
    package var bodyFolder = "/tmp"
    /// How long a connection may take from its start (TLS included) to the end of the headers.
    package var headerDeadline = Duration.seconds(10)
    /// How long a request may take from the end of its headers to the end of its body, in addition
    /// to the time that the received bytes take at `minimumBodyRate`.
    package var bodyDeadline = Duration.seconds(30)
    /// The slowest rate at which a long body meets its deadline, in bytes a second.
    package var minimumBodyRate = 64 * 1024
    /// How long a connection may take from an answer to the end of the next request's headers.
    package var keepAliveDeadline = Duration.seconds(60)
    /// How long a client may take none of its answer.
    package var sendDeadline = Duration.seconds(60)
    /// How long, and how many bytes of, a refused request are read after its answer, so that the
    /// client sees the answer and no reset (RFC 9112, section 9.6).
    package var lingerDeadline = Duration.seconds(10)
    package var lingerLimit = 8 << 20
    /// The most open connections from one address, of IPv6 from one /64; a further one is closed at once.
    ///
    /// An IPv6 /56 has twice as many, and a /48 four times.
    package var connectionsPerAddress = 256
    /// The most open connections; for a further one idle ones are closed, or it waits.
    package var maximumConnections = 4096
    /// How long `stop()` waits for requests in flight.
    package var drain = Duration.seconds(5)
    package var clock: any Clock<Duration> = ContinuousClock()

    package init(host: String = "127.0.0.1", port: UInt16 = 0) {
      self.host = host
      self.port = port
    }
  }

  /// The port in use, which is a free one where the configuration has 0.
  package let port: UInt16
  private let shared: ServerState
  private let loops: [ConnectionLoop]
  private let reaper: Task<Void, Never>

  /// Makes a server that listens at once.
  ///
  /// - Throws: ``HTTPServerError`` with a message that says what to do.
  package init(
    _ configuration: Configuration = Configuration(), handler: @escaping Handler
  ) throws(HTTPServerError) {
    let shared = try ServerState(configuration, handler: handler)
    let socket = try HTTPServerError.listen(host: configuration.host, port: configuration.port)
    port = socket.localPort
    do throws(SystemError) {
      var loops: [ConnectionLoop] = []
      for number in 0..<2 {
        loops.append(ConnectionLoop(shared, loop: try EventLoop(name: "martlet-http\(number)")))
      }
      self.loops = loops
    } catch {
      throw HTTPServerError(startFailed: error)
    }
    self.shared = shared
    loops[0].accept(on: socket, for: loops)
    let (clock, period) = (configuration.clock, configuration.reaperPeriod)
    reaper = Task { [loops] in
      while (try? await clock.sleep(for: period)) != nil {
        for loop in loops { await loop.closeOverdue() }
      }
    }
  }

  deinit {
    reaper.cancel()
    for loop in loops { loop.perform { $0.closeAll() } }
  }

  /// Takes another certificate for the connections that come from now on.
  ///
  /// - Throws: ``HTTPServerError`` where it cannot be used; the old one then stays.
  package func setCertificate(
    _ certificatePEM: String, keyPEM: String
  ) throws(HTTPServerError) {
    let context = try ServerState.context((certificatePEM, keyPEM))
    shared.tls.withLock { $0 = context }
  }

  /// Refuses further requests, waits for those in flight for at most `drain`, and closes all connections.
  ///
  /// A request that comes meanwhile is answered 503.
  package func stop() async {
    for loop in loops { await loop.refuseRequests() }
    let (clock, drain) = (shared.configuration.clock, shared.configuration.drain)
    await withTaskGroup { group in
      group.addTask { [loops] in
        for loop in loops { await loop.drained() }
      }
      group.addTask { try? await clock.sleep(for: drain) }
      await group.next()
      for loop in loops { await loop.closeAll() }
      group.cancelAll()
    }
    reaper.cancel()
  }
}

extension HTTPServer.Configuration {
  /// How often deadlines are checked: four times in the shortest, and at least once a second.
  fileprivate var reaperPeriod: Duration {
    min(min(headerDeadline, bodyDeadline, keepAliveDeadline) / 4, .seconds(1))
  }
}
