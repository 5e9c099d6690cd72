import PushCrypto
import PushPayload
import PushStore
import _HTTPServer

/// The mark of a browser in which a person has signed in, kept there in an encrypted cookie.
///
/// It opens nothing. It gives the browser its own attempts, so that a person can sign in while others try passwords
/// for the account.
struct KnownBrowser: Equatable, Sendable {
  /// The time after the last sign-in for which a browser stays known.
  static let lifetime = Duration.seconds(90 * 24 * 3600)
  /// The owner of the sealed value, which belongs to nobody in particular.
  private static let owner = "known browser"
  private static let plainCookieName = "martlet_browser"
  private static let secureCookieName = "__Host-martlet_browser"

  let id: String
  /// The id of the account.
  let account: String
  let email: String
  let expiresAt: Timestamp

  init(of account: Account, at now: Timestamp) {
    id = Identifiers.makeObjectID()
    self.account = account.id
    email = account.email
    expiresAt = now + Self.lifetime
  }

  /// Reads the cookie of a request; `nil` if the request has no such cookie, or if it has expired.
  init?(
    _ request: HTTPRequest, sealedWith secret: SecretKey, secure: Bool, at now: Timestamp
  ) {
    guard
      let value = SealedMembers(
        request.cookie(Self.cookieName(secure: secure)), with: secret, for: Self.owner, at: now),
      let id = value["id"]?.string, let account = value["account"]?.string,
      let email = value["email"]?.string
    else { return nil }
    (self.id, self.account, self.email) = (id, account, email)
    expiresAt = value.expiresAt
  }

  /// The `Set-Cookie` header that keeps the mark until it expires.
  func cookie(sealedWith secret: SecretKey, secure: Bool) -> (String, String) {
    let members: [String: JSONValue] = [
      "id": .string(id), "account": .string(account), "email": .string(email),
    ]
    let sealed = SealedMembers(members, until: expiresAt).sealed(with: secret, for: Self.owner)
    let seconds = Self.lifetime.components.seconds
    return (
      "Set-Cookie",
      "\(Self.cookieName(secure: secure))=\(sealed); Path=/; Max-Age=\(seconds); HttpOnly;"
        + " SameSite=Strict" + (secure ? "; Secure" : "")
    )
  }

  private static func cookieName(secure: Bool) -> String {
    secure ? secureCookieName : plainCookieName
  }
}

extension API {
  /// The mark of a request's browser; `nil` if nobody has signed in with it.
  func knownBrowser(_ call: Call) -> KnownBrowser? {
    KnownBrowser(
      call.request, sealedWith: secretKey, secure: site.isSecure, at: clock.now())
  }

  /// The header that marks a browser as known to an account, whose person has just signed in completely.
  func knownBrowserCookie(of account: Account) -> (name: String, value: String) {
    let cookie = KnownBrowser(of: account, at: clock.now())
      .cookie(sealedWith: secretKey, secure: site.isSecure)
    return (name: cookie.0, value: cookie.1)
  }
}
