import FoundationEssentials
import _EventLoop

extension APNsClient {
  /// The configuration of a client.
  public struct Configuration: Sendable {
    /// The credentials that authenticate the sender.
    public var credentials: APNsCredentials
    /// The host that takes pushes.
    public var endpoint: APNsEndpoint
    /// The host that manages channels.
    ///
    /// `nil`, the default, is Apple's host for the environment of ``endpoint``, or ``endpoint`` itself if that is not
    /// a host of Apple's.
    public var channelEndpoint: APNsEndpoint?
    /// The proxy between this machine and APNs; `nil` connects directly.
    public var proxy: APNsProxy?
    /// PEM certificates to trust in addition to the system's; `nil` adds none.
    public var extraTrustPEM: String?
    /// The longest time from the call to the answer of a push; 30 seconds by default.
    ///
    /// After it the outcome is never sent or maybe sent.
    public var requestTimeout: Duration = .seconds(30)
    /// The longest time that name resolution, TCP and TLS may take together; 10 seconds by default.
    public var connectTimeout: Duration = .seconds(10)
    /// The most connections at once, from 1; 4 by default.
    ///
    /// One opens with the first push, and more if pushes would wait longer than 200 ms. Connections that are idle for
    /// ten minutes are closed, except the last one.
    public var maxConnections = 4
    /// The most pushes that wait for a stream, from 1; 1,000,000 by default.
    ///
    /// ``whenQueueIsFull`` decides what happens to further pushes; those of a sequence always wait for room.
    public var queueLimit = 1_000_000
    /// The rule for further pushes while ``queueLimit`` pushes wait; ``FullQueue/shed`` by default.
    public var whenQueueIsFull = FullQueue.shed
    /// The receiver of metrics; `nil`, the default, reports no metrics.
    public var metrics: (any APNsMetrics)?
    /// The time limits after which a silent peer gets a PING and then counts as lost.
    var keepAlive = KeepAlive()
    /// The idle time after which a connection is closed if there are others.
    var idleLimit = Duration.seconds(600)
    /// The number of a connection's first stream.
    var firstStream: Int32 = 1
    /// Resolves host names, once for each attempt to connect.
    var resolve: Resolve = SocketAddress.resolve
    /// Returns a random number from 0 to 1, which spreads attempts to connect over time.
    var chance: @Sendable () -> Double = { .random(in: 0..<1) }
    /// Returns the time in whole seconds since 1970, which goes into provider tokens.
    public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }

    typealias Resolve =
      @Sendable (
        _ host: String, _ port: UInt16,
        _ found: @escaping @Sendable (Result<[SocketAddress], any Error>) -> Void
      ) -> Void

    /// The rule for a push while the queue is full.
    public struct FullQueue: Hashable, Sendable {
      private enum Raw { case shed, wait }
      private let raw: Raw

      /// The push gets the outcome never sent at once, so that a server can answer its own callers in
      /// time.
      public static let shed = FullQueue(raw: .shed)
      /// `send` waits for room, until the deadline of the push or the cancellation of the task.
      public static let wait = FullQueue(raw: .wait)
    }

    /// Makes a configuration with default values for everything else.
    ///
    /// - Parameters:
    ///   - credentials: The credentials that authenticate the sender.
    ///   - endpoint: The host that takes pushes; Apple's production environment by default.
    public init(credentials: APNsCredentials, endpoint: APNsEndpoint = .production) {
      self.credentials = credentials
      self.endpoint = endpoint
    }
  }
}

/// A host that speaks the protocol of APNs.
public struct APNsEndpoint: Hashable, Sendable {
  /// The host name, which the server's certificate must carry.
  public var host: String
  /// The TCP port.
  public var port: UInt16

  /// Apple's production environment.
  public static let production = APNsEndpoint.custom(host: "api.push.apple.com", port: 443)
  /// Apple's development environment, which the device tokens of development builds belong to.
  public static let development = APNsEndpoint.custom(
    host: "api.sandbox.push.apple.com", port: 443)

  /// Apple's production host for channels, see ``APNsChannels``.
  public static let productionChannels = APNsEndpoint.custom(
    host: "api-manage-broadcast.push.apple.com", port: 2196)
  /// Apple's development host for channels.
  public static let developmentChannels = APNsEndpoint.custom(
    host: "api-manage-broadcast.sandbox.push.apple.com", port: 2195)

  /// The host that manages the channels of the same environment.
  var channels: APNsEndpoint {
    switch host {
    case Self.production.host: .productionChannels
    case Self.development.host: .developmentChannels
    default: self
    }
  }

  /// Another host, such as a sandbox or a relay.
  ///
  /// - Parameters:
  ///   - host: The host name or address.
  ///   - port: The TCP port.
  /// - Returns: The endpoint.
  public static func custom(host: String, port: UInt16) -> APNsEndpoint {
    APNsEndpoint(host: host, port: port)
  }

  /// Another host, by its URL.
  ///
  /// - Parameter url: `https://host` or `https://host:port`, without a path, query or user.
  /// - Returns: The endpoint.
  /// - Throws: ``APNsError`` with ``APNsError/Code/badEndpoint``.
  public static func custom(url: String) throws(APNsError) -> APNsEndpoint {
    guard let parsed = URL(string: url), parsed.scheme == "https",
      let host = parsed.host(percentEncoded: false), !host.isEmpty,
      parsed.path.isEmpty || parsed.path == "/", parsed.user == nil, parsed.query == nil,
      let port = UInt16(exactly: parsed.port ?? 443)
    else {
      throw APNsError(.badEndpoint, "an APNs endpoint must be https://HOST or https://HOST:PORT")
    }
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    return APNsEndpoint(host: bare, port: port)
  }
}
