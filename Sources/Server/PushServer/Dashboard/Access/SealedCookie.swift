import Foundation
import _HTTPServer

/// A cookie in which a browser keeps what the server has sealed.
struct SealedCookie: Sendable {
  static let session = SealedCookie("martlet_session", sameSite: "Strict")
  static let knownBrowser = SealedCookie("martlet_browser", sameSite: "Strict")
  /// The provider's site leads the browser back, and browsers then send only `Lax` cookies.
  static let providerAttempt = SealedCookie("martlet_provider", sameSite: "Lax")

  private let plainName: String
  private let sameSite: String

  private init(_ plainName: String, sameSite: String) {
    (self.plainName, self.sameSite) = (plainName, sameSite)
  }

  /// Over https, browsers accept a cookie with the prefix only from this host and with `Secure`.
  private func name(secure: Bool) -> String { (secure ? "__Host-" : "") + plainName }

  /// The value that a request has sent; `nil` if it has sent none.
  func value(in request: HTTPRequest, secure: Bool) -> String? {
    request.cookie(name(secure: secure))
  }

  /// The `Set-Cookie` header that keeps a value for a time.
  func header(_ value: String, for time: Duration, secure: Bool) -> (name: String, value: String) {
    let seconds = max(0, time.components.seconds)
    let header =
      "\(name(secure: secure))=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=\(sameSite)"
    return ("Set-Cookie", header + (secure ? "; Secure" : ""))
  }

  /// The `Set-Cookie` header that deletes the cookie.
  func expired(secure: Bool) -> (name: String, value: String) {
    header("", for: .zero, secure: secure)
  }
}

extension HTTPRequest {
  /// The most bytes of a cookie, with its name, that browsers keep (RFC 6265, section 6.1).
  static let cookieLimit = 4096

  /// The value of a cookie; `nil` if the request has no such cookie, or if it is longer than browsers keep.
  fileprivate func cookie(_ name: String) -> String? {
    let prefix = name + "="
    let cookies = headers.filter { $0.name.lowercased() == "cookie" }
      .flatMap { $0.value.split(separator: ";") }.map { $0.trimmingCharacters(in: .whitespaces) }
    guard let cookie = cookies.first(where: { $0.hasPrefix(prefix) }),
      cookie.utf8.count <= Self.cookieLimit
    else { return nil }
    return String(cookie.dropFirst(prefix.count))
  }
}
