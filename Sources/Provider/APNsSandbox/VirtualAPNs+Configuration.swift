import FoundationEssentials

extension VirtualAPNs {
  /// The configuration of a sandbox.
  public struct Configuration: Sendable {
    /// The address to listen on; 127.0.0.1 by default.
    public var host = "127.0.0.1"
    /// The port to listen on; 0, the default, chooses a free one.
    public var port: UInt16 = 0
    /// The server's certificate in PEM, followed by its intermediates.
    public var certificatePEM: String
    /// The certificate's private key in PEM.
    public var keyPEM: String
    /// The keys that provider tokens must be signed with; without any, the default, signatures are not checked.
    public var providerKeys: [ProviderKey] = []
    /// PEM certificates of the authorities that push certificates must be signed by; `nil`, the default, for any.
    ///
    /// A provider may use a push certificate in the TLS handshake instead of provider tokens. Its topics and its
    /// validity are checked either way.
    public var clientAuthorityPEM: String?
    /// Whether provider tokens must follow RFC 7515 and Apple's documentation exactly; `false` by default.
    ///
    /// APNs accepts padded base64, ASN.1 signatures, a header without `alg`, and a time of issue as a string or in
    /// milliseconds, as in Apple's sample token. With `true` those are refused.
    public var strictJWT = false
    /// The most streams of a connection; 1000 by default.
    public var maxStreams = 1000
    /// Whether a connection has one stream until its first valid provider token, as with APNs; `false` by default.
    ///
    /// A client that opens more streams before it has read the settings sees them refused.
    public var slowStart = false
    /// The delay of answers; none by default.
    public var latency = Latency.none
    /// The generator for ``latency``; the system's by default.
    public var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    /// The clock for ``latency`` and the timeouts; the system's by default.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The idle time after which a connection is closed with `IdleTimeout`; an hour by default.
    ///
    /// A connection is idle while the provider sends nothing, not even a PING, and no answer is due.
    public var idleTimeout = Duration.seconds(3600)
    /// The time within which a provider must finish the TLS handshake; 10 seconds by default.
    public var handshakeTimeout = Duration.seconds(10)
    /// The time within which a provider must send a complete request, or read answers, before the connection is closed;
    /// 30 seconds by default.
    public var slowTimeout = Duration.seconds(30)
    /// Device tokens that are no longer active (410 `Unregistered`), in hexadecimal, with the time in milliseconds
    /// since 1970.
    public var goneTokens: [String: Int64] = [:]
    /// Device tokens that have expired (410 `ExpiredToken`), in hexadecimal, with the time in milliseconds since 1970.
    public var expiredTokens: [String: Int64] = [:]
    /// Device tokens of the other environment (400 `BadDeviceToken`), in hexadecimal.
    public var foreignTokens: Set<String> = []
    /// The bundle ids of the apps that device tokens, in hexadecimal, belong to; other tokens belong to every app.
    ///
    /// A push to such a token for another app is refused with 400 `DeviceTokenNotForTopic`. A topic in place of the bundle
    /// id, such as `com.example.app.push-type.widgets`, makes it the token of a widget, which takes no other push.
    public var apps: [String: String] = [:]
    /// The device tokens, in hexadecimal, of the devices that are offline at first.
    ///
    /// ``VirtualAPNs/reconnect(_:)`` brings one back, ``VirtualAPNs/disconnect(_:)`` takes one offline.
    public var offlineTokens: Set<String> = []
    /// The pushes that are kept for a device that is offline; the last of each app by default.
    ///
    /// At most 10,000 are kept for all devices together, each for at most 30 days and until its `apns-expiration`.
    public var offlineStorage = OfflineStorage.last
    /// Decides about each push to a device that all checks accept; `nil`, the default, accepts them.
    ///
    /// It is called with the push before its line of the journal, under the same conditions as ``onDelivery``. It is
    /// not called for a push that a fault script answers.
    public var decide: (@Sendable (SandboxDelivery) -> SandboxDecision)?
    /// Called with one line of JSON for each request, and for what becomes of a push to a device that is offline.
    ///
    /// The calls come from the sandbox's threads, one at a time, and should return quickly.
    public var journal: (@Sendable (String) -> Void)?
    /// Called with each accepted push, after its line of the journal and under the same conditions.
    ///
    /// With a push to a device that is offline it is called once the device is back, if the push was kept.
    public var onDelivery: (@Sendable (SandboxDelivery) -> Void)?
    /// Returns the time in milliseconds since 1970.
    public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
    /// The fault script; empty by default.
    public var script = FaultScript()

    /// Makes a configuration with default values for everything else.
    ///
    /// - Parameters:
    ///   - certificatePEM: The server's certificate in PEM, followed by its intermediates.
    ///   - keyPEM: The certificate's private key in PEM.
    public init(certificatePEM: String, keyPEM: String) {
      self.certificatePEM = certificatePEM
      self.keyPEM = keyPEM
    }
  }

  /// A key whose provider tokens are accepted.
  public struct ProviderKey: Sendable {
    /// The team id.
    public var teamID: String
    /// The key id.
    public var keyID: String
    /// The text of the `.p8` file, or the public key in PEM.
    public var pem: String
    /// The bundle ids that the key is limited to; `nil`, the default, for every app of the team.
    ///
    /// A limited key cannot share a connection with another key, except with ``relatedKeyID``.
    public var bundleIDs: Set<String>?
    /// The id of the key that a limited key may share a connection with.
    public var relatedKeyID: String?
    /// Whether it is a key of the other environment (403 `BadEnvironmentKeyIdInToken`).
    public var isForeign = false

    /// Makes a provider key for every app of its team.
    ///
    /// - Parameters:
    ///   - teamID: The team id.
    ///   - keyID: The key id.
    ///   - pem: The text of the `.p8` file, or the public key in PEM.
    public init(teamID: String, keyID: String, pem: String) {
      self.teamID = teamID
      self.keyID = keyID
      self.pem = pem
    }
  }
}

/// A push that the sandbox accepts.
public struct SandboxDelivery: Sendable {
  /// The device token, as in the path.
  public var token: String
  /// The `apns-topic` header, or else the only topic of the provider's certificate.
  public var topic: String
  /// The `apns-push-type` header, or else `alert`.
  public var pushType: String
  /// All headers except `authorization` and the pseudo-headers.
  public var headers: [String: String]
  /// The body.
  public var payload: [UInt8]
  /// The `apns-id` of the answer.
  public var apnsID: String
  /// The `apns-collapse-id` header.
  public var collapseID: String?
  /// The time at which it was accepted, in milliseconds since 1970.
  public var time: Int64
  /// The number of the provider's connection, as in the journal.
  public var connection: Int
  /// The number of the stream on that connection, as in the journal.
  public var stream: Int
}
