import PushCrypto
import PushPayload
import PushStore
import _HTTPServer
import _OpenSSLCrypto

/// A sign-in with a provider that has begun, kept in an encrypted cookie while the provider asks its user.
///
/// The provider leads the browser back from another site, and browsers then send only cookies that are
/// `SameSite=Lax`. This cookie opens nothing by itself.
struct ProviderAttempt: Sendable, Equatable {
  /// The purpose of the sign-in.
  enum Goal: Sendable, Equatable {
    /// Signs in, and then opens the path or submits the form.
    case signIn(next: String?, savedForm: String?)
    /// Uses an invitation, or a link for a new password, by its token.
    case invitation(String)
    /// Connects the provider to the account that has a session with this hash.
    case connection(session: [UInt8])
  }

  /// The time that a person has for the provider's pages.
  static let lifetime = Duration.seconds(600)
  /// The largest size of a saved form in bytes, which leaves room in the cookie for the rest.
  static let savedFormLimit = 2400
  /// The largest size in bytes of the path to open after signing in.
  static let nextLimit = 300
  /// The owner of the sealed value, which belongs to nobody in particular.
  private static let owner = "sign-in with a provider"
  private static let plainCookieName = "martlet_provider"
  private static let secureCookieName = "__Host-martlet_provider"

  let secrets: OpenIDClient.Secrets
  let goal: Goal
  /// The name under which the store remembers that the attempt was used.
  var id: [UInt8] { OpenSSLCrypto.sha256(Array(secrets.state.utf8)) }
  let expiresAt: Timestamp

  init(for goal: Goal, at now: Timestamp) {
    secrets = .make()
    self.goal = goal
    expiresAt = now + Self.lifetime
  }

  /// Reads the cookie of a request; `nil` if the request has no such cookie, or if it has expired.
  init?(
    _ request: HTTPRequest, sealedWith secret: SecretKey, secure: Bool, at now: Timestamp
  ) {
    guard
      let value = SealedMembers(
        request.cookie(Self.cookieName(secure: secure)), with: secret, for: Self.owner, at: now),
      let state = value["state"]?.string, let nonce = value["nonce"]?.string,
      let verifier = value["verifier"]?.string
    else { return nil }
    secrets = .init(state: state, nonce: nonce, verifier: verifier)
    expiresAt = value.expiresAt
    if let token = value["invitation"]?.string {
      goal = .invitation(token)
    } else if let session = value["session"]?.string.flatMap({ Base64URL.decode($0) }) {
      goal = .connection(session: session)
    } else {
      goal = .signIn(next: value["next"]?.string, savedForm: value["kept"]?.string)
    }
  }

  /// The `Set-Cookie` header that keeps the attempt until it expires.
  func cookie(sealedWith secret: SecretKey, secure: Bool) -> (String, String) {
    var members: [String: JSONValue] = [
      "state": .string(secrets.state), "nonce": .string(secrets.nonce),
      "verifier": .string(secrets.verifier),
    ]
    switch goal {
    case .signIn(let next, let savedForm):
      members["next"] = next.flatMap { $0.utf8.count <= Self.nextLimit ? .string($0) : nil }
      members["kept"] = savedForm.flatMap {
        $0.utf8.count <= Self.savedFormLimit ? .string($0) : nil
      }
    case .invitation(let token): members["invitation"] = .string(token)
    case .connection(let session): members["session"] = .string(Base64URL.encode(session))
    }
    let sealed = SealedMembers(members, until: expiresAt).sealed(with: secret, for: Self.owner)
    return Self.header(sealed, seconds: Self.lifetime.components.seconds, secure: secure)
  }

  /// The `Set-Cookie` header that deletes the attempt.
  static func expiredCookie(secure: Bool) -> (String, String) {
    header("", seconds: 0, secure: secure)
  }

  private static func cookieName(secure: Bool) -> String {
    secure ? secureCookieName : plainCookieName
  }

  private static func header(_ value: String, seconds: Int64, secure: Bool) -> (String, String) {
    (
      "Set-Cookie",
      "\(cookieName(secure: secure))=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax"
        + (secure ? "; Secure" : "")
    )
  }
}
