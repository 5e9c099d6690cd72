import FoundationEssentials

extension APNsSandbox {
  /// Everything a sandbox can be told.
  public struct Configuration: Sendable {
    /// The address to listen on; default 127.0.0.1.
    public var host = "127.0.0.1"
    /// The port to listen on; 0, the default, takes a free one.
    public var port: UInt16 = 0
    /// The server's certificate and what it chains to, in PEM.
    public var certificatePEM: String
    /// The certificate's private key in PEM.
    public var keyPEM: String
    /// The keys whose signatures count; with none, the default, signatures are not checked.
    public var providerKeys: [ProviderKey] = []
    /// PEM certificates of the authorities whose push certificates are taken; `nil` takes any authority's.
    ///
    /// A provider may show a push certificate in the TLS handshake instead of provider tokens. Its topics
    /// are looked at either way, and when it ends.
    public var clientAuthorityPEM: String?
    /// Whether provider tokens must be exactly as RFC 7515 and Apple's text say; default `false`.
    ///
    /// APNs takes padded base 64, ASN.1 signatures, a header without `alg` and a time as text or in
    /// milliseconds, as Apple's own sample token has them. Strict refuses those.
    public var strictJWT = false
    /// How many streams a connection may have; default 1000.
    public var maxStreams = 1000
    /// Whether a connection has one stream until its first valid provider token; default `false`.
    ///
    /// APNs does so. A client that opens streams before it has read the settings then sees them refused.
    public var slowStart = false
    /// How long answers wait; default not at all.
    public var latency = Latency.none
    /// Where the chance in ``latency`` comes from; default the system's.
    public var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    /// What ``latency`` and the time-outs are measured by; default the system's.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// How long a connection may be without a request, where none waits for its answer; default an hour.
    ///
    /// It is then told `IdleTimeout`. A PING is no request, but keeps the connection.
    public var idleTimeout = Duration.seconds(3600)
    /// How long a provider may take for the TLS handshake; default 10 seconds.
    public var handshakeTimeout = Duration.seconds(10)
    /// How long a provider may take to send a request whole, or to take its answers; default 30 seconds.
    ///
    /// The connection of one that takes longer is closed.
    public var slowTimeout = Duration.seconds(30)
    /// Tokens that are gone, in hexadecimal, with the time in milliseconds since 1970.
    public var goneTokens: [String: Int64] = [:]
    /// Tokens that have expired (410 `ExpiredToken`), in hexadecimal, with the time in milliseconds.
    public var expiredTokens: [String: Int64] = [:]
    /// Tokens of the other environment (400 `BadDeviceToken`), in hexadecimal.
    public var foreignTokens: Set<String> = []
    /// The bundle ids of the apps that tokens, in hexadecimal, belong to; others belong to every app.
    ///
    /// A push to one for another topic is answered 400 `DeviceTokenNotForTopic`.
    public var apps: [String: String] = [:]
    /// Takes one JSON line a request; called on the sandbox's threads, one call at a time, so it should be
    /// quick.
    public var journal: (@Sendable (String) -> Void)?
    /// Takes each accepted push, after its line of the journal; called as the journal is.
    public var onDelivery: (@Sendable (SandboxDelivery) -> Void)?
    /// The time of day in milliseconds since 1970.
    public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
    /// What goes wrong on purpose, and when; default nothing.
    public var script = FaultScript()

    /// Makes a configuration with everything else at its default.
    ///
    /// - Parameters:
    ///   - certificatePEM: The server's certificate and what it chains to.
    ///   - keyPEM: The certificate's private key.
    public init(certificatePEM: String, keyPEM: String) {
      self.certificatePEM = certificatePEM
      self.keyPEM = keyPEM
    }
  }

  /// A key whose provider tokens are accepted.
  public struct ProviderKey: Sendable {
    /// The team it belongs to.
    public var teamID: String
    /// Its id.
    public var keyID: String
    /// The `.p8` file's text or the public key in PEM.
    public var pem: String
    /// The bundle ids that it is for; `nil`, the default, is every app of the team.
    ///
    /// Such a key cannot share a connection with another, but for ``relatedKeyID``.
    public var bundleIDs: Set<String>?
    /// The key that may take turns with a key of some bundle ids.
    public var relatedKeyID: String?
    /// Whether it is a key of the other environment (403 `BadEnvironmentKeyIdInToken`).
    public var isForeign = false

    /// Makes a provider key for every app of its team.
    ///
    /// - Parameters:
    ///   - teamID: The team it belongs to.
    ///   - keyID: Its id.
    ///   - pem: The `.p8` file's text or the public key in PEM.
    public init(teamID: String, keyID: String, pem: String) {
      self.teamID = teamID
      self.keyID = keyID
      self.pem = pem
    }
  }
}

/// A push that the sandbox accepted.
public struct SandboxDelivery: Sendable {
  /// The device token, as the path had it.
  public var token: String
  /// The `apns-topic` header, or the one topic of the provider's certificate where it was left out.
  public var topic: String
  /// The `apns-push-type` header; `alert` where it was left out.
  public var pushType: String
  /// All headers but `authorization` and the pseudo-headers.
  public var headers: [String: String]
  /// The body.
  public var payload: [UInt8]
  /// The `apns-id` of the answer.
  public var apnsID: String
  /// The `apns-collapse-id` header.
  public var collapseID: String?
  /// When it was accepted, in milliseconds since 1970.
  public var time: Int64
  /// The number of the provider's connection, as the journal has it.
  public var connection: Int
  /// The number of the stream on that connection, as the journal has it.
  public var stream: Int
}
