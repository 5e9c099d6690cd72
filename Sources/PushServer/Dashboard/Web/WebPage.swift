import Markup
import PushPayload
import PushStore
import _HTTPServer

/// One page: the frame around what it shows, and the headers that keep it apart from other sites.
struct WebPage: Sendable {
  var title: String
  var section: Section?
  var main: HTML
  /// Modules beside `page.js`, by file name.
  var scripts: [String] = []
  /// Whether the browser shall ask for it again at once.
  var refreshes = false

  /// Nothing but our own files, no inline script or style, and no other site around us.
  static let contentSecurityPolicy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:",
    "media-src 'self'", "connect-src 'self'", "form-action 'self'", "frame-ancestors 'none'",
    "base-uri 'none'", "require-trusted-types-for 'script'",
  ].joined(separator: "; ")

  static let headers: [(String, String)] = [
    ("Content-Security-Policy", contentSecurityPolicy), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
  ]

  /// The page as somebody who has signed in sees it, or, without a visit, anybody.
  func response(
    status: Int = 200, for visit: Visit? = nil, headers: [(String, String)] = []
  ) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [("Content-Type", "text/html; charset=utf-8")] + Self.headers + headers,
      body: html(for: visit).bytes)
  }

  private func html(for visit: Visit?) -> HTML {
    let scripts = (["page.js"] + scripts).map { name -> HTML in
      "<script type=\"module\" src=\"\(WebAssets.path(name))\"></script>\n"
    }
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      \("<meta http-equiv=\"refresh\" content=\"0\">\n", if: refreshes)<title>\(title) · Martlet</title>
      <link rel="stylesheet" href="\(WebAssets.path("style.css"))">
      <link rel="icon" type="image/svg+xml" href="\(WebAssets.path("icon.svg"))">
      \(scripts)</head>
      <body>
      <a class="skip" href="#main">Skip to the content</a>
      <header class="top">
      <a class="brand" href="/"><img src="\(WebAssets.path("icon.svg"))" alt="">Martlet</a>
      \(visit.map(bar))</header>
      <main id="main" tabindex="-1">
      \(main)
      </main>
      </body>
      </html>

      """
  }

  private func bar(_ visit: Visit) -> HTML {
    let links = visit.sections.map { section -> HTML in
      """
      <li><a href="\(visit.path(section))"\(" aria-current=\"page\"", if: section == self.section)>\
      \(section.title)</a></li>
      """
    }
    return """
      <nav aria-label="Sections"><ul>\(links)</ul></nav>
      <div class="account">
      \(appChoice(visit))
      <form method="post" action="/sign-out">\(visit.session.tokenField)\
      <button class="quiet">Sign out</button></form>
      </div>

      """
  }

  /// The app looked at; a menu where the session opens others, or may.
  private func appChoice(_ visit: Visit) -> HTML {
    let others = visit.apps.filter { $0.id != visit.app.id }.map { app -> HTML in
      "<li><a href=\"/apps/\(app.id)/\((section ?? .compose).rawValue)\">\(app.name)</a></li>"
    }
    return """
      <details class="menu"><summary><span class="hidden">App: </span>\(visit.app.name)</summary>
      <ul>\(others)<li><a href="/sign-in">Sign in to another app</a></li></ul></details>
      """
  }
}

extension Session {
  /// What every form of ours carries.
  var tokenField: HTML { "<input type=\"hidden\" name=\"token\" value=\"\(formToken)\">" }
}

extension HTML {
  /// A moment, which a script shows in the viewer's own zone.
  static func time(_ time: Timestamp) -> HTML {
    "<time datetime=\"\(time.iso8601)\">\(time.words)</time>"
  }

  /// A moment to the second.
  static func second(_ time: Timestamp) -> HTML {
    let words = time.iso8601.prefix(19).replacing("T", with: " ") + " UTC"
    return "<time datetime=\"\(time.iso8601)\" data-seconds>\(words)</time>"
  }

  /// Something that went wrong, which a screen reader says at once.
  static func alert(_ text: String) -> HTML { "<p class=\"alert\" role=\"alert\">\(text)</p>" }

  /// A region that scrolls sideways on a narrow screen, by keyboard too.
  static func table(_ label: String, _ table: HTML) -> HTML {
    "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"\(label)\">\(table)</div>"
  }
}

extension HTTPResponse {
  /// Sends a browser on, with GET.
  static func seeOther(_ path: String, headers: [(String, String)] = []) -> HTTPResponse {
    HTTPResponse(
      status: 303, headers: [("Location", path), ("Cache-Control", "no-store")] + headers)
  }
}

extension Timestamp {
  /// `2026-11-21 09:30 UTC`, where no script knows the viewer's zone.
  var words: String { iso8601.prefix(16).replacing("T", with: " ") + " UTC" }
}
