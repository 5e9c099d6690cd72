import FoundationEssentials

extension APNsClient {
  /// Everything a client can be told.
  public struct Configuration: Sendable {
    /// What proves to APNs who sends.
    public var credentials: APNsCredentials
    /// Where APNs is.
    public var endpoint: APNsEndpoint
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
    /// Those beyond are never sent. A caller that wants to be slowed down in place of refused sends a sequence.
    public var queueLimit = 1_000_000
    /// Whom to tell of each push and connection; `nil` for nobody.
    public var metrics: (any APNsMetrics)?
    /// When a silent peer is asked for a sign of life.
    var vitals = Vitals()
    /// The time of day in whole seconds since 1970, which the provider token states.
    public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }

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
