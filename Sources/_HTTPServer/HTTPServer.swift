import Synchronization

/// An HTTP/1.1 server with an async handler, on libmicrohttpd's two threads.
///
/// What a peer can do is bounded before the handler sees it: framing said twice, headers and bodies
/// past their cap, trickles past their deadline and connections past their number end here.
package final class HTTPServer: Sendable {
  package struct Configuration: Sendable {
    /// An address of this machine.
    package var host = "127.0.0.1"
    /// 0 takes a free one.
    package var port: UInt16 = 0
    /// PEM texts: the certificate with its chain, and its key.
    ///
    /// Nil serves plain HTTP.
    package var tls: (certificatePEM: String, keyPEM: String)?
    /// Bytes of body allowed for a method and path; a longer one is answered 413.
    package var bodyLimit: @Sendable (_ method: String, _ path: String) -> Int = { _, _ in 1 << 20 }
    /// Whether the handler of a method and path begins with the headers and takes the body as it comes.
    package var streamsBody: @Sendable (_ method: String, _ path: String) -> Bool = { _, _ in false
    }
    /// Bytes of memory for a connection, of which headers may fill about half; more is a 431.
    package var connectionMemory = 32 * 1024
    /// From the start of the connection (TLS included) to the end of the headers.
    package var headerDeadline = Duration.seconds(10)
    /// From the end of the headers to the end of the body, plus the time that the bytes which
    /// came take at `minimumBodyRate`.
    package var bodyDeadline = Duration.seconds(30)
    /// Bytes a second below which a long body runs out of time.
    package var minimumBodyRate = 64 * 1024
    /// From an answer to the end of the next request's headers on the same connection.
    package var keepAliveDeadline = Duration.seconds(60)
    /// Open connections from one address; one more is closed as it comes.
    package var connectionsPerAddress = 256
    package var maximumConnections = 4096
    /// What `stop()` grants requests under way.
    package var drain = Duration.seconds(5)
    package var clock: any Clock<Duration> = ContinuousClock()

    package init(host: String = "127.0.0.1", port: UInt16 = 0) {
      self.host = host
      self.port = port
    }
  }

  /// The port in use, also where 0 was asked for.
  package let port: UInt16
  private let service: HTTPService
  private let daemon: Daemon
  private let reaper: Task<Void, Never>
  private let drain: Duration
  private let clock: any Clock<Duration>

  /// Listens from here on.
  ///
  /// - Throws: `.addressInUse`, `.addressUnusable` or `.certificateUnusable`, with the cure.
  package init(
    _ configuration: Configuration = Configuration(),
    handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) throws(HTTPServerError) {
    let socket = try ListeningSocket(host: configuration.host, port: configuration.port)
    port = socket.port
    service = HTTPService(configuration, handler: handler)
    daemon = try Daemon(configuration, socket: socket, service: service)
    drain = configuration.drain
    clock = configuration.clock
    reaper = Task { [service, clock, period = configuration.reaperPeriod] in
      while (try? await clock.sleep(for: period)) != nil { service.closeOverdue() }
    }
  }

  deinit {
    reaper.cancel()
    service.refuseRequests()
    service.abandonRequests()
    daemon.stop()
  }

  /// Takes no more connections, grants requests under way `drain`, then closes what is open.
  package func stop() async {
    daemon.quiesce()
    service.refuseRequests()
    await withTaskGroup { group in
      group.addTask { [service] in await service.drained() }
      group.addTask { [clock, drain] in try? await clock.sleep(for: drain) }
      await group.next()
      service.abandonRequests()
      group.cancelAll()
    }
    reaper.cancel()
    daemon.stop()
  }
}

extension HTTPServer.Configuration {
  /// How late a deadline may be noticed: a quarter of the shortest, and a second at most.
  fileprivate var reaperPeriod: Duration {
    min(min(headerDeadline, bodyDeadline, keepAliveDeadline) / 4, .seconds(1))
  }
}
