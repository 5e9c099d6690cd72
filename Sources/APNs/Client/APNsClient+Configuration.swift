import FoundationEssentials
import _EventLoop

extension APNsClient {
  /// Everything a client can be told.
  public struct Configuration: Sendable {
    /// What proves to APNs who sends.
    public var credentials: APNsCredentials
    /// Where APNs is.
    public var endpoint: APNsEndpoint
    /// Where channels are made and removed; `nil` for Apple's host beside ``endpoint``, and for ``endpoint``
    /// itself where that is not Apple's.
    public var channelEndpoint: APNsEndpoint?
    /// The proxy between this machine and APNs; `nil` for none.
    public var proxy: APNsProxy?
    /// PEM certificates trusted beside the system's; `nil` adds none.
    public var extraTrustPEM: String?
    /// How long one push may take from the call to its answer; default 30 s.
    ///
    /// Past it the outcome is never-sent or maybe-sent.
    public var requestTimeout: Duration = .seconds(30)
    /// How long name resolution, TCP and TLS may take together; default 10 s.
    public var connectTimeout: Duration = .seconds(10)
    /// How many connections a client may have at once, from 1; default 4.
    ///
    /// One opens with the first push, more where pushes would wait longer than 200 ms; those that are
    /// idle for ten minutes close but for one.
    public var maxConnections = 4
    /// How many pushes may wait for a stream, from 1; default 1,000,000.
    ///
    /// What becomes of those beyond says ``whenQueueIsFull``; those of a sequence always wait outside.
    public var queueLimit = 1_000_000
    /// What becomes of a push where ``queueLimit`` wait already; default ``FullQueue/shed``.
    public var whenQueueIsFull = FullQueue.shed
    /// Whom to tell of each push and connection; `nil` for nobody.
    public var metrics: (any APNsMetrics)?
    /// When a silent peer is asked for a sign of life.
    var keepAlive = KeepAlive()
    /// After how long an idle connection beside others is closed.
    var idleLimit = Duration.seconds(600)
    /// The number of a connection's first stream.
    var firstStream: Int32 = 1
    /// How addresses are found, anew for each connection.
    var resolve: Resolve = SocketAddress.resolve
    /// A number from 0 to 1, which spreads attempts to connect in time.
    var chance: @Sendable () -> Double = { .random(in: 0..<1) }
    /// The time of day in whole seconds since 1970, which the provider token states.
    public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }

    typealias Resolve =
      @Sendable (
        _ host: String, _ port: UInt16,
        _ found: @escaping @Sendable (Result<[SocketAddress], any Error>) -> Void
      ) -> Void

    /// What becomes of a push where the queue is full.
    public struct FullQueue: Hashable, Sendable {
      private enum Raw { case shed, wait }
      private let raw: Raw

      /// It is never sent, and its outcome says so at once: what a server does that answers its own callers
      /// in time.
      public static let shed = FullQueue(raw: .shed)
      /// Its `send` waits for its turn, until its deadline or until its task is cancelled.
      public static let wait = FullQueue(raw: .wait)
    }

    /// Makes a configuration with everything else at its default.
    ///
    /// - Parameters:
    ///   - credentials: What proves to APNs who sends.
    ///   - endpoint: Where APNs is.
    public init(credentials: APNsCredentials, endpoint: APNsEndpoint = .production) {
      self.credentials = credentials
      self.endpoint = endpoint
    }
  }
}

/// Where APNs is.
public struct APNsEndpoint: Hashable, Sendable {
  /// The host name, which the server's certificate must carry.
  public var host: String
  /// The TCP port.
  public var port: UInt16

  /// Apple's production environment.
  public static let production = APNsEndpoint.custom(host: "api.push.apple.com", port: 443)
  /// Apple's development environment, where tokens of development builds live.
  public static let development = APNsEndpoint.custom(
    host: "api.sandbox.push.apple.com", port: 443)

  /// Apple's production host for channels, see ``APNsChannels``.
  public static let productionChannels = APNsEndpoint.custom(
    host: "api-manage-broadcast.push.apple.com", port: 2196)
  /// Apple's development host for channels.
  public static let developmentChannels = APNsEndpoint.custom(
    host: "api-manage-broadcast.sandbox.push.apple.com", port: 2195)

  /// Where channels are managed beside it.
  var channels: APNsEndpoint {
    switch host {
    case Self.production.host: .productionChannels
    case Self.development.host: .developmentChannels
    default: self
    }
  }

  /// Another host: a sandbox, a relay, a test.
  ///
  /// - Parameters:
  ///   - host: The host name or address.
  ///   - port: The TCP port.
  /// - Returns: The endpoint.
  public static func custom(host: String, port: UInt16) -> APNsEndpoint {
    APNsEndpoint(host: host, port: port)
  }

  /// Another host by its URL.
  ///
  /// - Parameter url: `https://host` or `https://host:port`; a path, a user or another scheme is
  ///   refused.
  /// - Returns: The endpoint.
  /// - Throws: ``APNsError`` with ``APNsError/Code/badEndpoint``.
  public static func custom(url: String) throws(APNsError) -> APNsEndpoint {
    guard let parsed = URL(string: url), parsed.scheme == "https",
      let host = parsed.host(percentEncoded: false), !host.isEmpty,
      parsed.path.isEmpty || parsed.path == "/", parsed.user == nil, parsed.query == nil,
      let port = UInt16(exactly: parsed.port ?? 443)
    else { throw APNsError(.badEndpoint, "an APNs endpoint is https://HOST or https://HOST:PORT") }
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    return APNsEndpoint(host: bare, port: port)
  }
}
