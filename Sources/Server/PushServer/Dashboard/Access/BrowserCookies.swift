import PushCrypto
import PushModel
import _HTTPServer

/// The cookies of the dashboard, which its browsers keep and only this server opens.
struct BrowserCookies: Sendable {
  let secretKey: SecretKey
  /// Whether browsers reach the server over https only.
  let isSecure: Bool
  let now: Timestamp

  // MARK: Reading

  /// The session of a request; `nil` if it has none, or if it has expired.
  ///
  /// It may have been ended, for which ``RequestContext/session(_:)`` asks the store.
  func session(in request: HTTPRequest) -> Session? {
    Session(sealed: value(of: .session, in: request), with: secretKey, at: now)
  }

  /// Whether a request has a session that was sealed before the server's secret was replaced.
  func hasForeignSession(in request: HTTPRequest) -> Bool {
    value(of: .session, in: request).flatMap { Base64URL.decode($0) }.map(secretKey.isForeign)
      ?? false
  }

  /// The mark of a request's browser; `nil` if nobody has signed in with it.
  func knownBrowser(in request: HTTPRequest) -> KnownBrowser? {
    KnownBrowser(sealed: value(of: .knownBrowser, in: request), with: secretKey, at: now)
  }

  /// The sign-in with a provider that a request's browser has begun; `nil` if there is none.
  func providerAttempt(in request: HTTPRequest) -> ProviderAttempt? {
    ProviderAttempt(sealed: value(of: .providerAttempt, in: request), with: secretKey, at: now)
  }

  private func value(of cookie: SealedCookie, in request: HTTPRequest) -> String? {
    cookie.value(in: request, secure: isSecure)
  }

  // MARK: The headers that set them

  func keeping(_ session: Session) -> (name: String, value: String) {
    SealedCookie.session.header(
      session.sealed(with: secretKey), for: session.expiresAt.since(now), secure: isSecure)
  }

  func keeping(_ browser: KnownBrowser) -> (name: String, value: String) {
    SealedCookie.knownBrowser.header(
      browser.sealed(with: secretKey), for: KnownBrowser.lifetime, secure: isSecure)
  }

  func keeping(_ attempt: ProviderAttempt) -> (name: String, value: String) {
    SealedCookie.providerAttempt.header(
      attempt.sealed(with: secretKey), for: ProviderAttempt.lifetime, secure: isSecure)
  }

  var withoutSession: (name: String, value: String) {
    SealedCookie.session.expired(secure: isSecure)
  }

  var withoutProviderAttempt: (name: String, value: String) {
    SealedCookie.providerAttempt.expired(secure: isSecure)
  }
}

extension Router {
  var cookies: BrowserCookies {
    BrowserCookies(secretKey: secretKey, isSecure: site.isSecure, now: clock.now())
  }
}

extension RequestContext {
  /// The session of the call; `nil` if it has none, or if the session has expired or was ended.
  ///
  /// A form with the token of an ended session is refused, so a page that keeps such a session is of no use.
  func session(_ router: Router) async throws -> Session? {
    guard let session = router.cookies.session(in: request),
      try await !router.store.hasEnded(session: session.id)
    else { return nil }
    return session
  }

  /// The browser of the call.
  ///
  /// `session` is the session that ends when another one is opened.
  func browser(_ session: Session?, _ router: Router) -> Browser {
    Browser(
      session, known: router.cookies.knownBrowser(in: request),
      userAgent: request.header("User-Agent") ?? "")
  }
}
