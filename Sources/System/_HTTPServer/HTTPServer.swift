import Synchronization
import _EventLoop

/// An HTTP/1.1 server with an async handler, on two event loops.
///
/// It refuses requests with ambiguous framing, headers and bodies beyond their limits, clients that send too
/// slowly, and too many connections, before the handler sees them. A request with a body is admitted by its
/// headers; a refused one is answered before any of its body is read.
package final class HTTPServer: Sendable {
  package typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

  /// The decision about a request with a body, made by its headers.
  package enum Admission: Sendable {
    /// The body is read, and this handler is called with the whole request.
    case handle(Handler)
    /// The request is answered immediately, and the connection is closed.
    case refuse(HTTPResponse)
  }

  package struct Configuration: Sendable {
    /// The address on which this machine listens.
    package var host = "127.0.0.1"
    /// The port to listen on; 0 chooses a free one.
    package var port: UInt16 = 0
    /// The certificate with its chain, and its key, in PEM; `nil` serves plain HTTP.
    package var tls: (certificatePEM: String, keyPEM: String)?
    /// Decides about a request with a body by its headers; `nil` admits all.
    package var admit: (@Sendable (HTTPRequest) async -> Admission)?
    /// Returns the most bytes of a body for a method and path; a longer one is answered with 413.
    package var bodyLimit: @Sendable (_ method: String, _ path: String) -> Int = { _, _ in 1 << 20 }
    /// Returns whether the handler for a method and path is called with the headers, and reads the body
    /// while it arrives.
    package var streamsBody: @Sendable (_ method: String, _ path: String) -> Bool = { _, _ in false
    }
    /// Whether a peer is a proxy that is trusted to name its client's address, by PROXY protocol or in
    /// `X-Forwarded-For`.
    package var isTrustedProxy: @Sendable (_ address: String) -> Bool = { _ in false }
    /// Returns the memory that the handler of a request needs for its body.
    package var bodyCost: @Sendable (_ head: HTTPRequest) -> BodyCost = { _ in .bytes }
    /// The most bytes of a request's head; a larger one is answered with 431.
    package var headLimit = 24 << 10
    /// The memory in bytes for the bodies of all requests, including the values that handlers make of them.
    package var bodyMemory = 64 << 20
    /// The disk space for the bodies of all requests, in bytes.
    package var bodyDisk = 1 << 30
    /// The folder for bodies above 64 KiB while they arrive; the files have no names.
    package var bodyFolder = "/tmp"
    /// The most time from a connection's start (including TLS) to the end of the headers.
    package var headerDeadline = Duration.seconds(10)
    /// The most time from the end of a request's headers to the end of its body, in addition to the time
    /// that the received bytes take at `minimumBodyRate`.
    package var bodyDeadline = Duration.seconds(30)
    /// The slowest rate at which a long body meets its deadline, in bytes per second.
    package var minimumBodyRate = 64 * 1024
    /// The most time from an answer to the end of the next request's headers.
    package var keepAliveDeadline = Duration.seconds(60)
    /// The most time in which a client may accept no bytes of its answer.
    package var sendDeadline = Duration.seconds(60)
    /// The most time and the most bytes for which a refused request is read after its answer, so that the
    /// client sees the answer instead of a reset (RFC 9112, section 9.6).
    package var lingerDeadline = Duration.seconds(10)
    package var lingerLimit = 8 << 20
    /// The most open connections from one address, or from one /64 of IPv6; one more is closed immediately.
    ///
    /// A /56 of IPv6 can have twice as many, and a /48 four times as many.
    package var connectionsPerAddress = 256
    /// The most open connections; for one more, idle ones are closed, or it waits.
    package var maximumConnections = 4096
    /// The most time that `stop()` waits for requests in flight.
    package var drain = Duration.seconds(5)
    package var clock: any Clock<Duration> = ContinuousClock()

    package init(host: String = "127.0.0.1", port: UInt16 = 0) {
      self.host = host
      self.port = port
    }
  }

  /// The port in use, which was chosen by the system if the configured one is 0.
  package let port: UInt16
  private let shared: ServerState
  private let loops: [ConnectionLoop]
  private let reaper: Task<Void, Never>

  /// Makes a server that listens immediately.
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

  /// Uses another certificate for new connections.
  ///
  /// - Throws: ``HTTPServerError`` if the certificate cannot be used; the old one then stays in use.
  package func setCertificate(
    _ certificatePEM: String, keyPEM: String
  ) throws(HTTPServerError) {
    let context = try ServerState.context((certificatePEM, keyPEM))
    shared.tls.withLock { $0 = context }
  }

  /// Refuses further requests, waits for those in flight for at most `drain`, and closes all connections.
  ///
  /// A request that arrives meanwhile is answered with 503.
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
  /// The interval for checking deadlines: a quarter of the shortest one, but at most a second.
  fileprivate var reaperPeriod: Duration {
    min(min(headerDeadline, bodyDeadline, keepAliveDeadline) / 4, .seconds(1))
  }
}
