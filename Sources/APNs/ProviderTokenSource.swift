import PushCrypto
import _OpenSSLCrypto

/// The provider token in use: one for all pushes, made anew when it is 50 minutes old.
///
/// APNs refuses a token older than 60 minutes, and one that changes more often than every 20.
struct ProviderTokenSource {
  static let lifetime: Int64 = 50 * 60
  static let shortestLife: Int64 = 20 * 60

  private let credentials: ProviderTokenCredentials
  private let key: any ES256PrivateKey
  private var issuedAt: Int64
  /// The value of the `authorization` header.
  private var authorization: String

  /// Reads the key and signs a first token, so that a bad key shows at once.
  init(_ credentials: ProviderTokenCredentials, now: Int64) throws(APNsError) {
    for (id, what) in [(credentials.teamID, "team id"), (credentials.keyID, "key id")]
    where id.isEmpty || !id.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) {
      throw APNsError(.badCredentials, "the \(what) must be letters and digits, not empty")
    }
    self.credentials = credentials
    do throws(CryptoError) {
      key = try OpenSSLCrypto().privateKey(pem: credentials.privateKeyPEM)
      authorization = try Self.authorization(credentials, key, now)
      issuedAt = now
    } catch { throw APNsError(.badCredentials, error.message, cause: error) }
  }

  /// The value of the `authorization` header at a time.
  mutating func authorization(now: Int64) -> String {
    // A clock that went back would make the token one of the future: sign anew then, too.
    if now - issuedAt >= Self.lifetime || now < issuedAt {
      // Signing with a key that signed before does not fail but by want of memory; the old token
      // then goes out, and APNs says that it has expired.
      if let fresh = try? Self.authorization(credentials, key, now) {
        authorization = fresh
        issuedAt = now
      }
    }
    return authorization
  }

  /// Signs anew after APNs found the token too old; `false` where it may not be the token.
  ///
  /// One that changes within 20 minutes is refused as well, so a young token that is too old for APNs
  /// means that this machine's clock is off.
  mutating func renew(now: Int64) -> Bool {
    guard now - issuedAt >= Self.shortestLife || now < issuedAt,
      let fresh = try? Self.authorization(credentials, key, now)
    else { return false }
    authorization = fresh
    issuedAt = now
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
