import _HTTP2Channel
import _TLS

/// The credentials of a pool, the TLS session that stands for them, and whether APNs has accepted them.
struct PoolCredentials {
  /// Waiting pushes are settled as never sent after this many connections that only refused the credentials.
  private static let maxUnprovenConnections = 3

  private var identity: PoolIdentity
  /// The last TLS session, which makes the next handshake shorter.
  private var session: TLSSession?
  /// The number of connections in a row that brought no answer but a refusal of the credentials.
  private(set) var unprovenConnections = 0

  init(_ identity: PoolIdentity) { self.identity = identity }

  var trust: TLSContext { identity.trust }
  /// Whether pushes carry a provider token; otherwise the connection has a certificate.
  var usesTokens: Bool { identity.tokens != nil }
  /// Whether so many connections refused the credentials that another one would also be refused.
  var areRefused: Bool { unprovenConnections >= Self.maxUnprovenConnections }

  /// Changes the credentials, and forgets the state of the old ones.
  mutating func replace(with identity: PoolIdentity) {
    self.identity = identity
    session = nil
    unprovenConnections = 0
  }

  /// The token for the next pushes of a connection; `nil` if the pool uses a certificate.
  mutating func token(
    after current: ProviderTokenSource.Token?, now: Int64
  ) -> ProviderTokenSource.Token? {
    identity.tokens?.token(after: current, now: now)
  }

  /// Whether a push is sent once more, because the answer was about its connection or its provider token.
  mutating func allowsResending(
    after reason: APNsReason, token: ProviderTokenSource.Token?, now: @Sendable () -> Int64
  ) -> Bool {
    switch reason {
    case .expiredProviderToken:
      // Another token on the same connection would not help, so another connection takes the push.
      identity.tokens?.replace(token, now: now()) ?? false
    case .shutdown, .idleTimeout, .unrelatedKeyIdInToken, .tooManyProviderTokenUpdates: true
    default: false
    }
  }

  /// Counts a connection until APNs has answered on it, because a peer that accepts connections and closes them is as
  /// bad as a missing one.
  mutating func connectionOpened() { unprovenConnections += 1 }

  /// APNs has answered something else than a refusal of the credentials.
  mutating func accepted() { unprovenConnections = 0 }

  /// Keeps the TLS session of a connection that has ended, unless it was opened with other credentials.
  mutating func keepSession(of connection: Connection) {
    guard connection.trust === identity.trust else { return }
    if let session = connection.channel.resumableSession { self.session = session }
  }

  /// The TLS session for the next handshake: one of an open connection, else the last one.
  func sessionToResume(from pool: ConnectionPool) -> TLSSession? {
    pool.resumableSession(of: identity.trust) ?? session
  }

  /// Has the next handshake start without a session.
  mutating func dropSession() { session = nil }
}
