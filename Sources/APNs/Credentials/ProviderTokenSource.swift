import PushCrypto
import _OpenSSLCrypto

/// The provider tokens of a pool: each connection keeps one until it is 50 minutes old.
///
/// APNs refuses a token older than 60 minutes, and makes a connection useless that changes its token
/// more often than every 20. So a connection begins with the token of the others only where that will
/// serve it for 20 minutes; else a new one is signed, which the others take when theirs is old.
struct ProviderTokenSource {
  /// A token that was signed.
  struct Token: Equatable {
    /// The value of the `authorization` header.
    let authorization: String
    /// In seconds since 1970.
    let issuedAt: Int64

    /// Whether its age at a time is below a limit.
    ///
    /// A clock that is set back a little makes it one of the future, which APNs takes; by more, and it
    /// might be refused.
    func isYounger(than limit: Int64, at now: Int64) -> Bool {
      (-ProviderTokenSource.setBack..<limit).contains(now - issuedAt)
    }
  }

  static let lifetime: Int64 = 50 * 60
  static let shortestLife: Int64 = 20 * 60
  /// How far the clock may be set back before tokens are signed anew.
  static let setBack: Int64 = 5 * 60

  private let credentials: ProviderTokenCredentials
  private let key: any ES256PrivateKey
  private var newest: Token

  /// Reads the key and signs a first token, so that a bad key shows at once.
  init(_ credentials: ProviderTokenCredentials, now: Int64) throws(APNsError) {
    for (id, what) in [(credentials.teamID, "team id"), (credentials.keyID, "key id")]
    where id.isEmpty || !id.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) {
      throw APNsError(.badCredentials, "the \(what) must be letters and digits, not empty")
    }
    self.credentials = credentials
    do throws(CryptoError) {
      key = try OpenSSLCrypto().privateKey(pem: credentials.privateKeyPEM)
      newest = Token(
        authorization: try Self.authorization(credentials, key, now), issuedAt: now)
    } catch { throw APNsError(.badCredentials, error.message, cause: error) }
  }

  /// The token for a connection's next pushes; `current` is the one it has.
  mutating func token(after current: Token?, now: Int64) -> Token {
    if let current, current.isYounger(than: Self.lifetime, at: now) { return current }
    if !newest.isYounger(than: Self.lifetime - Self.shortestLife, at: now) { sign(now) }
    return newest
  }

  /// Says whether there is, or can be made, another token than one that APNs found too old.
  ///
  /// One that changes within 20 minutes is refused as well, so a young token that is too old for APNs
  /// means that this machine's clock is off.
  mutating func replace(_ old: Token?, now: Int64) -> Bool {
    if let old, old != newest { return true }
    if newest.isYounger(than: Self.shortestLife, at: now) { return false }
    return sign(now)
  }

  /// Signing with a key that signed before does not fail but by want of memory; the old token then goes
  /// out, and APNs says that it has expired.
  @discardableResult
  private mutating func sign(_ now: Int64) -> Bool {
    guard let fresh = try? Self.authorization(credentials, key, now) else { return false }
    newest = Token(authorization: fresh, issuedAt: now)
    return true
  }

  private static func authorization(
    _ credentials: ProviderTokenCredentials, _ key: any ES256PrivateKey, _ now: Int64
  ) throws(CryptoError) -> String {
    let token = try ProviderToken(
      teamID: credentials.teamID, keyID: credentials.keyID, issuedAt: now, signedBy: key)
    return "bearer " + token.compact
  }
}
