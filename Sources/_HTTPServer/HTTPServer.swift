import Synchronization

/// An HTTP/1.1 server with an async handler, on two threads of libmicrohttpd.
///
/// It refuses requests with ambiguous framing, headers and bodies beyond their limits, clients that
/// send too slowly, and connections beyond their number, before the handler sees them.
package final class HTTPServer: Sendable {
  package struct Configuration: Sendable {
    /// The address of this machine to listen on.
    package var host = "127.0.0.1"
    /// The port to listen on; 0 takes a free one.
    package var port: UInt16 = 0
    /// The certificate with its chain, and its key, in PEM; `nil` serves plain HTTP.
    package var tls: (certificatePEM: String, keyPEM: String)?
    /// Returns the largest body in bytes for a method and path; a longer one is answered 413.
    package var bodyLimit: @Sendable (_ method: String, _ path: String) -> Int = { _, _ in 1 << 20 }
    /// Returns whether the handler of a method and path is called with the headers, and reads the
    /// body while it arrives.
    package var streamsBody: @Sendable (_ method: String, _ path: String) -> Bool = { _, _ in false
    }
    /// The memory of a connection in bytes, of which headers may fill about half; more is a 431.
    package var connectionMemory = 32 * 1024
    /// How long a connection may take from its start (TLS included) to the end of the headers.
    package var headerDeadline = Duration.seconds(10)
    /// How long a request may take from the end of its headers to the end of its body, in addition
    /// to the time that the received bytes take at `minimumBodyRate`.
    package var bodyDeadline = Duration.seconds(30)
    /// The slowest rate at which a long body meets its deadline, in bytes a second.
    package var minimumBodyRate = 64 * 1024
    /// How long a connection may take from an answer to the end of the next request's headers.
    package var keepAliveDeadline = Duration.seconds(60)
    /// The most open connections from one address; a further one is closed at once.
    package var connectionsPerAddress = 256
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
  private let service: HTTPService
  private let daemon: Daemon
  private let reaper: Task<Void, Never>
  private let drain: Duration
  private let clock: any Clock<Duration>

  /// Makes a server that listens at once.
  ///
  /// - Throws: ``HTTPServerError`` with a message that says what to do.
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

  /// Refuses further requests, waits for those in flight for at most `drain`, and closes all connections.
  ///
  /// A request that comes meanwhile is answered 503.
  package func stop() async {
    // Without `MHD_quiesce_daemon`, which would stop accepting connections: libmicrohttpd 0.9.75 aborts the process where
    // one of its threads removes the listening socket from its epoll set at the same moment.
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
  /// How often deadlines are checked: four times in the shortest, and at least once a second.
  fileprivate var reaperPeriod: Duration {
    min(min(headerDeadline, bodyDeadline, keepAliveDeadline) / 4, .seconds(1))
  }
}
