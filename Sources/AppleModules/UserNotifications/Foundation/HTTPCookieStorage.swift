public import Foundation
import Synchronization

/// Foundation's `HTTPCookieStorage`, which keeps cookies in memory.
open class HTTPCookieStorage: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: the state is protected by a lock.

  private let stored = Mutex<[HTTPCookie]>([])

  /// The cookies of the extension, which end with its run.
  open class var shared: HTTPCookieStorage { UNWorld.currentOrLast.sessions.cookies(of: nil) }

  /// The cookies that have not expired.
  open var cookies: [HTTPCookie]? {
    stored.withLock { $0.filter { $0.expiresDate.map { $0 > Date() } ?? true } }
  }

  /// The policy for storing cookies; it has no effect on Linux.
  public var cookieAcceptPolicy: HTTPCookie.AcceptPolicy { .onlyFromMainDocumentDomain }

  /// The cookies that are sent to a URL.
  ///
  /// - Parameter URL: The URL.
  /// - Returns: The cookies.
  open func cookies(for URL: URL) -> [HTTPCookie]? {
    stored.withLock { $0.filter { $0.matches(URL) } }
  }

  /// Stores a cookie in place of one with the same name, domain and path; one that has expired removes it.
  ///
  /// - Parameter cookie: The cookie.
  open func setCookie(_ cookie: HTTPCookie) {
    deleteCookie(cookie)
    guard cookie.expiresDate.map({ $0 > Date() }) ?? true else { return }
    stored.withLock { $0.append(cookie) }
  }

  /// Stores cookies.
  ///
  /// - Parameters:
  ///   - cookies: The cookies.
  ///   - URL: Unused.
  ///   - mainDocumentURL: Unused.
  open func setCookies(_ cookies: [HTTPCookie], for URL: URL?, mainDocumentURL: URL?) {
    for cookie in cookies { setCookie(cookie) }
  }

  /// Removes the cookie with the same name, domain and path.
  ///
  /// - Parameter cookie: The cookie.
  open func deleteCookie(_ cookie: HTTPCookie) {
    stored.withLock { cookies in
      cookies.removeAll {
        ($0.name, $0.domain, $0.path) == (cookie.name, cookie.domain, cookie.path)
      }
    }
  }

  /// Removes all cookies, because they were all stored in this run.
  ///
  /// - Parameter date: Unused.
  open func removeCookies(since date: Date) { stored.withLock { $0 = [] } }

  /// Stores the cookies of a response.
  func setCookies(of response: HTTPURLResponse) {
    guard let url = response.url, let field = response.value(forHTTPHeaderField: "Set-Cookie")
    else { return }
    for cookie in HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field], for: url) {
      setCookie(cookie)
    }
  }
}
