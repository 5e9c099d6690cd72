import PushModel

/// The browser in which somebody signs in, as a request shows it.
struct Browser: Sendable {
  /// The session that ends when another one is opened; `nil` if the browser has sent none.
  var session: Session?
  /// The mark of an earlier sign-in.
  var known: KnownBrowser?
  /// The browser's name of itself, the printable characters of `User-Agent`.
  let agent: String

  init(_ session: Session?, known: KnownBrowser?, userAgent: String) {
    self.session = session
    self.known = known
    let printable = userAgent.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }
    agent = String(String(String.UnicodeScalarView(printable)).prefix(200))
  }
}

/// A session that was opened for a person.
struct OpenedSession: Sendable {
  var session: Session
  var account: Account
  /// Whether the session opens the dashboard, or waits for the code of the second factor.
  var isConfirmed: Bool
}
