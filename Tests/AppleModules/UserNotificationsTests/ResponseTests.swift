import Foundation
import Testing
import UserNotifications

@Suite("The replacement of URLResponse and HTTPCookie")
struct ResponseTests {
  /// A response, and the name that Foundation suggests.
  struct Name: Sendable {
    var url: String
    var type: String?
    var disposition: String?
    var name: String
  }

  // Source: Apple, `URLResponse.suggestedFilename`, RFC 6266 and RFC 8187.
  @Test(
    "a suggested file name is that of the header, the path or the host",
    arguments: [
      Name(url: "https://a.com/b/picture.png", type: "image/png", name: "picture.png"),
      Name(url: "https://a.com/b/picture.JPG", type: "image/jpeg", name: "picture.JPG"),
      Name(url: "https://a.com/b/picture", type: "image/jpeg", name: "picture.jpeg"),
      Name(url: "https://a.com/show.php?id=1", type: "image/gif", name: "show.php.gif"),
      Name(url: "https://a.com/b/picture.png", type: "x-unknown/x", name: "picture.png"),
      Name(url: "https://a.com/b/picture.png", name: "picture.png"),
      Name(url: "https://a.com/", type: "text/html", name: "a.com.html"),
      Name(url: "https://a.com", name: "a.com"), Name(url: "file:///", name: "unknown"),
      Name(
        url: "https://a.com/b", type: "image/png", disposition: "attachment; filename=\"c d.png\"",
        name: "c d.png"),
      Name(url: "https://a.com/b", disposition: "inline; filename=c.png", name: "c.png"),
      Name(
        url: "https://a.com/b", type: "image/png", disposition: "attachment; filename=\"a;b\"",
        name: "a;b.png"),
      Name(
        url: "https://a.com/b",
        disposition: "attachment; filename=plain.png; filename*=UTF-8''%C3%A4.png", name: "ä.png"),
      Name(
        url: "https://a.com/b", disposition: "attachment; filename=\"../../c.png\"", name: "c.png"),
      Name(url: "https://a.com/b.png", disposition: "attachment; filename=\"..\"", name: "b.png"),
      Name(url: "https://a.com/b.png", disposition: "attachment", name: "b.png"),
    ])
  func fileName(expected: Name) throws {
    let fields = [("Content-Type", expected.type), ("Content-Disposition", expected.disposition)]
    let response = HTTPURLResponse(
      url: try #require(URL(string: expected.url)), statusCode: 200, httpVersion: nil,
      headerFields: Dictionary(
        uniqueKeysWithValues: fields.compactMap { key, value in value.map { (key, $0) } }))
    #expect(response?.suggestedFilename == expected.name)
  }

  /// A cookie that a server sets, and whether it is sent to a URL.
  struct Cookie: Sendable {
    var field: String
    var url: String
    var isSent: Bool
  }

  // Source: RFC 6265 sections 5.1.3, 5.1.4 and 5.4.
  @Test(
    "a cookie is sent to its domain and path until it expires",
    arguments: [
      Cookie(field: "a=1", url: "https://x.com/b", isSent: true),
      Cookie(field: "a=1", url: "https://sub.x.com/", isSent: false),
      Cookie(field: "a=1; Domain=x.com", url: "https://sub.x.com/", isSent: true),
      Cookie(field: "a=1; Domain=.x.com", url: "https://x.com/", isSent: true),
      Cookie(field: "a=1; Domain=other.com", url: "https://other.com/", isSent: false),
      Cookie(field: "a=1; Path=/b", url: "https://x.com/b", isSent: true),
      Cookie(field: "a=1; Path=/b", url: "https://x.com/b/c", isSent: true),
      Cookie(field: "a=1; Path=/b", url: "https://x.com/bc", isSent: false),
      Cookie(field: "a=1; Secure", url: "http://x.com/", isSent: false),
      Cookie(field: "a=1; Max-Age=60", url: "https://x.com/", isSent: true),
      Cookie(field: "a=1; Max-Age=0", url: "https://x.com/", isSent: false),
      Cookie(
        field: "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", url: "https://x.com/", isSent: false),
      Cookie(field: "=1", url: "https://x.com/", isSent: false),
    ])
  func cookies(cookie: Cookie) throws {
    let storage = HTTPCookieStorage()
    let source = try #require(URL(string: "https://x.com/login"))
    storage.setCookies(
      HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": cookie.field], for: source),
      for: source, mainDocumentURL: nil)
    let sent = storage.cookies(for: try #require(URL(string: cookie.url))) ?? []
    #expect(HTTPCookie.requestHeaderFields(with: sent) == (cookie.isSent ? ["Cookie": "a=1"] : [:]))
  }
}
