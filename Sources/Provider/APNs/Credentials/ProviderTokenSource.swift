import PushCrypto
import _OpenSSLCrypto

/// The provider tokens of a pool: each connection uses one until it is 50 minutes old.
///
/// APNs refuses a token older than 60 minutes, and refuses all pushes of a connection that changes its token more
/// often than every 20 minutes. So a new connection shares the token of the others only if that remains valid for 20
/// more minutes. Otherwise a new token is signed; the others change to it when theirs is old.
struct ProviderTokenSource {
  /// A signed token.
  struct Token: Equatable {
    /// The value of the `authorization` header.
    let authorization: String
    /// In seconds since 1970.
    let issuedAt: Int64

    /// Whether its age is below a limit; both in seconds.
    ///
    /// A clock that was set back a little makes a token seem to come from the future, which APNs accepts. Set back
    /// by more than ``maxClockSkew``, the token might be refused.
    func isYounger(than limit: Int64, at now: Int64) -> Bool {
      (-ProviderTokenSource.maxClockSkew..<limit).contains(now - issuedAt)
    }
  }

  /// The seconds that a connection uses a token for.
  static let lifetime: Int64 = 50 * 60
  /// The least seconds that a connection must keep a token.
  static let minLifetime: Int64 = 20 * 60
  /// The seconds that the clock may be set back by before new tokens are signed.
  static let maxClockSkew: Int64 = 5 * 60

  private let credentials: ProviderTokenCredentials
  private let key: any ES256PrivateKey
  private var newest: Token

  /// Reads the key and signs a first token, so that a bad key is found at once.
  init(_ credentials: ProviderTokenCredentials, now: Int64) throws(APNsError) {
    for (id, what) in [(credentials.teamID, "team id"), (credentials.keyID, "key id")]
    where id.isEmpty || !id.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) {
      throw APNsError(.badCredentials, "the \(what) must be letters and digits, not empty")
    }
    self.credentials = credentials
    do throws(CryptoError) {
      key = try OpenSSLCrypto().privateKey(pem: credentials.privateKeyPEM)
      newest = Token(
        authorization: try Self.authorization(credentials, signedBy: key, at: now), issuedAt: now)
    } catch { throw APNsError(.badCredentials, error.message, cause: error) }
  }

  /// The token for a connection's next pushes; `current` is the one that it has, `now` is in seconds since 1970.
  mutating func token(after current: Token?, now: Int64) -> Token {
    if let current, current.isYounger(than: Self.lifetime, at: now) { return current }
    if !newest.isYounger(than: Self.lifetime - Self.minLifetime, at: now) { sign(now) }
    return newest
  }

  /// Makes another token in place of one that APNs found expired, and returns whether there is one.
  ///
  /// If APNs finds a token expired that was signed less than 20 minutes ago, this machine's clock is wrong. Another
  /// token would be refused too.
  mutating func replace(_ old: Token?, now: Int64) -> Bool {
    if let old, old != newest { return true }
    if newest.isYounger(than: Self.minLifetime, at: now) { return false }
    return sign(now)
  }

  /// Signs a new token; returns `false` if that fails.
  ///
  /// With a key that has signed before, it fails only if memory runs out. The old token is then sent, and APNs answers
  /// that it has expired.
  @discardableResult
  private mutating func sign(_ now: Int64) -> Bool {
    guard let value = try? Self.authorization(credentials, signedBy: key, at: now)
    else { return false }
    newest = Token(authorization: value, issuedAt: now)
    return true
  }

  private static func authorization(
    _ credentials: ProviderTokenCredentials, signedBy key: any ES256PrivateKey, at now: Int64
  ) throws(CryptoError) -> String {
    let token = try ProviderToken(
      teamID: credentials.teamID, keyID: credentials.keyID, issuedAt: now, signedBy: key)
    return "bearer " + token.compact
  }
}
